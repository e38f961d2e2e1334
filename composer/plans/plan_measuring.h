// Plans that are measured by several threads, some of them at once.
#pragma once

#include "ir/diagnostic.h"
#include "ir/plan.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tangram::composer {

/// What is thought of a plan.
struct PlanMeasure {
  double value = 0;         ///< the less the better
  std::string why;          ///< what it is made of, for people
  std::string refusal = {}; ///< why the plan is not possible; empty: it is
  /// Of what is not possible: the place in a codelet, where there is one.
  ir::SourceLocation at = {};
  std::size_t work =
      0; ///< what the measure took: statements of the code that the plan would become
  /// Refused at all sizes that were asked for, at which nothing else is wrong with it.
  bool isUnserved = false;
};

/// By several threads at once; what it returns depends on the plan alone.
using MeasurePlan = std::function<PlanMeasure(const ir::PlanPtr &)>;

/// Plans that are measured before what is thought of any of them is used.
struct PlanBatch {
  std::vector<ir::PlanPtr> plans = {};
  std::vector<PlanMeasure> measures = {}; ///< of `plans`, once the batch is finished
  std::size_t taken = 0, measured = 0;    ///< so many plans
};

/// Measures batches in the order in which they begin. Who waits for a batch measures, too; and where the next one has
/// begun no thread waits for the last plans of the one before.
class PlanMeasuring {
public:
  PlanMeasuring(const MeasurePlan &measure, unsigned threads);

  /// The batch stays where it is and as it is until it is finished.
  void begin(PlanBatch &batch);
  /// Until the batch, the first of those that began, is measured. Throws what a measure threw.
  void finish(PlanBatch &batch);

private:
  PlanBatch *next() const;
  void measureOne(std::unique_lock<std::mutex> &lock);

  const MeasurePlan &measure_;
  std::mutex lock_;
  std::condition_variable_any changed_;
  std::deque<PlanBatch *> begun_;
  std::exception_ptr failure_;
  std::vector<std::jthread> others_; ///< last: they use all of it
};

} // namespace tangram::composer
