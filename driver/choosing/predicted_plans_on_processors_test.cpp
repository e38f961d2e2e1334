// Predictions of the library's plans for processors, beside what these were measured to take.
#include "driver/choosing/predicted_plans_fixture.h"

#include <algorithm>

namespace tangram::driver {
namespace {

using namespace fixture;

// Where the host goes round for tiles, its body changes a number: what is carried from tile to tile. All
// rounds count, and no plan reads and writes faster than memory.
TEST(PredictedPlans, NoScanIsFasterThanMemory) {
  const Case scan("scan.cpp", "scan<int>", "cpu", "openmp", {sizes({{"in_size", {16 * million}}})});
  std::size_t plans = 0;
  EXPECT_TRUE(scan.planner(PlanStrategy::Predict)
                  .forEach([&](const RankedPlan &plan) {
                    EXPECT_GT(scan.predicted(plan).seconds(), 2 * 64e6 / 40e9)
                        << composer::linear(plan.steps);
                    return ++plans < 40;
                  })
                  .empty());
  EXPECT_GE(plans, 20U);
}

// Memory limits several plans; a search does not take any of them as the first one. Measured on 16 cores: 37 ms by one thread and 3 ms by
// all; 14 ms where each lane adds up a row, one addition after the other, and 7 ms where lanes share rows.
TEST(PredictedPlans, OneThreadIsNoMatchForAllAndOneSumNoneForLanes) {
  const Case atax("atax.cpp", "atax<float>", "cpu", "openmp",
                  {sizes({{"a_size0", {4096}}, {"a_size1", {4096}}})});
  const double alone =
      atax.predicted(atax.noted("S_P, devolve(T), compute(atax_lanes, VE_T)")).seconds();
  EXPECT_GT(alone, 2 * atax.predicted(atax.first(PlanStrategy::Predict)).seconds());
  const Case gesummv("gesummv.cpp", "gesummv<float>", "cpu", "openmp",
                     {sizes({{"a_size0", {4096}}, {"a_size1", {4096}}})});
  const RankedPlan best = gesummv.first(PlanStrategy::Predict);
  EXPECT_EQ(std::ranges::count(best.steps, "compute(two_dots_lanes, VE_T)"), 1)
      << composer::linear(best.steps);
}

// Chains of a lane are unrolled, vectors are made of lanes: of neighbours in memory where lanes take elements in turns,
// not where each has a part of its own.
TEST(PredictedPlans, VectorsAreMadeOfLanesNotOfTheirChains) {
  const Case sum("reduce.cpp", "sum<int>", "cpu", "openmp", {sizes({{"in_size", {16 * million}}})});
  auto operations = [&](const std::string &partition) {
    return sum
        .predicted(
            sum.noted("select(sum_reduce, P), S_P, devolve(T), S_T, regroup(" + partition +
                      ", T), distribute(V), S_V, regroup(strided, V), distribute(I), "
                      "compute(reduce#1, SE_I), compute(reduce#1, SE_V), compute(tree, VE_T)"))
        .launches.front()
        .operations;
  };
  EXPECT_GT(operations("tiled"), 2 * operations("strided"));
}

// Measured on two cores: 1.1 s where lanes add atomically to the counts of their thread, or all threads to
// one, 0.13 s where each thread counts by itself.
TEST(PredictedPlans, LanesOfACpuAreNoVectorForAtomics) {
  const Case histogram("histogram.cpp", "histogram", "cpu", "openmp",
                       {sizes({{"in_size", {64 * million}}, {"bins_size", {256}}})});
  const RankedPlan best = histogram.first(PlanStrategy::Predict);
  EXPECT_EQ(std::ranges::count(best.steps, "compute(count#1, SE_V)"), 1)
      << composer::linear(best.steps);
  const RankedPlan atomic = histogram.first(PlanStrategy::Predict, {"privatized"});
  EXPECT_GT(histogram.predicted(atomic).seconds(), 2 * histogram.predicted(best).seconds());
}

// Measured on 14 cores, half of 2^20 vertices at the depth of the step: 4 to 6 ms where threads offer distances by atomic
// operations, which change few of them, 8 ms where they look at each edge, 25 ms in one loop.
TEST(PredictedPlans, ThreadsOfferDistancesThatSeldomChange) {
  const Case bfs("bfs.cpp", "bfs", "cpu", "openmp",
                 {sizes({{"targets_size", {6 * million}}, {"before_size", {million}}})});
  const RankedPlan best = bfs.first(PlanStrategy::Predict);
  EXPECT_EQ(std::ranges::count(best.steps, "select(by_vertex, P)"), 1)
      << composer::linear(best.steps);
  const RankedPlan edges = bfs.noted("select(by_edge, P), ...");
  EXPECT_GT(bfs.predicted(edges).seconds(), bfs.predicted(best).seconds());
  const RankedPlan loop = bfs.noted("S_P, devolve(T), S_T, devolve(V), compute(bfs#1, SE_V)");
  EXPECT_GT(bfs.predicted(loop).seconds(), 1.3 * bfs.predicted(best).seconds());
}

TEST(PredictedPlans, OneThreadStepsThroughASmallGraph) {
  const Case bfs("bfs.cpp", "bfs", "cpu", "openmp",
                 {sizes({{"targets_size", {6000}}, {"before_size", {1000}}})});
  const RankedPlan best = bfs.first(PlanStrategy::Predict);
  EXPECT_EQ(std::ranges::count(best.steps, "compute(bfs#1, SE_V)"), 1)
      << composer::linear(best.steps);
}

// The matrix has rows of 8 elements. Measured on one thread: 14 ms where threads take rows one by one, and 1.3
// ms where lanes do.
TEST(PredictedPlans, LoopsOfFewRoundsTakeTimeToBegin) {
  const Case gemv("gemv.cpp", "gemv<float>", "cpu", "openmp",
                  {sizes({{"a_size0", {million / 2}}, {"a_size1", {8}}})});
  const RankedPlan rows = gemv.noted(
      "select(by_row, P), split(P), distribute(T), serialize(T), S_T, regroup(dot_strided, T), "
      "distribute(V), S_V, regroup(dot_strided, V), distribute(I), compute(dot#1, SE_I), "
      "compute(sum#1, SE_V), S_T, devolve(V), select(sum_reduce, V), S_V, regroup(strided, V), "
      "distribute(I), compute(reduce#1, SE_I), compute(reduce#1, SE_V)");
  EXPECT_GT(gemv.predicted(rows).seconds(),
            5 * gemv.predicted(gemv.first(PlanStrategy::Predict)).seconds());
}

// Measured on one thread: 2.1 ms where lanes share tiles, 1.3 ms where a thread does its part in one loop, which is
// several rules away.
TEST(PredictedPlans, AThreadThatDoesItsPartAloneIsFound) {
  const Case gradient("nine.cpp", "gradient<float>", "cpu", "openmp", {});
  const RankedPlan best = gradient.first(PlanStrategy::Predict);
  EXPECT_EQ(composer::linear(best.steps),
            "select(gradient_padded, P), S_P, regroup(nine_parts, P), distribute(T), S_T, "
            "devolve(V), compute(nine_inside#1, SE_V)");
}

// Measured on one thread, of 2048 x 2048 numbers: 22 ms where rows of tiles go to columns one number after the other, 14
// ms where places are found by divisions, 1.7 ms by blocks of vectors.
TEST(PredictedPlans, MatricesAreTransposedByBlocksOfVectors) {
  const Case transpose("transpose.cpp", "transpose<float>", "cpu", "openmp", {});
  const RankedPlan best = transpose.first(PlanStrategy::Predict);
  EXPECT_EQ(best.steps.back(), "compute(copy_matrix#1, SE_V)") << composer::linear(best.steps);
}

// Measured on two cores: 18 ms for a running maximum that threads hand on, 2.2 ms in one loop.
TEST(PredictedPlans, PartsThatBeginWithTheirCarryAreNoFasterThanALoop) {
  const Case dot("ordered.cpp", "ordered_dot<float>", "cpu", "openmp",
                 {sizes({{"x_size", {16 * million}}})});
  const double loop =
      dot.predicted(dot.noted("S_P, devolve(T), S_T, devolve(V), compute(ordered_dot#1, SE_V)"))
          .seconds();
  const RankedPlan chain = dot.noted("S_P, regroup(sliding, P), distribute(T), S_T, devolve(V), "
                                     "compute(ordered_on#1, SE_V)");
  EXPECT_GT(dot.predicted(chain).seconds(), 0.9 * loop);
}

TEST(PredictedPlans, LanesThatTakeAllElementsOfAThreadGoAlongThemOnce) {
  const Case heat("stencil.cpp", "heat<float>", "cpu", "openmp",
                  {sizes({{"in_size", {16 * million}}})});
  const RankedPlan lanes =
      heat.noted("select(heat_padded, P), S_P, regroup(heat_windows, P), split(P), distribute(T), "
                 "distribute(V), compute(heat_at#1, SE_V)");
  const RankedPlan threads =
      heat.noted("select(heat_padded, P), S_P, regroup(heat_windows, P), distribute(T), S_T, "
                 "devolve(V), compute(heat_at#1, SE_V)");
  for (const RankedPlan &plan : {lanes, threads})
    EXPECT_LT(heat.predicted(plan).launches.front().bytes, 1.1 * 2 * 4 * 16 * million)
        << composer::linear(plan.steps);
}

} // namespace
} // namespace tangram::driver
