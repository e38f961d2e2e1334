// A plan as printers take it: lowered, through all passes, and found fit to become a bundle.
#pragma once

#include "codegen/bundle/bundle.h"

#include <cstdint>
#include <map>
#include <string>

namespace tangram::codegen {

/// `forPrediction`: but for where its workers meet, and for passes that memory does not see
/// (codegen/pipeline/pipeline.h).
std::variant<LoweredPlan, Refusal> preparedPlan(const BundleRequest &request, bool forPrediction);

/// Tunables that can have the values get them. After the passes: the code is the one that the values were
/// measured with.
void setDefaults(LoweredPlan &plan, const std::map<std::string, std::uint64_t> &defaults);

} // namespace tangram::codegen
