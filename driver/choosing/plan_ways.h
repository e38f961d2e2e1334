// How plans of different machines correspond: by what they do, not by what levels are called. Levels that are equally
// far below the top have the same role: grid and process, block and thread, thread and vector unit.
#pragma once

#include "composer/machine/machine.h"
#include "composer/plans/plan_parts.h"
#include "ir/plan.h"
#include "ir/program.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace tangram::driver {

/// Whether both machines start from the same level ("G" of all GPUs): their levels then correspond by name, else by role.
bool sameKind(const composer::Machine &a, const composer::Machine &b);

/// Name of the level of `to` that corresponds to each level of `from`; levels without a counterpart are left out.
std::map<std::string, std::string> correspondingLevels(const composer::Machine &from,
                                                       const composer::Machine &to);

/// The plan of `to` that does what `plan` does on `from`, or why `to` cannot have it.
std::variant<ir::PlanPtr, std::string> correspondingPlan(const ir::PlanPtr &plan,
                                                         const ir::Program &program,
                                                         const composer::Machine &from,
                                                         const composer::Machine &to);

/// Which codelet is at the top, to which roles maps are distributed, and which codelets compute: what plans of
/// different machines have in common. `outline` is of a plan of `machine`.
std::string wayOf(const composer::PlanOutline &outline, const composer::Machine &machine);

/// The levels of `outline`, a plan of machine number `of`, as all `machines` call them: "B/T", "T/V".
std::vector<std::string> levelsOnAll(const composer::PlanOutline &outline, std::size_t of,
                                     const std::vector<const composer::Machine *> &machines);

} // namespace tangram::driver
