// Runs the passes of the table (codegen/pipeline/pass_table.h) that are for the target of a plan.
#pragma once

#include "codegen/form/forms.h"
#include "codegen/form/kernel_ir.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

/// Names of the passes that can be left out to measure what they are worth.
std::vector<std::string> optionalPasses();

/// Sees the plan as it was lowered, after "lowering", and after each pass that is for its target.
using PassObserver =
    std::function<void(const std::string &pass, const LoweredPlan &plan, Form form)>;

/// The optional pass that adds up the terms of floating-point sums in another order than the source.
inline constexpr const char *reorderingPass = "reordered-sums";

/// `plan` ready for the printer of its target. `without` names optional passes to leave out.
LoweredPlan optimize(LoweredPlan plan, const std::set<std::string> &without = {},
                     const PassObserver &observer = nullptr);

/// As far as tells what the code will do: without the passes that the table says predictions leave out, barriers
/// among them.
LoweredPlan optimizeForPrediction(LoweredPlan plan, const std::set<std::string> &without = {});

} // namespace tangram::codegen
