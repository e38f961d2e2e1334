#include "codegen/form/edges.h"

#include "algebra/simplify.h"
#include "algebra/wrapping.h"

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

ExprPtr less(const ExprPtr &a, const ExprPtr &b) { return binary("<", a, b); }

/// e = rest + constant; `rest` is null where there is none.
struct Sum {
  ExprPtr rest;
  std::int64_t constant = 0;
};

Sum sumOf(const ExprPtr &e) {
  if (const auto value = literalValue(e); value && *value >= 0)
    return {nullptr, *value};
  if (e->kind != ExprKind::Binary || e->op != "+" || e->type.scalar != Scalar::Index)
    return {e, 0};
  const Sum a = sumOf(e->args[0]);
  const Sum b = sumOf(e->args[1]);
  return {a.rest && b.rest ? add(a.rest, b.rest)
          : a.rest         ? a.rest
                           : b.rest,
          a.constant + b.constant};
}

/// A subscript of a padded dimension: element number x - before, where there is one.
struct Subscript {
  ExprPtr x;
  ExprPtr before;
};

/// The same in least numbers, so that most accesses need not be compared with the first element.
Subscript subscriptOf(const ExprPtr &x, const ExprPtr &before) {
  const Sum sum = sumOf(x);
  const auto first = literalValue(before);
  if (!first || (sum.rest && mayWrap(sum.rest)))
    return {x, before};
  const ExprPtr rest = sum.rest ? cast(Scalar::Index, sum.rest) : intLiteral(0);
  if (sum.constant >= *first)
    return {add(rest, intLiteral(sum.constant - *first)), intLiteral(0)};
  return {rest, intLiteral(*first - sum.constant)};
}

/// Element number `at` of one that is repeated with every other copy reversed.
ExprPtr reflected(const ExprPtr &at, const ExprPtr &extent) {
  const ExprPtr there = binary("%", at, mul(intLiteral(2), extent));
  return minOf(there, sub(sub(mul(intLiteral(2), extent), intLiteral(1)), there));
}

/// Number of the element that x, below s.before, stands for. Where there is but one such x it is the
/// first element or the last, without a division.
ExprPtr beforeFirst(const Edge &edge, const Subscript &s) {
  const ExprPtr last = sub(edge.extent, intLiteral(1));
  const bool mirrors = edge.boundary == Boundary::Mirror;
  if (isLiteral(s.before, 1))
    return mirrors ? intLiteral(0) : last;
  const ExprPtr distance = sub(sub(s.before, intLiteral(1)), s.x); // 0 before the first - 1
  return mirrors ? reflected(distance, edge.extent) : sub(last, binary("%", distance, edge.extent));
}

/// Number of the element that `at`, beyond the last one, stands for.
ExprPtr behindLast(const Edge &edge, const ExprPtr &at) {
  const bool mirrors = edge.boundary == Boundary::Mirror;
  if (isLiteral(edge.after, 1))
    return mirrors ? sub(edge.extent, intLiteral(1)) : intLiteral(0);
  return mirrors ? reflected(at, edge.extent) : binary("%", at, edge.extent);
}

/// Number of the element that a subscript stands for, where there are elements.
ExprPtr elementAt(const Edge &edge, const Subscript &s) {
  const ExprPtr number = sub(s.x, s.before);
  if (edge.boundary == Boundary::Constant)
    return number;
  const bool begins = isLiteral(s.before, 0);
  if (edge.boundary == Boundary::Clamp)
    return minOf(begins ? number : sub(maxOf(s.x, s.before), s.before),
                 sub(edge.extent, intLiteral(1)));
  const ExprPtr inside =
      select(less(s.x, add(edge.extent, s.before)), number, behindLast(edge, number));
  return begins ? inside : select(less(s.x, s.before), beforeFirst(edge, s), inside);
}

/// Whether a subscript is one of an element.
ExprPtr isInside(const Edge &edge, const Subscript &s) {
  const ExprPtr below = less(s.x, add(edge.extent, s.before));
  return isLiteral(s.before, 0) ? below : binary("&&", binary("<=", s.before, s.x), below);
}

} // namespace

ExprPtr throughEdges(const VarPtr &array, const std::vector<ExprPtr> &subscripts,
                     const std::vector<Edge> &edges) {
  struct Guard {
    ExprPtr condition, otherwise;
  };
  const Scalar type = array->type.scalar;
  const ExprPtr nothing = zeroOf(type);
  std::vector<ExprPtr> inner = subscripts;
  std::vector<Guard> guards;
  for (const Edge &edge : edges) {
    const Subscript x = subscriptOf(cast(Scalar::Index, inner[edge.of]), edge.before);
    if (edge.boundary == Boundary::Constant)
      guards.push_back({isInside(edge, x), edge.beyond});
    else
      guards.push_back({less(intLiteral(0), edge.extent), nothing});
    inner[edge.of] = add(edge.origin, mul(elementAt(edge, x), edge.step));
  }
  ExprPtr value = index(varRef(array), inner);
  for (auto guard = guards.rbegin(); guard != guards.rend(); ++guard) {
    // What is outside in two dimensions may be the same.
    const bool same = value->kind == ExprKind::Select && sameExpr(value->args[2], guard->otherwise);
    value = same ? select(binary("&&", guard->condition, value->args[0]), value->args[1],
                          guard->otherwise)
                 : select(guard->condition, value, guard->otherwise);
  }
  return value;
}

ExprPtr withoutPadding(const ExprPtr &e, const PaddedArrays &padded) {
  return padded.empty() ? e : rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
    const auto found = each->kind == ExprKind::Index && each->args[0]->kind == ExprKind::Var
                           ? padded.find(each->args[0]->var)
                           : padded.end();
    if (found == padded.end())
      return each;
    return throughEdges(found->second.array, {each->args.begin() + 1, each->args.end()},
                        found->second.edges);
  });
}

} // namespace tangram::codegen
