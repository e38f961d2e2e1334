// A plan as OpenCL: kernels, and a host in C around them.
#pragma once

#include "codegen/printing/dispatch.h"
#include "codegen/printing/source.h"

#include <string>
#include <variant>
#include <vector>

namespace tangram::codegen {

struct OpenclSource {
  std::string text;
  /// The same kernels written so that PoCL runs them rightly, where they are not the same text; empty: they are.
  std::string pocl;
  std::vector<Kernel> kernels; ///< in launch order
};

/// OpenCL C 1.2. The code of the grid level is cut into kernels: one a Parallel of groups.
std::variant<OpenclSource, Refusal> printOpencl(const LoweredPlan &plan,
                                                const std::vector<std::string> &steps,
                                                Contraction contraction);

/// What the headers of libraries include.
inline constexpr const char *openclIncludes =
    "#ifndef CL_TARGET_OPENCL_VERSION\n#define CL_TARGET_OPENCL_VERSION 120\n#endif\n"
    "#include <CL/cl.h>\n";

/// How a library's function is declared and called.
CFunction openclFunction(const LoweredPlan &plan, const ir::Spectrum &spectrum);

struct OpenclHost {
  std::string text;
  std::string pocl; ///< NAME_pocl.h, which it includes where there are kernels for PoCL
  std::string header;
};

/// C host code that builds and launches the kernels: queue and cl_mem arguments.
OpenclHost printOpenclHost(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                           const OpenclSource &source, const std::vector<std::string> &steps,
                           bool checked = false);

/// A main() that calls the library on a few numbers; `sources`: what is compiled with it.
std::string openclExample(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                          const std::vector<std::string> &sources);

/// The library's function above several versions.
CSource openclDispatch(const DispatchRequest &request);

/// NAME_create and NAME_destroy of a library of several functions.
CSource openclCollection(const std::string &name, const std::vector<std::string> &members);

} // namespace tangram::codegen
