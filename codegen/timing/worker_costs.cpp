#include "codegen/timing/worker_costs.h"

#include "codegen/form/building.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tangram::codegen {

using namespace ir;

void WorkerCosts::work(double count) {
  if (state_.dry)
    return;
  state_.wait(cyclesOf(count));
  const double ofAll = state_.loop.times * state_.loop.longer * state_.active.share() * count *
                       state_.activeItems * state_.launch.groups;
  state_.operations += ofAll;
  if (state_.explains)
    state_.workAt[state_.here] += ofAll;
}

WorkerCosts::Before WorkerCosts::begin() {
  return {state_.waiting, state_.scalar, std::exchange(uneven_, {})};
}

void WorkerCosts::end(const Ended &ended, const Before &before) {
  const Stmt &loop = ended.loop;
  if (loop.lanes > 1)
    asVectors(before);
  else if (!state_.dry && loop.sideBySide && !ended.holdsLanes)
    asElementsInLanes(ended.rounds, before);
  else
    compile(ended, before);
  seeFrom(before.uneven, ended.isShort);
}

void WorkerCosts::endWorkers(const StmtPtr &body, bool areItems, bool unrolled,
                             const Before &before) {
  if (areItems && areVectors(body))
    asVectors(before);
  seeFrom(before.uneven, unrolled);
}

/// What holds of a loop with the one that ended in it, which may be `unrolled`, where `others` holds of the rest.
void WorkerCosts::seeFrom(const Uneven &others, bool unrolled) {
  uneven_ = {others.inner || (unrolled ? uneven_.inner : uneven_.outer),
             others.outer || uneven_.outer};
}

void WorkerCosts::asVectors(const Before &before) {
  for (std::size_t i = 0; !uneven_.inner && !state_.dry && i < state_.waiting.size(); ++i)
    state_.waiting[i] =
        before.waiting[i] + (state_.waiting[i] - before.waiting[i]) / state_.costs.lanes;
}

void WorkerCosts::asVectors(double rounds, const Before &before, const WalkState::OfGroups &done) {
  const double whole = std::floor(rounds / state_.costs.lanes);
  const double left = rounds - whole * state_.costs.lanes;
  const double half = state_.costs.lanes / 2;
  const double pieces = whole + (left >= half ? 1 + (left - half) / 2 : left);
  for (std::size_t i = 0; i < state_.waiting.size(); ++i)
    state_.waiting[i] =
        std::min(state_.waiting[i], before.waiting[i] + done[i] * std::min(1.0, pieces / rounds));
}

void WorkerCosts::asElementsInLanes(double rounds, const Before &before) {
  WalkState::OfGroups done = state_.waiting;
  for (std::size_t i = 0; i < done.size(); ++i)
    done[i] -= before.waiting[i];
  asVectors(rounds, before, done);
}

void WorkerCosts::updateMemory(double times, double lines) {
  state_.launch.atomics +=
      times * state_.costs.atomicSeconds / std::min(lines, state_.costs.atomicsAtOnce);
}

bool hasElementsInLanes(const StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const Stmt &each) { found |= each.sideBySide; });
  return found;
}

} // namespace tangram::codegen
