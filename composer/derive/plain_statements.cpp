#include "composer/derive/plain_statements.h"

#include "composer/derive/statements.h"

#include <algorithm>
#include <set>
#include <vector>

namespace tangram::composer {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

ExprPtr negated(const ExprPtr &e) {
  if (e->kind == ExprKind::Unary && e->op == "!")
    return e->args[0];
  if (ir::isBinary(*e, "&&"))
    return ir::binary("||", negated(e->args[0]), negated(e->args[1]));
  if (ir::isBinary(*e, "||"))
    return ir::binary("&&", negated(e->args[0]), negated(e->args[1]));
  const bool isOfIntegers =
      e->kind == ExprKind::Binary && e->op.isComparison() &&
      std::ranges::all_of(e->args, [](const ExprPtr &a) { return ir::isInteger(a->type.scalar); });
  if (!isOfIntegers)
    return ir::unary("!", e, e->location);
  const ExprPtr &a = e->args[0], &b = e->args[1];
  return e->op == "<"    ? ir::binary(">=", a, b)
         : e->op == "<=" ? ir::binary(">", a, b)
         : e->op == ">"  ? ir::binary("<=", a, b)
         : e->op == ">=" ? ir::binary("<", a, b)
         : e->op == "==" ? ir::binary("!=", a, b)
                         : ir::binary("==", a, b);
}

/// Whether a statement is `continue` and nothing else.
bool isContinue(const StmtPtr &s) { return s && onlyStatement(s)->kind == StmtKind::Continue; }

/// The statements of a loop's body, from number `at` on, without `continue` among them.
std::vector<StmtPtr> withoutContinue(const std::vector<StmtPtr> &body, std::size_t at) {
  std::vector<StmtPtr> made;
  for (; at < body.size(); ++at) {
    const StmtPtr &s = body[at];
    if (s->kind == StmtKind::Continue)
      break;
    const bool skips = s->kind == StmtKind::If && isContinue(s->children[0]);
    if (!skips) {
      made.push_back(s);
      continue;
    }
    std::vector<StmtPtr> rest;
    if (s->children.size() > 1 && s->children[1])
      rest.push_back(s->children[1]);
    for (const StmtPtr &each : withoutContinue(body, at + 1))
      rest.push_back(each);
    made.push_back(ir::ifThen(negated(s->value), ir::block(rest), nullptr, s->location));
    break;
  }
  return made;
}

/// Counts the uses of a variable in the order of the text, up to a statement or to the end.
class Uses {
public:
  Uses(const VarPtr &var, const Stmt *until) : var_(var), until_(until) {}

  std::size_t count(const StmtPtr &s) {
    walk(s);
    return count_;
  }

private:
  void walk(const StmtPtr &s) {
    if (!s || done_)
      return;
    done_ = s.get() == until_;
    if (done_)
      return;
    ir::forEachOwnExpr(*s, [&](const ExprPtr &e) {
      ir::forEach(e, [&](const ir::Expr &each) {
        count_ += each.kind == ExprKind::Var && each.var == var_ ? 1 : 0;
      });
    });
    for (const StmtPtr &child : s->children)
      walk(child);
  }

  VarPtr var_;
  const Stmt *until_;
  std::size_t count_ = 0;
  bool done_ = false;
};

/// Gives a local that is assigned a new name from there on.
class SingleAssignment {
public:
  explicit SingleAssignment(const ir::Codelet &codelet)
      : codelet_(codelet), fresh_(codelet.params, codelet.body) {}

