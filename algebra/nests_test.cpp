// The analysis of the nests that everybody writes.
#include "algebra/nests.h"

#include "algebra/expression_fixture.h"

#include <gtest/gtest.h>

namespace tangram::algebra {
namespace {

using fixture::addTo;
using fixture::E;
using fixture::let;
using fixture::set;
using fixture::upTo;
using fixture::variable;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtPtr;

/// A container that is a parameter.
struct Container {
  ir::VarPtr var;

  Container(const std::string &name, unsigned rank) {
    auto made = std::make_shared<ir::Var>();
    made->name = name;
    made->type = {ir::Scalar::I32, rank, 0, false, 1};
    made->kind = ir::VarKind::Param;
    var = made;
  }
  E at(std::vector<E> subscripts) const {
    std::vector<ExprPtr> args{ir::varRef(var)};
    for (const E &each : subscripts)
      args.push_back(each.e);
    return E(ir::node(ExprKind::Index, ir::scalarType(ir::Scalar::I32), args));
  }
  E size(unsigned d = 0) const {
    return E(
        ir::node(ExprKind::Size, ir::scalarType(ir::Scalar::Index), {ir::varRef(var)}, {}, {}, d));
  }
};

/// The nest of a codelet that lives as long as the tests: a nest refers to it.
Nest nestOfBody(std::vector<StmtPtr> body, std::vector<ir::VarPtr> params) {
  static std::vector<std::unique_ptr<ir::Codelet>> all;
  ir::Codelet &codelet = *all.emplace_back(std::make_unique<ir::Codelet>());
  codelet.spectrum = "f";
  codelet.params = std::move(params);
  codelet.body = ir::block(std::move(body));
  auto nest = nestOf(codelet);
  if (const auto *why = std::get_if<NestReason>(&nest)) {
    ADD_FAILURE() << why->text;
    return {};
  }
  return std::move(std::get<Nest>(nest));
}

/// "i j | k": the loops that are apart, and the others.
std::string apart(const Nest &nest) {
  std::string yes, no;
  for (int loop = 0; loop < static_cast<int>(nest.loops.size()); ++loop) {
    std::string &list = whyNotApart(nest, loop, false) ? no : yes;
    list += nest.loops[static_cast<std::size_t>(loop)].counter->name + " ";
  }
  return yes + "| " + no;
}

const E i = variable("i"), j = variable("j"), k = variable("k"), s = variable("s", ir::Scalar::I32);

TEST(Nests, RowsAndColumnsOfAProductAreApartAndItsSumIsNot) {
  const Container a("a", 2), b("b", 2), c("c", 2);
  const Nest nest = nestOfBody(
      {upTo(i, c.size(0),
            {upTo(j, c.size(1),
                  {let(s, 0), upTo(k, a.size(1), {addTo(s, a.at({i, k}) * b.at({k, j}))}),
                   set(c.at({i, j}), s)})})},
      {a.var, b.var, c.var});
  EXPECT_EQ(apart(nest), "i j | k ");
  ASSERT_EQ(nest.loops.size(), 3U);
  EXPECT_EQ(nest.loops[2].around, 1);
  EXPECT_TRUE(nest.loops[0].first.isZero());
  EXPECT_EQ(nest.accesses.size(), 3U);
}

TEST(Nests, AProductThatAddsToItsResultsIsCutAlongTheSame) {
  const Container a("a", 2), b("b", 2), c("c", 2);
  const Nest nest = nestOfBody(
      {upTo(i, c.size(0),
            {upTo(k, a.size(1),
                  {upTo(j, c.size(1), {addTo(c.at({i, j}), a.at({i, k}) * b.at({k, j}))})})})},
      {a.var, b.var, c.var});
  EXPECT_EQ(apart(nest), "i j | k ");
}

TEST(Nests, APrefixSumIsNotCut) {
  const Container a("a", 1), b("b", 1);
  const Nest nest = nestOfBody(
      {let(s, 0), upTo(i, a.size(), {addTo(s, a.at({i})), set(b.at({i}), s)})}, {a.var, b.var});
  EXPECT_EQ(apart(nest), "| i ");
  EXPECT_EQ(whyNotApart(nest, 0, false)->text,
            "the rounds of loop i change 's' one after the other");
}

TEST(Nests, WhatOneRoundReadsOfAnotherKeepsThemTogether) {
  const Container a("a", 1);
  const Nest nest = nestOfBody({upTo(i, a.size(), {set(a.at({i + 1}), a.at({i}))})}, {a.var});
  EXPECT_EQ(whyNotApart(nest, 0, false)->text,
            "the rounds of loop i write 'a[i + 1]': not apart from 'a[i]'");
}

TEST(Nests, ResultsThatAreWrittenTwiceKeepRoundsTogether) {
  const Container a("a", 2), b("b", 1);
  const Nest nest = nestOfBody(
      {upTo(i, a.size(0), {upTo(j, a.size(1), {set(b.at({j}), a.at({i, j}))})})}, {a.var, b.var});
  EXPECT_EQ(apart(nest), "j | i ");
  EXPECT_EQ(whyNotApart(nest, 0, false)->text, "the rounds of loop i write 'b[j]': not apart");
}

TEST(Nests, ADiagonalIsNoBoxButItsRoundsAreIndependent) {
  const Container a("a", 2), b("b", 1);
  const Nest nest =
      nestOfBody({upTo(i, a.size(0), {upTo(j, a.size(1), {set(b.at({i + j}), a.at({i, j}))})})},
                 {a.var, b.var});
  EXPECT_EQ(apart(nest), "| i j ");
  EXPECT_FALSE(whyNotApart(nest, 1, true));
  EXPECT_TRUE(whyNotApart(nest, 0, true));
}

TEST(Nests, NamesOfPlacesAreLookedThrough) {
  const Container a("a", 1), b("b", 1);
  const E at = variable("at");
  const Nest nest = nestOfBody(
      {upTo(i, b.size(), {let(at, i * 2 + 1), set(b.at({i}), a.at({at}))})}, {a.var, b.var});
  EXPECT_EQ(apart(nest), "i | ");
  ASSERT_EQ(nest.accesses.size(), 2U);
  EXPECT_TRUE(nest.accesses[0].place[0].has_value());
  EXPECT_EQ(nest.names.size(), 1U);
}

TEST(Nests, WhatDataSayIsOpaque) {
  const Container a("a", 1), order("order", 1);
  const Nest scatter =
      nestOfBody({upTo(i, a.size(), {set(a.at({order.at({i})}), i)})}, {a.var, order.var});
  EXPECT_EQ(apart(scatter), "| i ");
  const Nest gather = nestOfBody(
      {upTo(i, order.size(), {set(order.at({i}), a.at({order.at({i})}))})}, {a.var, order.var});
  EXPECT_EQ(apart(gather), "i | ");
}

TEST(Nests, ATriangleHasRowsOfDifferentLengths) {
  const Container a("a", 2);
  const Nest nest =
      nestOfBody({upTo(i, a.size(0), {upTo(j, i + 1, {set(a.at({i, j}), 0)})})}, {a.var});
  EXPECT_EQ(apart(nest), "i j | ");
  EXPECT_FALSE(nest.loops[0].endDependsOnCounters);
  EXPECT_TRUE(nest.loops[1].endDependsOnCounters);
}

TEST(Nests, ALoopThatIsLeftEarlyIsNotCut) {
  const Container a("a", 1);
  const Nest nest = nestOfBody(
      {upTo(i, a.size(),
            {fixture::when(a.at({i}) < 0, {ir::jump(ir::StmtKind::Break)}), set(a.at({i}), 1)})},
      {a.var});
  EXPECT_EQ(whyNotApart(nest, 0, false)->text, "loop i ends when something in it says so");
}

/// for (x = first; x < end; ++x)
StmtPtr between(const E &x, const E &first, const E &end, std::vector<StmtPtr> body) {
  return ir::forLoop(let(x, first), (x < end).e, addTo(x, 1), ir::block(std::move(body)));
}

/// "i j": the loops whose rounds are independent in equal rounds of the loops around them.
std::string independent(const Nest &nest) {
  std::string yes;
  for (int loop = 0; loop < static_cast<int>(nest.loops.size()); ++loop) {
    if (!whyNotApart(nest, loop, true))
      yes += nest.loops[static_cast<std::size_t>(loop)].counter->name + " ";
  }
  return yes;
}

TEST(Nests, RowsBelowAPivotAreOthersThanItsOwn) {
  const Container a("a", 2);
  const auto eliminate = [&](const E &first) {
    return nestOfBody(
        {upTo(
            k, a.size(0),
            {between(i, first, a.size(0),
                     {between(j, first, a.size(0),
                              {set(a.at({i, j}), a.at({i, j}) - a.at({i, k}) * a.at({k, j}))})})})},
        {a.var});
  };
  EXPECT_EQ(independent(eliminate(k + 1)), "i j ");
  EXPECT_EQ(independent(eliminate(k)), "");
}

TEST(Nests, AStepReadsTheRowBeforeIt) {
  const Container a("a", 2);
  const Nest nest = nestOfBody(
      {upTo(k, a.size(0) - 1, {upTo(i, a.size(1) - 1, {set(a.at({k + 1, i}), a.at({k, i + 1}))})})},
      {a.var});
  EXPECT_EQ(independent(nest), "i ");
}

TEST(Nests, AMirroredTriangleIsApart) {
  const Container a("a", 2);
  const auto mirrored = [&](const E &first) {
    return nestOfBody(
        {upTo(i, a.size(0), {between(j, first, a.size(0), {set(a.at({j, i}), a.at({i, j}))})})},
        {a.var});
  };
  EXPECT_EQ(apart(mirrored(i + 1)), "i j | ");
  EXPECT_EQ(apart(mirrored(E(0))), "| i j ");
}

TEST(Nests, RowsOfAFlattenedContainerAreApartWhereColumnsEndBeforeTheNext) {
  const Container a("a", 1);
  const E n = variable("n", ir::Scalar::Index, ir::VarKind::Param);
  const auto flat = [&](const E &columns) {
    return nestOfBody({upTo(i, variable("m", ir::Scalar::Index, ir::VarKind::Param),
                            {upTo(j, columns, {set(a.at({i * n + j}), a.at({i * n + j}) + 1)})})},
                      {a.var, n.var()});
  };
  EXPECT_EQ(apart(flat(n)), "i | j ");
  EXPECT_EQ(independent(flat(n)), "i j ");
  EXPECT_EQ(apart(flat(n + 1)), "| i j ");
}

TEST(Nests, BoundsOfALoopSayNothingOutsideOfIt) {
  const Container a("a", 1);
  // In the last round of k there is no i, and a[k] may be a[end - 1].
  const Nest nest = nestOfBody(
      {upTo(k, a.size(),
            {set(a.at({a.size() - 1}), a.at({k})), between(i, k + 1, a.size(), {let(s, 0)})})},
      {a.var});
  EXPECT_EQ(independent(nest).find('k'), std::string::npos);
}

TEST(Nests, ContinueIsAConditionOfWhatFollowsInTheBody) {
  const Container a("a", 1), b("b", 1), c("c", 1);
  const StmtPtr skip = ir::ifThen((j > 3).e, ir::block({ir::jump(ir::StmtKind::Continue)}));
  const Nest nest = nestOfBody(
      {upTo(i, a.size(),
            {upTo(j, E(5), {set(a.at({i}), 1), skip, set(b.at({i + j}), 1)}), set(c.at({i}), 1)})},
      {a.var, b.var, c.var});
  ASSERT_EQ(nest.accesses.size(), 3U);
  EXPECT_EQ(nest.accesses[0].conditions.size(), 0U);
  EXPECT_EQ(nest.accesses[1].conditions.size(), 1U);
  EXPECT_EQ(nest.accesses[2].conditions.size(), 0U);
}

TEST(Nests, ALoopMayCountDown) {
  const Container a("a", 2);
  const StmtPtr down =
      ir::forLoop(let(j, a.size(1) - 1), (j > 0).e, ir::assign(j.e, "-=", ir::intLiteral(1)),
                  ir::block({set(a.at({i, j}), a.at({i, j - 1}))}));
  const Nest nest = nestOfBody({upTo(i, a.size(0), {down})}, {a.var});
  EXPECT_EQ(apart(nest), "i | j ");
  ASSERT_EQ(nest.loops.size(), 2U);
  EXPECT_TRUE(nest.loops[1].countsDown);
  EXPECT_EQ(nest.loops[1].first.literal(), 1);
}

/// atomicAdd(element, value), whose value nothing uses.
StmtPtr atomic(ir::Operator op, const E &element, const E &value) {
  auto made = std::make_shared<ir::Expr>(
      *ir::node(ExprKind::Atomic, ir::scalarType(ir::Scalar::I32), {element.e, value.e}));
  made->op = op;
  return ir::eval(made);
}

TEST(Nests, AtomicOperationsThatCommuteMayMeet) {
  const Container x("x", 1), counts("counts", 1);
  const auto nest = [&](const std::vector<StmtPtr> &round) {
    return nestOfBody({upTo(i, x.size(), round)}, {x.var, counts.var});
  };
  const E bin = counts.at({x.at({i})});
  EXPECT_EQ(apart(nest({atomic("add", bin, E(1))})), "i | ");
  EXPECT_EQ(apart(nest({atomic("max", bin, i)})), "i | ");
  EXPECT_EQ(apart(nest({atomic("exchange", bin, E(1))})), "i | ");
  EXPECT_EQ(apart(nest({atomic("exchange", bin, i)})), "| i ");
  EXPECT_EQ(apart(nest({atomic("add", bin, E(1)), atomic("max", bin, E(1))})), "| i ");
  EXPECT_EQ(apart(nest({atomic("add", bin, bin)})), "| i ");
}

TEST(Nests, StoresWhosePlacesDataTellKeepTheirOrder) {
  const Container x("x", 1), y("y", 1);
  const Nest nest = nestOfBody({upTo(i, x.size(), {set(y.at({x.at({i})}), i)})}, {x.var, y.var});
  EXPECT_EQ(whyNotApart(nest, 0, false)->text,
            "the rounds of loop i write 'y[x[i]]': not apart, and of two that name one element the "
            "last one counts");
}

} // namespace
} // namespace tangram::algebra
