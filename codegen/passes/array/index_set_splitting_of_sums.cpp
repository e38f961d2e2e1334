// Index-set splitting of sums whose ends depend on the element, as those of a triangular product. The elements of a tile are
// advanced together (loop-interchange), and some rounds are for some elements only. The rounds of all elements become a loop
// of their own without conditions, of which register tiles and vectors can be made.
//
//   before: for (k < n) for (i < rows) for (j < columns) if (K + k >= I + i && K + k <= J + j) c[i][j] += a[i][k] * b[k][j];
//   after:  for (k = some .. all) before   for (k = all .. end) for (i) for (j) c[i][j] += ...;   for (k = end .. none) before
//
//   all = I + rows - 1 - K, where the last row has begun;  end = J + 1 - K, where the first column's sum ends;  some = I - K,
//   none = J + columns - K; each in 0 .. n
//
// A comparison has the sum's number on one side, and numbers that grow with the tile's on the other one. Where the numbers of
// a tile wrap around, all rounds are as they were. For lanes that are loops.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "ir/casts.h"
#include "ir/conjuncts.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The statement that a block, or blocks in it, consist of; null where there are several.
StmtPtr onlyIn(const StmtPtr &s) {
  StmtPtr found;
  for (const StmtPtr &each : withoutBlocks({s})) {
    if (each->kind == StmtKind::Comment)
      continue;
    if (found)
      return nullptr;
    found = each;
  }
  return found;
}

/// for (k) for (i) for (j) if (condition) update;
struct ConditionalSum {
  std::vector<StmtPtr> loops; ///< the sum first, then those over elements
  StmtPtr branch;

  static std::optional<ConditionalSum> of(const StmtPtr &s) {
    ConditionalSum sum;
    StmtPtr inner = onlyIn(s);
    for (; inner && inner->kind == StmtKind::For && counterOf(*inner);
         inner = onlyIn(inner->children[2]))
      sum.loops.push_back(inner);
    const bool isBranch = inner && inner->kind == StmtKind::If && !hasLoop(inner->children[0]) &&
                          (inner->children.size() < 2 || !inner->children[1]);
    if (!isBranch || sum.loops.size() < 2)
      return std::nullopt;
    sum.branch = inner;
    return sum;
  }

  VarPtr summed() const { return counterOf(*loops[0]); }
  ExprPtr rounds() const { return loops[0]->value->args[1]; }
};

/// How often a sum, in casts, has the number as a summand; -1: it is named in something else.
int timesIn(const ExprPtr &e, const Var *number) {
  const ExprPtr &inner = withoutCasts(e);
  if (inner->kind == ExprKind::Var)
    return inner->var.get() == number ? 1 : 0;
  if (inner->kind == ExprKind::Binary && inner->op == "+") {
    const int a = timesIn(inner->args[0], number), b = timesIn(inner->args[1], number);
    return a < 0 || b < 0 ? -1 : a + b;
  }
  return mentions(inner, number) ? -1 : 0;
}

ExprPtr asIndex(const ExprPtr &e) { return cast(Scalar::Index, e); }

/// e clamped to 0 .. most, where e is `above` - `below`.
ExprPtr clamped(const ExprPtr &above, const ExprPtr &below, const ExprPtr &most) {
  const Type index = scalarType(Scalar::Index);
  const ExprPtr difference = algebra::sub(call("max", index, {above, below}), below);
  return call("min", index, {difference, most});
}

/// The rounds of a sum that are some elements', and those that are all elements'.
struct Splits {
  ExprPtr someFrom = intLiteral(0), allFrom = intLiteral(0);
  ExprPtr allEnd, someEnd; ///< null: the last round
  ExprPtr grows;           ///< no number wraps around
};

class Splitter {
public:
  explicit Splitter(const ConditionalSum &sum) : sum_(sum) {}

  /// The condition without what is split off; null: nothing is.
  std::optional<std::vector<ExprPtr>> split() {
    const std::vector<ExprPtr> conditions = conjunctsOf(sum_.branch->value);
    std::vector<ExprPtr> left;
    for (const ExprPtr &each : conditions) {
      if (!take(each))
        left.push_back(each);
    }
    return left.size() < conditions.size() ? std::optional(left) : std::nullopt;
  }