  /// The body with one more assignment turned into a declaration; null where there is none to turn.
  StmtPtr next() {
    const StmtPtr body = statement(codelet_.body, codelet_.body);
    return changes_ ? body : nullptr;
  }

private:
  /// `loop`: the body of the innermost loop around.
  StmtPtr statement(const StmtPtr &s, const StmtPtr &loop) {
    if (!s || changes_)
      return s;
    std::vector<StmtPtr> children;
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      const StmtPtr &child = s->children[i];
      if (s->kind == StmtKind::Block && !changes_ && isTurned(*s, i, loop)) {
        std::vector<StmtPtr> rest(s->children.begin() + static_cast<std::ptrdiff_t>(i),
                                  s->children.end());
        turn(rest);
        children.insert(children.end(), rest.begin(), rest.end());
        return ir::withChildren(s, std::move(children));
      }
      const bool isBody = ir::isLoop(*s) && i == (s->kind == StmtKind::For ? 2 : 0);
      children.push_back(statement(child, isBody ? child : loop));
    }
    return ir::withChildren(s, std::move(children));
  }

  /// Whether child i is the first to assign a local of the loop's body, which only later statements of the block use from
  /// there on.
  bool isTurned(const Stmt &block, std::size_t i, const StmtPtr &loop) const {
    const StmtPtr &s = block.children[i];
    if (s->kind != StmtKind::Assign || s->target->kind != ExprKind::Var ||
        s->target->var->kind != ir::VarKind::Local || !isDeclaredIn(loop, s->target->var) ||
        !ir::isInteger(s->target->type.scalar))
      return false;
    const VarPtr &var = s->target->var;
    if (firstAssignment(var) != s.get())
      return false;
    std::size_t here = 0;
    for (std::size_t at = i; at < block.children.size(); ++at)
      here += Uses(var, nullptr).count(block.children[at]);
    return Uses(var, s.get()).count(codelet_.body) + here ==
           Uses(var, nullptr).count(codelet_.body);
  }

  const Stmt *firstAssignment(const VarPtr &var) const {
    const Stmt *first = nullptr;
    ir::forEach(codelet_.body, [&](const Stmt &s) {
      const bool assigns =
          s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var && s.target->var == var;
      if (assigns && first == nullptr)
        first = &s;
    });
    return first;
  }

  /// Whether the variable is declared in a round of the loop, and not in a loop inside of it.
  static bool isDeclaredIn(const StmtPtr &s, const VarPtr &var) {
    if (!s)
      return false;
    if (s->kind == StmtKind::Decl)
      return s->var == var && s->value;
    return !ir::isLoop(*s) && std::ranges::any_of(s->children, [&](const StmtPtr &child) {
      return isDeclaredIn(child, var);
    });
  }

  /// Turns the first of these statements, and has the others use what it declares.
  void turn(std::vector<StmtPtr> &statements) {
    const Stmt assignment = *statements[0];
    auto made = std::make_shared<ir::Var>(*assignment.target->var);
    made->name = fresh_(made->name);
    const ExprPtr value = assignment.op == "=" ? assignment.value
                                               : ir::binary(assignment.op.withoutAssignment(),
                                                            assignment.target, assignment.value);
    for (StmtPtr &s : statements) {
      s = ir::mapExprs(s, [&](const ExprPtr &e) {
        return ir::rewrite(e, [&](const ExprPtr &each) {
          const bool isIt = each->kind == ExprKind::Var && each->var == assignment.target->var;
          return isIt ? ir::varRef(made, each->location) : each;
        });
      });
    }
    statements[0] = ir::declare(made, ir::cast(made->type.scalar, value), assignment.location);
    changes_ = true;
  }

  const ir::Codelet &codelet_;
  FreshNames fresh_;
  bool changes_ = false;
};

} // namespace

ir::Codelet withPlainStatements(const ir::Codelet &codelet) {
  ir::Codelet made = codelet;
  made.body = ir::rewrite(codelet.body, [](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::For || !s->children[2])
      return s;
    std::vector<StmtPtr> body;
    flatten(s->children[2], body);
    const bool skips = std::ranges::any_of(body, [](const StmtPtr &each) {
      return each->kind == StmtKind::If && isContinue(each->children[0]);
    });
    return skips ? ir::withChildren(
                       s, {s->children[0], s->children[1], ir::block(withoutContinue(body, 0))})
                 : s;
  });
  while (const StmtPtr next = SingleAssignment(made).next())
    made.body = next;
  return made;
}

} // namespace tangram::composer
