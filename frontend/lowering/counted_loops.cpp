#include "frontend/lowering/counted_loops.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tangram::frontend {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

bool reads(const ExprPtr &e, const ir::Var *variable) {
  return e && ir::contains(e, [&](const ir::Expr &each) { return each.var.get() == variable; });
}

bool mentions(const StmtPtr &s, const ir::Var *variable) {
  bool found = false;
  ir::forEach(s, [&](const Stmt &each) {
    found |= each.var.get() == variable;
    ir::forEachOwnExpr(each, [&](const ExprPtr &e) { found |= reads(e, variable); });
  });
  return found;
}

/// How many statements change a variable.
std::size_t changes(const StmtPtr &s, const ir::Var *variable) {
  std::size_t count = 0;
  ir::forEach(s, [&](const Stmt &each) {
    count += each.kind == StmtKind::Assign && each.target->var.get() == variable;
    ir::forEachOwnExpr(each, [&](const ExprPtr &e) {
      count += ir::contains(e, [&](const ir::Expr &part) {
        return part.kind == ExprKind::Atomic && reads(part.args[0], variable);
      });
    });
  });
  return count;
}

/// Whether `s` goes on with the next round of the loop around it.
bool continues(const StmtPtr &s) {
  if (!s || ir::isLoop(*s))
    return false;
  return s->kind == StmtKind::Continue || std::ranges::any_of(s->children, continues);
}

bool declares(const StmtPtr &s, const VarPtr &variable) {
  bool found = false;
  ir::forEach(
      s, [&](const Stmt &each) { found |= each.kind == StmtKind::Decl && each.var == variable; });
  return found;
}

bool readsElements(const ExprPtr &e) {
  return ir::contains(e, [](const ir::Expr &each) {
    return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic;
  });
}

/// A step of a local integer, `k += 2` or `k -= 1`, that is the same in all rounds of `body`.
bool isStep(const StmtPtr &s, const StmtPtr &body) {
  const bool isIt = s && s->kind == StmtKind::Assign && (s->op == "+=" || s->op == "-=") &&
                    s->target->kind == ExprKind::Var &&
                    s->target->var->kind == ir::VarKind::Local &&
                    ir::isInteger(s->target->type.scalar) && s->target->type.lanes == 1;
  return isIt && !readsElements(s->value) && !ir::contains(s->value, [&](const ir::Expr &e) {
           return e.kind == ExprKind::Var &&
                  (changes(body, e.var.get()) != 0 || declares(body, e.var));
         });
}

/// The statements of a block, those of blocks in it that declare nothing included.
void flatten(const StmtPtr &s, std::vector<StmtPtr> &into) {
  const bool isOpen =
      s->kind == StmtKind::Block && std::ranges::none_of(s->children, [](const StmtPtr &each) {
        return each->kind == StmtKind::Decl;
      });
  if (!isOpen)
    return into.push_back(s);
  for (const StmtPtr &each : s->children)
    flatten(each, into);
}

/// `value` after the step.
ExprPtr stepped(const ExprPtr &value, const Stmt &step) {
  const auto converted = [&](const ExprPtr &e) {
    const ir::Scalar type = step.target->type.scalar;
    return e->type.scalar == type ? e : ir::cast(type, e, e->location);
  };
  const ir::Operator op = step.op == "+=" ? ir::Operator("+") : ir::Operator("-");
  return converted(ir::binary(op, converted(value), step.value, value->location));
}

/// A loop whose head has its condition and its step.
struct Counted {
  ExprPtr condition;
  StmtPtr step;
  StmtPtr body;
  bool isStepped = false; ///< before the first test, as in `while (--k > 0)`
};

/// A test `k` or `k != 0` as a comparison: `k > 0` of an unsigned counter, else `k != 0`.
ExprPtr asComparison(const ExprPtr &condition, const VarPtr &counter) {
  const ExprPtr &asked = ir::isBinary(*condition, "!=") && ir::isLiteral(condition->args[1], 0)
                             ? condition->args[0]
                             : condition;
  if (asked->kind != ExprKind::Var || asked->var != counter)
    return condition;
  const ExprPtr zero = ir::intLiteral(0, counter->type.scalar);
  const bool isUnsigned = !ir::isSigned(counter->type.scalar);
  return ir::binary(isUnsigned ? ir::Operator(">") : ir::Operator("!="), asked, zero,
                    condition->location);
}

/// `holds = c; k -= 1; if (!holds) break; rest` and `k -= 1; if (!c) break; rest`.
std::optional<Counted> testedInside(const Stmt &loop) {
  const bool isOpen = loop.kind == StmtKind::For && !loop.value && !loop.children[1];
  if (!isOpen || loop.children[2]->kind != StmtKind::Block)
    return std::nullopt;
  const std::vector<StmtPtr> &all = loop.children[2]->children;
  const bool isNamed = !all.empty() && all[0]->kind == StmtKind::Decl && all[0]->value;
  const std::size_t at = isNamed ? 1 : 0;
  if (all.size() != at + 3 || !isStep(all[at], all[at + 2]))
    return std::nullopt;
  const Stmt &end = *all[at + 1];
  const bool isEnd = end.kind == StmtKind::If && end.value->kind == ExprKind::Unary &&
                     end.value->op == "!" && end.children[0]->kind == StmtKind::Break &&
                     (end.children.size() < 2 || !end.children[1]);
  if (!isEnd)
    return std::nullopt;
  ExprPtr condition = end.value->args[0];
  if (isNamed && (condition->kind != ExprKind::Var || condition->var != all[0]->var))
    return std::nullopt;
  if (isNamed)
    condition = all[0]->value->kind == ExprKind::Cast ? all[0]->value->args[0] : all[0]->value;
  const VarPtr &counter = all[at]->target->var;
  condition = asComparison(condition, counter);
  if (changes(all[at + 2], counter.get()) != 0 ||
      (isNamed && mentions(all[at + 2], all[0]->var.get())))
    return std::nullopt;
  const auto before = [&](const ExprPtr &e) -> ExprPtr { // the counter's value of the round
    if (!isNamed || e->kind != ExprKind::Var || e->var != counter)
      return e;
    return stepped(e, *all[at]);
  };
  return Counted{
      condition, all[at],
      ir::mapExprs(all[at + 2], [&](const ExprPtr &e) { return ir::rewrite(e, before); }),
      !isNamed};
}

