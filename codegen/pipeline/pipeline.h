// The passes a target runs, in order.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/form/verifier.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

/// Names of the passes that can be left out to measure what they are worth.
std::vector<std::string> optionalPasses();

/// Sees the plan as it was lowered, after "lowering", and after each pass; the stage says in which form it is.
using PassObserver =
    std::function<void(const std::string &pass, const LoweredPlan &plan, const VerifierStage &)>;

/// `plan` ready for the printer of its target. `without` names optional passes to leave out.
LoweredPlan optimize(LoweredPlan plan, const std::set<std::string> &without = {},
                     const PassObserver &observer = nullptr);

/// As far as tells what the code will do, but not yet where its workers meet: to prove where they need
/// not takes longer than all other passes.
LoweredPlan optimizeForPrediction(LoweredPlan plan, const std::set<std::string> &without = {});

} // namespace tangram::codegen
