// Overdecomposition: a plan has more parts than workers, as many for each as the machine's model says, and workers take
// them when they have time, so that one that begins late takes fewer:
//
//   before: p = threads     after: p = 8 * threads
//
// Predictions are made before: each worker has one share of the work either way.
#include "codegen/analysis/dealt_parts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

LoweredPlan dealParts(LoweredPlan plan) {
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind != StmtKind::Parallel || s.span == Span::One || plan.role(s.level) != Role::Group ||
        handsOver(s.children[0]))
      return;
    const Tunable *parts = dealtParts(plan, s);
    const std::uint64_t each =
        plan.machine->levels[static_cast<std::size_t>(s.level)].workers.parts;
    if (!parts || each == 1 || !parts->values.empty())
      return;
    auto tunable =
        std::ranges::find_if(plan.tunables, [&](const Tunable &t) { return t.var == parts->var; });
    if (tunable->defaultValue == "threads")
      tunable->defaultValue = std::to_string(each) + " * threads";
  });
  return plan;
}

} // namespace tangram::codegen