/// `while (c) { rest; k += 1; }`
std::optional<Counted> steppedAtTheEnd(const Stmt &loop) {
  const bool isWhile = loop.kind == StmtKind::While;
  const bool isOpen = loop.kind == StmtKind::For && loop.value && !loop.children[1];
  if (!isWhile && !isOpen)
    return std::nullopt;
  const StmtPtr &body = loop.children[isWhile ? 0 : 2];
  if (body->kind != StmtKind::Block)
    return std::nullopt;
  std::vector<StmtPtr> all;
  for (const StmtPtr &each : body->children)
    flatten(each, all);
  const bool steps = all.size() > 1 && isStep(all.back(), body) &&
                     reads(loop.value, all.back()->target->var.get());
  if (!steps || continues(body) || changes(body, all.back()->target->var.get()) != 1)
    return std::nullopt;
  const StmtPtr step = all.back();
  all.pop_back();
  return Counted{loop.value, step, ir::block(std::move(all), body->location)};
}

/// `for (; c; k += 1)`
std::optional<Counted> withoutDeclaration(const Stmt &loop) {
  const bool isIt = loop.kind == StmtKind::For && !loop.children[0] && loop.value &&
                    isStep(loop.children[1], loop.children[2]) &&
                    changes(loop.children[2], loop.children[1]->target->var.get()) == 0;
  return isIt ? std::optional(Counted{loop.value, loop.children[1], loop.children[2]})
              : std::nullopt;
}

std::optional<Counted> countedForm(const Stmt &loop) {
  if (auto form = testedInside(loop))
    return form;
  if (auto form = steppedAtTheEnd(loop))
    return form;
  return withoutDeclaration(loop);
}

/// The loop `form` with the counter's declaration in its head.
StmtPtr made(const Counted &form, const StmtPtr &declaration, const Stmt &loop) {
  const StmtPtr first = form.isStepped
                            ? ir::declare(declaration->var, stepped(declaration->value, *form.step),
                                          declaration->location)
                            : declaration;
  return ir::forLoop(first, form.condition, form.step, form.body, loop.location);
}

/// A `for` whose head declares its counter.
StmtPtr ofFor(const StmtPtr &s) {
  const bool declares = s->kind == StmtKind::For && s->children[0] &&
                        s->children[0]->kind == StmtKind::Decl && s->children[0]->value;
  const std::optional<Counted> form = declares ? countedForm(*s) : std::nullopt;
  const bool isIt = form && form->step->target->var == s->children[0]->var;
  return isIt ? made(*form, s->children[0], *s) : s;
}

class Block {
public:
  explicit Block(std::vector<StmtPtr> statements) : all_(std::move(statements)) {}

  /// The statements, with declarations of counters in the heads of their loops.
  std::vector<StmtPtr> counted() {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const std::optional<Counted> form = countedForm(*all_[i]);
      const bool isOpen = form && (all_[i]->kind != StmtKind::For || !all_[i]->children[0]);
      const auto declared = isOpen ? declarationOf(form->step->target->var, i) : std::nullopt;
      if (!declared)
        continue;
      all_[i] = made(*form, all_[*declared], *all_[i]);
      all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(*declared));
      --i;
    }
    return std::move(all_);
  }

private:
  /// Where `counter` is declared in front of the statement `loop`, which may declare it as well.
  std::optional<std::size_t> declarationOf(const VarPtr &counter, std::size_t loop) const {
    for (std::size_t i = loop + 1; i < all_.size(); ++i) {
      if (mentions(all_[i], counter.get()))
        return std::nullopt;
    }
    for (std::size_t i = loop; i-- > 0;) {
      const Stmt &s = *all_[i];
      if (s.kind == StmtKind::Decl && s.var == counter)
        return s.value && mayWait(s.value, i, loop) ? std::optional(i) : std::nullopt;
      if (mentions(all_[i], counter.get()))
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// Whether `value` is the same behind the statements between two places: it reads no elements, and the statements between assign no
  /// variable in it.
  bool mayWait(const ExprPtr &value, std::size_t from, std::size_t to) const {
    if (from + 1 == to)
      return true;
    if (readsElements(value))
      return false;
    bool isSame = true;
    for (std::size_t i = from + 1; i < to; ++i) {
      ir::forEach(all_[i], [&](const Stmt &s) {
        isSame &= s.kind != StmtKind::Assign || s.target->kind != ExprKind::Var ||
                  !reads(value, s.target->var.get());
      });
    }
    return isSame;
  }

  std::vector<StmtPtr> all_;
};

} // namespace

StmtPtr withCountedLoops(const StmtPtr &body) {
  return ir::rewrite(body, [](const StmtPtr &s) -> StmtPtr {
    if (s->kind == StmtKind::For)
      return ofFor(s);
    if (s->kind != StmtKind::Block)
      return s;
    return ir::block(Block(s->children).counted(), s->location);
  });
}

} // namespace tangram::frontend
