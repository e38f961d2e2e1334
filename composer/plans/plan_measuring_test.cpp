#include "composer/plans/plan_measuring.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace tangram::composer {
namespace {

/// So many plans, whose level is their number from `first` on.
PlanBatch batchOf(int first, int count) {
  PlanBatch batch;
  for (int i = 0; i < count; ++i) {
    auto plan = std::make_shared<ir::PlanNode>();
    plan->level = first + i;
    batch.plans.push_back(plan);
  }
  return batch;
}

double numberOf(const ir::PlanPtr &plan) { return plan->level; }

TEST(PlanMeasuring, GivesEveryPlanItsMeasureWhateverTheNumberOfThreads) {
  for (unsigned threads : {1U, 2U, 5U}) {
    const MeasurePlan measure = [](const ir::PlanPtr &plan) {
      return PlanMeasure{numberOf(plan), ""};
    };
    PlanMeasuring measuring(measure, threads);
    PlanBatch first = batchOf(0, 7);
    PlanBatch none;
    PlanBatch second = batchOf(100, 3);
    measuring.begin(first);
    measuring.begin(none);
    measuring.begin(second);
    for (PlanBatch *batch : {&first, &none, &second}) {
      measuring.finish(*batch);
      for (std::size_t i = 0; i < batch->plans.size(); ++i)
        EXPECT_EQ(batch->measures[i].value, numberOf(batch->plans[i]));
    }
  }
}

TEST(PlanMeasuring, OneThreadMeasuresNothingOfTheNextBatch) {
  int measured = 0;
  const MeasurePlan measure = [&](const ir::PlanPtr &) {
    return PlanMeasure{static_cast<double>(++measured), ""};
  };
  PlanMeasuring measuring(measure, 1);
  PlanBatch first = batchOf(0, 2);
  PlanBatch second = batchOf(2, 2);
  measuring.begin(first);
  measuring.begin(second);
  measuring.finish(first);
  EXPECT_EQ(measured, 2);
  measuring.finish(second);
  EXPECT_EQ(measured, 4);
}

TEST(PlanMeasuring, WhoWaitsIsThrownWhatAMeasureThrew) {
  for (unsigned threads : {1U, 3U}) {
    const MeasurePlan measure = [](const ir::PlanPtr &plan) -> PlanMeasure {
      if (numberOf(plan) == 2)
        throw std::runtime_error("no measure");
      return {};
    };
    PlanMeasuring measuring(measure, threads);
    PlanBatch batch = batchOf(0, 4);
    measuring.begin(batch);
    EXPECT_THROW(measuring.finish(batch), std::runtime_error);
  }
}

} // namespace
} // namespace tangram::composer
