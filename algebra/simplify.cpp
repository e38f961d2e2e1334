#include "algebra/simplify.h"

#include "algebra/simplify_places.h"
#include "algebra/simplify_steps.h"
#include "algebra/wrapping.h"

#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tangram::algebra {

using namespace ir;

namespace {

StmtPtr resolveBranch(const StmtPtr &s) {
  if (s->kind != StmtKind::If)
    return s;
  auto condition = literalValue(s->value);
  if (!condition)
    return s;
  if (*condition != 0)
    return s->children[0];
  return s->children.size() > 1 ? s->children[1] : block({});
}

/// Walks statements with what is known at each.
class Walk {
public:
  using Fact = PlaceSimplifier::Fact;
  using Place = PlaceSimplifier::Place;

  Walk(const StmtPtr &root, PlaceSimplifier &simplifier) : simplifier_(simplifier) {
    std::set<const Stmt *> increments;
    forEach(root, [&](const Stmt &s) {
      if (s.kind == StmtKind::For && s.children[0] && s.children[1] &&
          s.children[0]->kind == StmtKind::Decl && s.children[1]->kind == StmtKind::Assign &&
          s.children[1]->target->var == s.children[0]->var)
        increments.insert(s.children[1].get());
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var && !increments.contains(&s))
        changing_.insert(s.target->var.get());
    });
    forEachExpr(root, [&](const Expr &e) {
      if (e.kind == ExprKind::Atomic && e.args[0]->kind == ExprKind::Var)
        changing_.insert(e.args[0]->var.get());
    });
  }

  StmtPtr run(const StmtPtr &s, Place &place) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Parallel && s->var &&
        isLiteral(simplifier_.simplified(s->value, place), 1))
      return run(ofOne(*s), place);
    auto changed = std::make_shared<Stmt>(*s);
    if (s->value)
      changed->value = simplifier_.simplified(s->value, place);
    if (s->target)
      changed->target = simplifier_.simplified(s->target, place);
    if (s->kind == StmtKind::Parallel && isLiteral(changed->value, 1))
      changed->span = Span::One;
    if (s->kind == StmtKind::Decl)
      define(*changed);
    // A block's declarations are known to the statements after them, and no other's.
    const bool isBlock = s->kind == StmtKind::Block;
    const std::size_t before = simplifier_.definitions();
    for (std::size_t i = 0; i < s->children.size(); ++i) {
      if (const auto fact = isBlock ? std::nullopt : factInside(*changed, i)) {
        Place inner = simplifier_.inside(place, *fact);
        changed->children[i] = run(s->children[i], inner);
      } else {
        changed->children[i] = run(s->children[i], place);
      }
      if (!isBlock)
        simplifier_.forget(before);
    }
    simplifier_.forget(before);
    return resolveBranch(changed);
  }

private:
  /// A Parallel of one worker, whose number is 0.
  static StmtPtr ofOne(const Stmt &s) {
    return parallel(s.level, Span::One, nullptr, intLiteral(1),
                    mapExprs(s.children[0],
                             [&](const ExprPtr &own) {
                               return rewrite(own, [&](const ExprPtr &e) {
                                 return e->kind == ExprKind::Var && e->var == s.var ? intLiteral(0)
                                                                                    : e;
                               });
                             }),
                    s.location);
  }

  /// What holds in child `i` of `s`.
  std::optional<Fact> factInside(const Stmt &s, std::size_t i) const {
    if (s.kind == StmtKind::Parallel && s.var)
      return Fact{isStable(s.value) ? Fact::Kind::Below : Fact::Kind::IsBelow, s.var, s.value};
    if (s.kind == StmtKind::If && isStable(s.value))
      return Fact{i == 0 ? Fact::Kind::Holds : Fact::Kind::Fails, nullptr, s.value};
    if (s.kind == StmtKind::For && i == 2 && s.value && s.children[0] &&
        s.children[0]->kind == StmtKind::Decl && isStable(varRef(s.children[0]->var)) &&
        isStable(s.value))
      return Fact{Fact::Kind::GoesRound, nullptr, s.value};
    return std::nullopt;
  }

  void define(const Stmt &s) {
    if (s.value && !s.var->extent && s.var->type.scalar == Scalar::Index &&
        s.value->type.scalar == Scalar::Index && isStable(s.value) && isStable(varRef(s.var)))
      simplifier_.define(s.var, s.value);
  }

  /// Whether `e` keeps its value in the scope of the variables in it.
  bool isStable(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             each.kind == ExprKind::SpectrumCall ||
             (each.kind == ExprKind::Var && changing_.contains(each.var.get()));
    });
  }

  PlaceSimplifier &simplifier_;
  std::set<const Var *> changing_; ///< given a value after they were declared
};

} // namespace

ExprPtr simplify(const ExprPtr &e, const Facts &facts) {
  if (e->args.empty())
    return step(e, facts);
  PlaceSimplifier simplifier(facts);
  return simplifier.simplified(e, simplifier.outermost());
}

StmtPtr simplify(const StmtPtr &s, const Facts &facts) {
  PlaceSimplifier simplifier(facts,
                             std::make_shared<const WrappingVariables>(wrappingVariables(s)));
  return Walk(s, simplifier).run(s, simplifier.outermost());
}

ExprPtr add(ExprPtr a, ExprPtr b) {
  if (isLiteral(a, 0))
    return b;
  if (isLiteral(b, 0))
    return a;
  return step(binary("+", std::move(a), std::move(b)), {});
}

ExprPtr sub(ExprPtr a, ExprPtr b) { return step(binary("-", std::move(a), std::move(b)), {}); }

ExprPtr mul(ExprPtr a, ExprPtr b) { return step(binary("*", std::move(a), std::move(b)), {}); }

ExprPtr ceilDiv(ExprPtr a, ExprPtr b) {
  if (isLiteral(b, 1))
    return a;
  return step(binary("/", sub(add(std::move(a), b), intLiteral(1)), b), {});
}

ExprPtr minOf(ExprPtr a, ExprPtr b) {
  return step(call("min", scalarType(Scalar::Index), {std::move(a), std::move(b)}), {});
}

ExprPtr maxOf(ExprPtr a, ExprPtr b) {
  return step(call("max", scalarType(Scalar::Index), {std::move(a), std::move(b)}), {});
}

} // namespace tangram::algebra