  Splits splits;

private:
  /// `e` in the first or the last of all rounds of the loops.
  ExprPtr at(const ExprPtr &e, bool last) const {
    Substitution corner;
    for (const StmtPtr &loop : sum_.loops) {
      const VarPtr number = counterOf(*loop);
      const ExprPtr end = loop->value->args[1];
      corner[number.get()] =
          last ? cast(number->type.scalar, algebra::sub(asIndex(end), intLiteral(1)))
               : intLiteral(0);
    }
    return algebra::simplify(substitute(e, corner));
  }

  bool grows(const ExprPtr &e) const {
    if (!isInteger(e->type.scalar))
      return false;
    return std::ranges::all_of(sum_.loops, [&](const StmtPtr &loop) {
      const int times = timesIn(e, counterOf(*loop).get());
      return times == 0 || times == 1;
    });
  }

  /// The comparison that holds with its sides exchanged.
  static Operator mirrored(Operator op) {
    if (op == "<")
      return ">";
    if (op == ">")
      return "<";
    return op == "<=" ? Operator(">=") : Operator("<=");
  }

  bool take(const ExprPtr &condition) {
    if (condition->kind != ExprKind::Binary || !condition->op.isComparison() ||
        condition->op == "==" || condition->op == "!=")
      return false;
    ExprPtr left = condition->args[0], right = condition->args[1];
    Operator op = condition->op;
    if (timesIn(left, sum_.summed().get()) == 0) {
      std::swap(left, right);
      op = mirrored(op);
    }
    if (timesIn(left, sum_.summed().get()) != 1 || timesIn(right, sum_.summed().get()) != 0 ||
        !grows(left) || !grows(right))
      return false;
    for (const StmtPtr &loop : sum_.loops) {
      if (loop != sum_.loops[0] && timesIn(left, counterOf(*loop).get()) != 0)
        return false;
    }
    const ExprPtr base = asIndex(at(left, false));
    const ExprPtr least = asIndex(at(right, false)), most = asIndex(at(right, true));
    const auto also = [](const ExprPtr &a, const ExprPtr &b) { return a ? binary("&&", a, b) : b; };
    splits.grows = also(splits.grows, binary("<=", base, asIndex(at(left, true))));
    splits.grows = also(splits.grows, binary("<=", least, most));
    const Type index = scalarType(Scalar::Index);
    const bool strict = op == "<" || op == ">";
    const ExprPtr rounds = asIndex(sum_.rounds());
    const ExprPtr one = intLiteral(1);
    if (op == ">" || op == ">=") { // k >= right - base
      const auto from = [&](const ExprPtr &side) {
        return clamped(strict ? algebra::add(side, one) : side, base, rounds);
      };
      splits.someFrom = call("max", index, {splits.someFrom, from(least)});
      splits.allFrom = call("max", index, {splits.allFrom, from(most)});
    } else { // k < right - base (+ 1)
      const auto end = [&](const ExprPtr &side) {
        return clamped(strict ? side : algebra::add(side, one), base, rounds);
      };
      const auto least_ = [&](const ExprPtr &a, const ExprPtr &b) {
        return a ? call("min", index, {a, b}) : b;
      };
      splits.allEnd = least_(splits.allEnd, end(least));
      splits.someEnd = least_(splits.someEnd, end(most));
    }
    return true;
  }

  const ConditionalSum &sum_;
};

/// The loops of a sum from a round on up to another one, around `body`.
StmtPtr roundsOf(const ConditionalSum &sum, const VarPtr &from, const VarPtr &end, StmtPtr body) {
  for (std::size_t k = sum.loops.size(); k-- > 1;)
    body = withChildren(sum.loops[k], {sum.loops[k]->children[0], sum.loops[k]->children[1],
                                       body->kind == StmtKind::Block ? body : block({body})});
  const VarPtr number = sum.summed();
  // From 0 on, as loops over tiles are.
  const VarPtr round = newVariable(number->name);
  const ExprPtr there = cast(number->type.scalar, algebra::add(varRef(from), varRef(round)));
  const ExprPtr count = algebra::sub(
      call("max", scalarType(Scalar::Index), {varRef(end), varRef(from)}), varRef(from));
  const VarPtr length = newVariable(number->name + "_len");
  return block(
      {declare(length, count),
       countingLoop(round, varRef(length), substitute(block({body}), {{number.get(), there}}))});
}

