// Lowering: a plan becomes kernel IR.
//
// Lowering walks the plan with a stack of levels. A compute node's codelet is
// inlined; a distributed map becomes a Parallel of the subordinate level, a
// serialized one a loop, devolve a Parallel of one worker. Containers become
// (buffer, index function); results are built directly where their consumer
// wants them. A cooperative codelet is cut into pieces that every lane finishes
// before any lane starts the next wherever a lane could see another's write.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/form/refusal.h"
#include "codegen/lowering/findings.h"
#include "ir/plan.h"

#include <set>
#include <string>
#include <variant>

namespace tangram::codegen {

/// Kernel IR of `plan`, which composes `spectrum` at the machine's top level.
/// `machine` is the one the plan was made for, projected onto `target`; `findings`: of other plans of
/// the program; null: there are none. `without`: what is not done, as the passes that
/// are left out of a pipeline.
std::variant<LoweredPlan, Refusal> lower(const ir::Program &program, const std::string &spectrum,
                                         const ir::PlanPtr &plan, const composer::Machine &machine,
                                         const std::string &target,
                                         std::shared_ptr<Findings> findings = nullptr,
                                         const std::set<std::string> &without = {});

/// Steps of lowering that `without` may name.
inline constexpr const char *resultsInPlaceStep = "results-in-place";

} // namespace tangram::codegen
