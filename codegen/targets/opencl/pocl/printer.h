// Kernels that PoCL runs rightly, too: barriers and marks in places where its compiler makes wrong code without (macros.h,
// barriers.h). On other devices they are macros that mean nothing.
#pragma once

#include "codegen/targets/opencl/kernels/opencl_printer.h"

#include <memory>

namespace tangram::codegen {

/// `plan` has been through forPocl (passes.h).
std::unique_ptr<OpenclPrinter> makePoclPrinter(const LoweredPlan &plan, const Launch &launch,
                                               const std::string &name);

/// The macros that the text of the kernels uses.
std::string poclDefinitions(const std::string &kernels);

} // namespace tangram::codegen
