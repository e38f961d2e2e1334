#include "codegen/timing/walk_state.h"

#include "codegen/form/building.h"

#include <algorithm>
#include <numeric>

namespace tangram::codegen {

using namespace ir;

WalkState::WalkState(const LoweredPlan &kernel, const std::map<const Var *, double> &sizes,
                     bool explain)
    : plan(kernel), costs(kernel.machine->costs), figures(figuresOf(*kernel.machine)),
      itemsAreLoops(kernel.target->itemsAreLoops), explains(explain), values(kernel, sizes),
      data(kernel) {}

std::size_t WalkState::nextPoint() const {
  std::size_t point = Samples::steps;
  for (const Around &each : nest)
    point = std::max(point, each.point + 1);
  return point;
}

Spread WalkState::spreadOf(const Samples &s) const {
  return codegen::spreadOf(s, active, itemDepth > 0, inLaunch);
}

const Buffer *WalkState::bufferOf(const Expr &element) const {
  const ExprPtr &array = element.args[0];
  return array->kind == ExprKind::Var ? plan.bufferOf(array->var) : nullptr;
}

bool WalkState::isOfData(const ExprPtr &e) const {
  return contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::Atomic ||
           (each.kind == ExprKind::Index && !numbers.contains(each.args[0]->var.get())) ||
           (each.kind == ExprKind::Var && ofData.contains(each.var.get()));
  });
}

const Around *WalkState::vectorLoop(const Around *inner) const {
  const auto from = inner ? nest.rbegin() + (&nest.back() - inner) + 1 : nest.rbegin();
  const auto found = std::find_if(from, nest.rend(), [](const Around &each) {
    return !each.unrolled && each.kind == Walk::Kind::Loop;
  });
  return found == nest.rend() ? nullptr : &*found;
}

double WalkState::rowsTogether(const std::function<bool(const Around &)> &shares) const {
  double rows = 1;
  for (const Around &around : nest) {
    if (!shares || shares(around))
      rows *= around.together;
  }
  return rows;
}

double WalkState::meanWait() const {
  return std::accumulate(waiting.begin(), waiting.end(), 0.0) / static_cast<double>(waiting.size());
}

void WalkState::wait(double cycles) {
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    waiting[i] += loop.times * loop.longer * active.groups[i] * cycles;
    scalar[i] += loop.times * loop.longer * active.groups[i] * cycles;
  }
}

} // namespace tangram::codegen