/// `windows` around the rounds of all elements, with those of some before and behind.
StmtPtr inParts(const ConditionalSum &sum, const Splits &splits, const std::vector<ExprPtr> &left,
                const std::function<StmtPtr(const StmtPtr &)> &inWindows) {
  const Type index = scalarType(Scalar::Index);
  const ExprPtr rounds = asIndex(sum.rounds());
  const std::string name = sum.summed()->name;
  const VarPtr grows = newVariable(name + "_grows", Scalar::Bool);
  const VarPtr someFrom = newVariable(name + "_some"), allFrom = newVariable(name + "_all");
  const VarPtr allEnd = newVariable(name + "_all_end"), someEnd = newVariable(name + "_end");
  const auto where = [&](const ExprPtr &e, const ExprPtr &otherwise) {
    return select(varRef(grows), e, otherwise);
  };
  std::vector<StmtPtr> all{declare(grows, splits.grows)};
  all.push_back(declare(someFrom, where(splits.someFrom, intLiteral(0))));
  all.push_back(declare(
      someEnd, call("max", index,
                    {where(splits.someEnd ? splits.someEnd : rounds, rounds), varRef(someFrom)})));
  const auto between = [&](const ExprPtr &e, const VarPtr &from) {
    return call("min", index, {call("max", index, {e, varRef(from)}), varRef(someEnd)});
  };
  all.push_back(declare(allFrom, between(where(splits.allFrom, rounds), someFrom)));
  all.push_back(
      declare(allEnd, between(where(splits.allEnd ? splits.allEnd : rounds, rounds), allFrom)));
  const auto part = [&](const VarPtr &from, const VarPtr &end, const StmtPtr &body) {
    all.push_back(ifThen(binary("<", varRef(from), varRef(end)),
                         block({withOwnVariables(inWindows(roundsOf(sum, from, end, body)))})));
  };
  StmtPtr plain = sum.branch->children[0];
  if (!left.empty()) {
    ExprPtr rest = left[0];
    for (std::size_t k = 1; k < left.size(); ++k)
      rest = binary("&&", rest, left[k]);
    plain = ifThen(rest, plain);
  }
  part(someFrom, allFrom, sum.branch);
  part(allFrom, allEnd, plain);
  part(allEnd, someEnd, sum.branch);
  return block(std::move(all));
}

} // namespace

LoweredPlan splitSums(LoweredPlan plan) {
  const std::function<StmtPtr(const StmtPtr &)> run = [&](const StmtPtr &s) -> StmtPtr {
    if (!s)
      return s;
    if (s->kind == StmtKind::Window) {
      std::vector<StmtPtr> chain{s};
      while (chain.back()->children[0]->kind == StmtKind::Window)
        chain.push_back(chain.back()->children[0]);
      if (const auto sum = ConditionalSum::of(chain.back()->children[0])) {
        Splitter splitter(*sum);
        if (const auto left = splitter.split())
          return inParts(*sum, splitter.splits, *left, [&](StmtPtr body) {
            for (auto each = chain.rbegin(); each != chain.rend(); ++each)
              body = withChildren(*each, {body});
            return body;
          });
      }
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(run(child));
    return withChildren(s, std::move(children));
  };
  plan.body = run(plan.body);
  return plan;
}

LoweredPlan takeSumsWhole(LoweredPlan plan) {
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Window)
      return s;
    const auto sum = ConditionalSum::of(s->children[0]);
    if (!sum || !Splitter(*sum).split())
      return s;
    return rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
      return each.get() == sum->branch.get() ? each->children[0] : each;
    });
  });
  return plan;
}

} // namespace tangram::codegen
