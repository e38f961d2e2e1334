#include "composer/analysis/coverage_proof.h"

#include "ir/checked_arithmetic.h"

#include <algorithm>

namespace tangram::composer {

using algebra::Atom;
using algebra::Polynomial;

namespace {

constexpr std::int64_t mostIterations = 64;
constexpr std::size_t mostSubscripts = 256;

/// Whether a - b is a number, and not below 0; without writing it out.
bool isAtLeast(const Polynomial &a, const Polynomial &b) {
  if (a.overflowed() || b.overflowed())
    return false;
  auto ownTerms = [](const Polynomial &p) {
    return p.terms().begin() + (!p.terms().empty() && p.terms().front().first.empty() ? 1 : 0);
  };
  return a.constant() >= b.constant() &&
         std::equal(ownTerms(a), a.terms().end(), ownTerms(b), b.terms().end());
}

ir::Operator mirrored(ir::Operator op) {
  return op == ">" ? ir::Operator("<") : op == ">=" ? ir::Operator("<=") : op;
}

} // namespace

CoverageProof::CoverageProof(const Variables &variables, const ir::ExprPtr &size,
                             const std::vector<ir::ExprPtr> &facts)
    : variables_(variables), builder_(variables, PolynomialBuilder::Style::Expanded) {
  const ir::Type index = ir::scalarType(ir::Scalar::Index);
  lane_ = builder_.build(ir::node(ir::ExprKind::CoopIdx, index, {}), nullptr);
  lanes_ = builder_.build(ir::node(ir::ExprKind::CoopDim, index, {}), nullptr);
  size_ = builder_.build(size, nullptr);
  for (const ir::ExprPtr &fact : facts) {
    if (fact->kind == ir::ExprKind::Binary && fact->op == "==")
      equalities_.push_back(builder_.build(variables.closed(fact->args[0]), nullptr) -
                            builder_.build(variables.closed(fact->args[1]), nullptr));
  }
}

bool CoverageProof::isEqual(const ir::ExprPtr &a, const ir::ExprPtr &b) {
  const Polynomial difference =
      builder_.build(variables_.closed(a), nullptr) - builder_.build(variables_.closed(b), nullptr);
  return difference.isZero() || std::ranges::any_of(equalities_, [&](const Polynomial &zero) {
           return (difference - zero).isZero() || (difference + zero).isZero();
         });
}

/// How often the body of a loop runs, where that is a small constant.
std::optional<std::int64_t> CoverageProof::iterations(const Loop &loop) const {
  const ir::Stmt &s = *loop.stmt;
  if (s.kind != ir::StmtKind::For || !s.value || s.value->kind != ir::ExprKind::Binary)
    return std::nullopt;
  bool leaves = false;
  ir::forEach(s.children[2], [&](const ir::Stmt &each) {
    leaves |= each.kind == ir::StmtKind::Break || each.kind == ir::StmtKind::Continue ||
              each.kind == ir::StmtKind::Return;
  });
  const ir::ExprPtr &counter = s.value->args[0];
  const auto end = ir::literalValue(variables_.closed(s.value->args[1]));
  if (leaves || !end || counter->kind != ir::ExprKind::Var ||
      (s.value->op != "<" && s.value->op != "<="))
    return std::nullopt;
  const Induction induction = variables_.induction(*counter->var, &loop);
  const auto first = induction.initial && induction.loop == &loop
                         ? ir::literalValue(variables_.closed(induction.initial))
                         : std::nullopt;
  const auto step = first ? ir::literalValue(variables_.closed(induction.step)) : std::nullopt;
  if (!step || *first < 0 || *end < *first || *end > INT32_MAX)
    return std::nullopt;
  const auto times = ir::checkedRounds(*first, *end + (s.value->op == "<=" ? 1 : 0), *step);
  return times && *times <= mostIterations ? times : std::nullopt;
}

/// An iteration count that occurs in `index`.
std::optional<Atom> CoverageProof::countedLoop(const Polynomial &index) const {
  for (const auto &term : index.terms()) {
    for (Atom factor : term.first) {
      if (builder_.atoms()[factor].kind == IndexTerm::Kind::Iteration)
        return factor;
    }
  }
  return std::nullopt;
}

bool CoverageProof::isFixed(const Polynomial &index) const {
  return std::ranges::all_of(index.terms(), [&](const auto &term) {
    return std::ranges::all_of(term.first, [&](Atom factor) {
      const IndexTerm &atom = builder_.atoms()[factor];
      return atom.kind == IndexTerm::Kind::Lane ||
             (atom.kind == IndexTerm::Kind::Opaque && variables_.isFixed(atom.expr));
    });
  });
}

bool CoverageProof::add(const LaneSubscript &subscript) { return expand(subscript, {}); }

/// `at`: iteration counts, by atom, and the values they have.
bool CoverageProof::expand(const LaneSubscript &subscript, Counts at) {
  Polynomial index = builder_.build(variables_.closed(subscript.index), subscript.loop);
  for (const auto &[atom, value] : at)
    index = index.with(atom, value);
  if (const std::optional<Atom> atom = countedLoop(index)) {
    const auto times = iterations(*builder_.atoms()[*atom].loop);
    if (!times)
      return false;
    at.emplace_back(*atom, 0);
    for (std::int64_t i = 0; i < *times; ++i) {
      at.back().second = i;
      if (!expand(subscript, at))
        return false;
    }
    return true;
  }
  if (index.overflowed() || !isFixed(index) || named_.size() == mostSubscripts)
    return false;
  const bool always = std::ranges::all_of(subscript.guards, [&](const Guard &guard) {
    return holdsFor(index, variables_.closed(guard.condition), guard.holds, subscript.loop, at);
  });
  named_.push_back({std::move(index), always});
  return true;
}

/// Whether the condition is as it has to be in every lane whose `index` is an element's number.
bool CoverageProof::holdsFor(const Polynomial &index, const ir::ExprPtr &condition, bool holds,
                             const Loop *loop, const Counts &at) {
  if (condition->kind == ir::ExprKind::Unary && condition->op == "!")
    return holdsFor(index, condition->args[0], !holds, loop, at);
  if (condition->kind != ir::ExprKind::Binary)
    return false;
  const ir::ExprPtr &left = condition->args[0];
  const ir::ExprPtr &right = condition->args[1];
  const ir::Operator all = holds ? ir::Operator("&&") : ir::Operator("||");
  const ir::Operator any = holds ? ir::Operator("||") : ir::Operator("&&");
  if (condition->op == all)
    return holdsFor(index, left, holds, loop, at) && holdsFor(index, right, holds, loop, at);
  if (condition->op == any)
    return holdsFor(index, left, holds, loop, at) || holdsFor(index, right, holds, loop, at);
  const bool turned = condition->op == ">" || condition->op == ">=";
  const ir::Operator op = mirrored(condition->op);
  if (op != "<" && op != "<=")
    return false;
  Polynomial difference = builder_.build(right, loop) - builder_.build(left, loop);
  for (const auto &[atom, value] : at)
    difference = difference.with(atom, value);
  if (turned != !holds)
    difference = -difference;
  // a < b: b - a - 1 >= 0; not a < b: a - b >= 0.
  const bool strict = (op == "<") == holds;
  return isNonNegative(difference - Polynomial(strict ? 1 : 0), index);
}

/// Whether `value` is at least 0 in a lane whose `index` is an element's number: it is a constant
/// and up to two numbers that are.
bool CoverageProof::isNonNegative(const Polynomial &value, const Polynomial &index) const {
  const Polynomial one = Polynomial(1);
  const std::vector<Polynomial> known{
      {}, index, size_ - one - index, lane_, lanes_ - one, lanes_ - one - lane_, size_ - one};
  std::vector<Polynomial> zeros{{}};
  for (const Polynomial &each : equalities_) {
    zeros.push_back(each);
    zeros.push_back(-each);
  }
  for (const Polynomial &zero : zeros) {
    for (auto a = known.begin(); a != known.end(); ++a) {
      const Polynomial rest = value - zero - *a;
      if (std::any_of(a, known.end(), [&](const Polynomial &b) { return isAtLeast(rest, b); }))
        return true;
    }
  }
  return false;
}

bool CoverageProof::differsByLane() const {
  return std::ranges::any_of(named_, [&](const Named &each) {
    return std::ranges::any_of(each.index.terms(), [&](const auto &term) {
      return std::ranges::any_of(term.first, [&](Atom factor) {
        const IndexTerm &atom = builder_.atoms()[factor];
        return atom.kind == IndexTerm::Kind::Lane ||
               (atom.expr && variables_.differsByLane(atom.expr));
      });
    });
  });
}

/// Numbers from `from` * lanes on that are named, as many times the lanes as is returned: m * lane +
/// r for r from 0 to m - 1 is m of them, in ascending or descending order of the lanes.
std::int64_t CoverageProof::blocks(const std::vector<Polynomial> &indexes,
                                   std::int64_t from) const {
  auto isNamed = [&](const Polynomial &p) {
    return std::ranges::find(indexes, p) != indexes.end();
  };
  std::int64_t most = 0;
  const Polynomial start = Polynomial(from) * lanes_;
  for (std::int64_t m = 1; from + m <= static_cast<std::int64_t>(indexes.size()); ++m) {
    for (const Polynomial &lane : {lane_, lanes_ - Polynomial(1) - lane_}) {
      bool all = true;
      for (std::int64_t r = 0; r < m && all; ++r)
        all = isNamed(start + Polynomial(m) * lane + Polynomial(r));
      if (all) {
        most = std::max(most, m + blocks(indexes, from + m));
        break;
      }
    }
  }
  return most;
}

std::int64_t CoverageProof::perLane() {
  std::vector<Polynomial> upwards;
  std::vector<Polynomial> downwards;
  for (const Named &each : named_) {
    if (!each.always || std::ranges::find(upwards, each.index) != upwards.end())
      continue;
    upwards.push_back(each.index);
    // Counted from the last element.
    downwards.push_back(size_ - Polynomial(1) - each.index);
  }
  return std::max(blocks(upwards, 0), blocks(downwards, 0));
}

} // namespace tangram::composer
