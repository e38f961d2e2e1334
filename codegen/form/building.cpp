#include "codegen/form/building.h"
#include "ir/assigned_variables.h"

#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

bool is(const ExprPtr &e, const VarPtr &variable) {
  return e->kind == ExprKind::Var && e->var == variable;
}

} // namespace

VarPtr newVariable(const std::string &name, Scalar type, VarKind kind) {
  auto v = std::make_shared<Var>();
  v->name = name;
  v->type = scalarType(type);
  v->kind = kind;
  return v;
}

VarPtr renewed(const Var &var) {
  auto v = std::make_shared<Var>(*newVariable(var.name, var.type.scalar));
  v->wraps = var.wraps;
  return v;
}

StmtPtr countingLoop(const VarPtr &i, ExprPtr end, StmtPtr body, ExprPtr start) {
  return forLoop(declare(i, std::move(start)), binary("<", varRef(i), std::move(end)),
                 assign(varRef(i), "+=", intLiteral(1)), std::move(body));
}

StmtPtr unrolledLoop(const StmtPtr &loop, unsigned times, unsigned lanes) {
  auto hinted = std::make_shared<Stmt>(*loop);
  hinted->unroll = times;
  hinted->lanes = lanes;
  return hinted;
}

StmtPtr copying(const StmtPtr &workers) {
  auto copy = std::make_shared<Stmt>(*workers);
  copy->copies = true;
  return copy;
}

ExprPtr substitute(const ExprPtr &e, const Substitution &with) {
  return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
    auto found = each->kind == ExprKind::Var ? with.find(each->var.get()) : with.end();
    return found == with.end() ? each : found->second;
  });
}

StmtPtr substitute(const StmtPtr &s, const Substitution &with) {
  return mapExprs(s, [&](const ExprPtr &e) { return substitute(e, with); });
}

StmtPtr withOwnVariables(const StmtPtr &s) {
  Substitution own;
  forEach(s, [&](const Stmt &each) {
    const bool declares = each.kind == StmtKind::Decl || each.kind == StmtKind::Parallel;
    if (declares && each.var)
      own[each.var.get()] = varRef(std::make_shared<Var>(*each.var));
  });
  const StmtPtr declared = rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
    auto renamed = each->var ? own.find(each->var.get()) : own.end();
    if (renamed == own.end())
      return each;
    auto copy = std::make_shared<Stmt>(*each);
    copy->var = renamed->second->var;
    return copy;
  });
  return substitute(declared, own);
}

std::optional<SteppedLoop> steppedLoop(const Stmt &s) {
  if (s.kind != StmtKind::For || !s.children[0] || !s.children[1])
    return std::nullopt;
  const Stmt &start = *s.children[0];
  const Stmt &advance = *s.children[1];
  if (start.kind != StmtKind::Decl || !start.value || advance.kind != StmtKind::Assign ||
      advance.op != "+=" || !is(advance.target, start.var))
    return std::nullopt;
  return SteppedLoop{start.var, start.value, advance.value};
}

std::optional<SteppedLoop> scaledLoop(const Stmt &s) {
  if (s.kind != StmtKind::For || !s.children[0] || !s.children[1])
    return std::nullopt;
  const Stmt &start = *s.children[0];
  const Stmt &advance = *s.children[1];
  if (start.kind != StmtKind::Decl || !start.value || advance.kind != StmtKind::Assign ||
      !is(advance.target, start.var))
    return std::nullopt;
  bool shifts = advance.op == "<<=";
  bool multiplies = advance.op == "*=";
  ExprPtr by = advance.value;
  if (advance.op == "=" && by->kind == ExprKind::Binary && is(by->args[0], start.var)) {
    shifts = by->op == "<<";
    multiplies = by->op == "*";
    by = by->args[1];
  }
  const std::int64_t number = literalValue(by).value_or(0);
  const auto bits = static_cast<std::int64_t>(8 * byteSize(start.var->type.scalar == Scalar::Index
                                                               ? Scalar::U64
                                                               : start.var->type.scalar)) -
                    (isSigned(start.var->type.scalar) ? 1 : 0);
  if (shifts && number > 0 && number < std::min<std::int64_t>(bits, 31))
    return SteppedLoop{start.var, start.value,
                       intLiteral(std::int64_t{1} << number, start.var->type.scalar)};
  if (multiplies && number > 1)
    return SteppedLoop{start.var, start.value, by};
  return std::nullopt;
}

std::optional<CountedLoop> countedLoop(const Stmt &s) {
  const std::optional<SteppedLoop> loop = steppedLoop(s);
  if (!loop || !s.value || s.value->kind != ExprKind::Binary || s.value->op != "<" ||
      !is(s.value->args[0], loop->i))
    return std::nullopt;
  return CountedLoop{loop->i, loop->start, s.value->args[1], loop->step, s.children[2]};
}

std::optional<CountedLoop> loopToTheEnd(const Stmt &s) {
  const std::optional<CountedLoop> loop = countedLoop(s);
  if (!loop || (!loop->isPlain() && loop->i->type.scalar != Scalar::Index) ||
      assigns(loop->body, loop->i.get()))
    return std::nullopt;
  bool plain = true;
  forEach(loop->body, [&](const Stmt &each) {
    plain &= each.kind != StmtKind::Break && each.kind != StmtKind::Continue &&
             each.kind != StmtKind::Return;
  });
  return plain ? loop : std::nullopt;
}

