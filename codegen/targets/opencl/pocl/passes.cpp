#include "codegen/targets/opencl/pocl/passes.h"

#include "codegen/passes/kernel/passes.h"

#include <utility>

namespace tangram::codegen {

LoweredPlan forPocl(LoweredPlan plan) {
  plan = separateBranches(addBarriersAfterRounds(std::move(plan)));
  // Structured rounds have branches again.
  plan = separateBranches(structureRounds(moveBarriersBeforeBranches(std::move(plan))));
  return removeDeadCode(tidyDeclarations(std::move(plan)));
}

} // namespace tangram::codegen
