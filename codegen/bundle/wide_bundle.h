// The plan in wider numbers (codegen/wide/widening.h): a small bundle of its own inside of the plan's, which
// `verify` runs beside it (docs/bundle.md, "In wider numbers").
#pragma once

#include "codegen/bundle/bundle.h"

namespace tangram::codegen {

/// `plan`: what `request` became, as it is printed. No files: nothing in it is floating point. A refusal: no
/// target here has numbers that are wide enough for the plan.
std::variant<BundleFiles, Refusal> makeWideBundle(const BundleRequest &request,
                                                  const LoweredPlan &plan);

} // namespace tangram::codegen