ExprPtr negated(const ExprPtr &condition) {
  using Code = Operator::Code;
  static const std::map<Code, Code> opposite{
      {Code::Equal, Code::NotEqual},      {Code::NotEqual, Code::Equal},
      {Code::Less, Code::GreaterOrEqual}, {Code::GreaterOrEqual, Code::Less},
      {Code::Greater, Code::LessOrEqual}, {Code::LessOrEqual, Code::Greater}};
  if (condition->kind == ExprKind::Unary && condition->op == "!")
    return condition->args[0];
  if (condition->kind == ExprKind::Binary && isInteger(condition->args[0]->type.scalar) &&
      isInteger(condition->args[1]->type.scalar)) {
    if (auto other = opposite.find(condition->op.code()); other != opposite.end())
      return binary(other->second, condition->args[0], condition->args[1]);
  }
  return unary("!", condition);
}

ExprPtr atomicAt(Operator op, const ExprPtr &place, const std::vector<ExprPtr> &operands,
                 const SourceLocation &at) {
  std::vector<ExprPtr> args{place};
  args.insert(args.end(), operands.begin(), operands.end());
  Expr e = *node(ExprKind::Atomic, place->type, std::move(args), at);
  e.op = op;
  return std::make_shared<Expr>(std::move(e));
}

bool hasBarrier(const StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const Stmt &each) { found |= each.kind == StmtKind::Barrier; });
  return found;
}

std::vector<StmtPtr> withoutBlocks(const std::vector<StmtPtr> &statements) {
  std::vector<StmtPtr> flat;
  for (const StmtPtr &s : statements) {
    if (s->kind != StmtKind::Block) {
      flat.push_back(s);
      continue;
    }
    const std::vector<StmtPtr> inner = withoutBlocks(s->children);
    flat.insert(flat.end(), inner.begin(), inner.end());
  }
  return flat;
}

bool assigns(const StmtPtr &s, const Var *variable) {
  bool found = false;
  forEach(s, [&](const Stmt &each) {
    found |= each.kind == StmtKind::Assign && each.target->var.get() == variable;
  });
  return found;
}

std::vector<StmtPtr> placesOf(ExprPtr number, const std::vector<ExprPtr> &extents,
                              const std::vector<VarPtr> &numbers) {
  std::vector<StmtPtr> places;
  for (std::size_t d = extents.size(); d-- > 0;) {
    places.push_back(declare(numbers[d], d == 0 ? number : binary("%", number, extents[d])));
    number = binary("/", number, extents[d]);
  }
  return places;
}

bool hasAtomic(const StmtPtr &s) {
  bool found = false;
  forEachExpr(s, [&](const Expr &e) { found |= e.kind == ExprKind::Atomic; });
  return found;
}

const Var *arrayOf(const Expr &e) {
  return e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var ? e.args[0]->var.get()
                                                                       : nullptr;
}

const Var *arrayChangedBy(const Stmt &s) { return s.target ? arrayOf(*s.target) : nullptr; }

std::set<const Var *> changedIn(const StmtPtr &s) {
  std::set<const Var *> changing = assignedIn(s);
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl || each.kind == StmtKind::Parallel)
      changing.insert(each.var.get());
  });
  return changing;
}

bool isFixedIn(const ExprPtr &e, const StmtPtr &s) {
  return !contains(e, [&](const Expr &each) {
    const bool isPlain = each.kind == ExprKind::Literal || each.kind == ExprKind::Var ||
                         each.kind == ExprKind::Binary || each.kind == ExprKind::Call ||
                         each.kind == ExprKind::Cast;
    return !isPlain || (each.kind == ExprKind::Var && assigns(s, each.var.get()));
  });
}

StmtPtr onlyStatementIn(const StmtPtr &body) {
  StmtPtr found;
  for (const StmtPtr &s : withoutBlocks({body})) {
    if (s->kind == StmtKind::Comment)
      continue;
    if (found)
      return nullptr;
    found = s;
  }
  return found;
}

bool hasLoop(const StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const Stmt &each) { found |= isLoop(each); });
  return found;
}

bool hasNestOfLoops(const StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::For && each.unroll <= 1 && each.lanes <= 1)
      forEach(each.children[2], [&](const Stmt &inner) {
        found |= inner.kind == StmtKind::For && inner.unroll <= 1 && inner.lanes <= 1;
      });
  });
  return found;
}

bool isOfInnermostLoop(const StmtPtr &s) {
  bool inner = true;
  forEach(s, [&](const Stmt &each) {
    inner &= !isLoop(each) && each.kind != StmtKind::Parallel && each.kind != StmtKind::Barrier;
  });
  return inner;
}

std::set<const Var *> arraysDeclaredIn(const StmtPtr &s) {
  std::set<const Var *> arrays;
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl && each.var->extent)
      arrays.insert(each.var.get());
  });
  return arrays;
}

std::map<const Var *, ExprPtr> constantsOf(const StmtPtr &s) {
  std::map<const Var *, ExprPtr> constants;
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl && each.value)
      constants[each.var.get()] = each.value;
  });
  for (const Var *each : assignedIn(s))
    constants.erase(each);
  return constants;
}

} // namespace tangram::codegen
