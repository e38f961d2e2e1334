#include "runtime/data/moved_inputs.h"

#include "runtime/data/elements.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>

namespace tangram::runtime {
namespace {

template <class T> HostMemory memoryOf(const std::vector<T> &values) {
  HostMemory memory(values.size() * sizeof(T));
  std::memcpy(memory.data(), values.data(), memory.bytes());
  return memory;
}

template <class T>
std::vector<T> movedBy(std::vector<T> values, ir::Scalar element, const Move &move) {
  HostMemory memory = memoryOf(values);
  moveByUlps(element, memory, move);
  std::memcpy(values.data(), memory.data(), memory.bytes());
  return values;
}

TEST(MovedInputs, EachNumberGoesToANeighbour) {
  const std::vector<float> before{1, -1, 0.1F, 1e-45F, FLT_MAX, FLT_MIN, 1000, -3};
  bool up = false, down = false;
  for (unsigned number = 1; number < 20; ++number) {
    const std::vector<float> after = movedBy(before, ir::Scalar::F32, {.number = number});
    for (std::size_t i = 0; i < before.size(); ++i) {
      const bool above = after[i] == std::nextafter(before[i], INFINITY);
      EXPECT_TRUE(above || after[i] == std::nextafter(before[i], -INFINITY))
          << before[i] << " " << after[i];
      EXPECT_TRUE(std::isfinite(after[i]) && after[i] != 0) << before[i];
      up = up || (i == 2 && above);
      down = down || (i == 2 && !above);
    }
    EXPECT_EQ(after[0], -after[1]); // opposite numbers stay opposite
    EXPECT_EQ(movedBy(before, ir::Scalar::F32, {.number = number}), after);
  }
  EXPECT_TRUE(up && down);
}

TEST(MovedInputs, WhatIsNoOrdinaryNumberStays) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> after =
      movedBy<double>({0., -0., INFINITY, -INFINITY, nan}, ir::Scalar::F64, {.number = 3});
  EXPECT_EQ(after[0], 0);
  EXPECT_TRUE(std::signbit(after[1]));
  EXPECT_EQ(after[2], INFINITY);
  EXPECT_EQ(after[3], -INFINITY);
  EXPECT_TRUE(std::isnan(after[4]));
  EXPECT_EQ(movedBy<int>({1, 2, 1000}, ir::Scalar::I32, {.number = 3}),
            (std::vector<int>{1, 2, 1000}));
}

TEST(MovedInputs, EqualNumbersStayEqual) {
  const std::vector<double> after =
      movedBy<double>({0.3, 7, 0.3, 0.3}, ir::Scalar::F64, {.number = 5, .ulps = 64});
  EXPECT_EQ(after[0], after[2]);
  EXPECT_EQ(after[0], after[3]);
  EXPECT_NE(after[0], 0.3);
  EXPECT_LE(std::abs(after[0] - 0.3), 65 * 0x1p-54);
}

/// A container of float that is read and written, one that is written, indexes, and a scalar.
Problem problemOfAllKinds() {
  Problem problem;
  problem.signature.parameters = {{"x", true, ir::Scalar::F32, Access::InOut, {"n"}},
                                  {"y", true, ir::Scalar::F32, Access::Out, {"n"}},
                                  {"k", true, ir::Scalar::I32, Access::In, {"n"}},
                                  {"a", false, ir::Scalar::F32, Access::In, {}}};
  problem.extents = {{"n", 2}};
  problem.arguments.push_back({ir::Scalar::F32, {2}, memoryOf<float>({0.1F, -2})});
  problem.arguments.push_back({ir::Scalar::F32, {2}, HostMemory()});
  problem.arguments.push_back({ir::Scalar::I32, {2}, memoryOf<int>({3, 4})});
  problem.arguments.push_back({ir::Scalar::F32, {}, memoryOf<float>({0.7F})});
  problem.filled = true;
  return problem;
}

TEST(MovedInputs, WiderNumbersKeepTheirValues) {
  const Problem problem = problemOfAllKinds();
  Signature wide = problem.signature;
  for (ir::Scalar element : {ir::Scalar::F64, ir::Scalar::F128}) {
    for (std::size_t i : {0, 1, 3})
      wide.parameters[i].element = element;
    const Problem made = widened(problem, wide, {});
    const Elements x(element, made.arguments[0].memory), a(element, made.arguments[3].memory);
    EXPECT_EQ(x[0], static_cast<long double>(0.1F));
    EXPECT_EQ(x[1], -2);
    EXPECT_EQ(a[0], static_cast<long double>(0.7F));
    EXPECT_EQ(made.arguments[1].memory.bytes(), 0U);
    EXPECT_EQ(made.arguments[1].shape, (std::vector<std::uint64_t>{2}));
    EXPECT_EQ(Elements(ir::Scalar::I32, made.arguments[2].memory)[1], 4);
    const Problem moved = widened(problem, wide, {.number = 1, .byWideUlps = true});
    const Elements xMoved(element, moved.arguments[0].memory);
    EXPECT_NE(xMoved.minus(x, 1), 0);
    EXPECT_LT(xMoved.distance(x, 1), element == ir::Scalar::F64 ? 1e-15L : 1e-33L);
  }
}

TEST(MovedInputs, NumbersThatAreNoWiderAreNotMovedByWideUlps) {
  const Problem problem = problemOfAllKinds();
  const Problem made = widened(problem, problem.signature, {.number = 1, .byWideUlps = true});
  EXPECT_EQ(Elements(ir::Scalar::F32, made.arguments[0].memory)[0], 0.1F);
  const Problem other = moved(problem, {.number = 1});
  EXPECT_NE(Elements(ir::Scalar::F32, other.arguments[0].memory)[0], 0.1F);
}

TEST(MovedInputs, FactsAreThoseOfInputs) {
  Problem problem = problemOfAllKinds();
  InputFacts facts = factsOf(problem);
  EXPECT_FALSE(facts.areEmpty || facts.notFinite);
  EXPECT_EQ(facts.coarsest, ir::Scalar::F32);
  problem.arguments[0].memory = memoryOf<float>({INFINITY, 1});
  EXPECT_TRUE(factsOf(problem).notFinite);
  problem.arguments[0] = {ir::Scalar::F32, {0}, HostMemory()};
  problem.arguments[2] = {ir::Scalar::I32, {0}, HostMemory()};
  EXPECT_TRUE(factsOf(problem).areEmpty);
}

} // namespace
} // namespace tangram::runtime
