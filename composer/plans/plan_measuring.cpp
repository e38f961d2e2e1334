#include "composer/plans/plan_measuring.h"

#include <algorithm>
#include <stop_token>

namespace tangram::composer {

PlanMeasuring::PlanMeasuring(const MeasurePlan &measure, unsigned threads) : measure_(measure) {
  for (unsigned i = 1; i < threads; ++i)
    others_.emplace_back([this](const std::stop_token &stop) {
      std::unique_lock lock(lock_);
      while (changed_.wait(lock, stop, [&] { return next() != nullptr; }))
        measureOne(lock);
    });
}

void PlanMeasuring::begin(PlanBatch &batch) {
  const std::lock_guard lock(lock_);
  batch.measures.resize(batch.plans.size());
  begun_.push_back(&batch);
  changed_.notify_all();
}

void PlanMeasuring::finish(PlanBatch &batch) {
  std::unique_lock lock(lock_);
  while (batch.measured < batch.plans.size()) {
    if (next())
      measureOne(lock);
    else
      changed_.wait(lock);
  }
  begun_.pop_front();
  if (failure_)
    std::rethrow_exception(failure_);
}

/// The first batch with a plan that no thread has taken; null: there is none.
PlanBatch *PlanMeasuring::next() const {
  const auto found =
      std::ranges::find_if(begun_, [](const PlanBatch *b) { return b->taken < b->plans.size(); });
  return found == begun_.end() ? nullptr : *found;
}

void PlanMeasuring::measureOne(std::unique_lock<std::mutex> &lock) {
  PlanBatch &batch = *next();
  const std::size_t i = batch.taken++;
  lock.unlock();
  std::exception_ptr failure;
  try {
    batch.measures[i] = measure_(batch.plans[i]);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  if (failure)
    failure_ = failure;
  ++batch.measured;
  changed_.notify_all();
}

} // namespace tangram::composer
