// A plan as CUDA: kernels in a file that a host file includes and that NVRTC compiles by itself, and the host in C++ with
// functions of C.
#pragma once

#include "codegen/printing/dispatch.h"
#include "codegen/printing/source.h"
#include "codegen/printing/statuses.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tangram::codegen {

struct CudaSource {
  std::string text;
  std::vector<Kernel> kernels; ///< in launch order
};

std::variant<CudaSource, Refusal>
printCuda(const LoweredPlan &plan, const std::vector<std::string> &steps, Contraction contraction);

/// The host: `text` includes the kernels' file.
CSource printCudaHost(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                      const CudaSource &source, const std::vector<std::string> &steps,
                      bool checked);

/// What the functions of libraries return.
const StatusSet &cudaStatuses();

/// What the headers of libraries include.
inline constexpr const char *cudaIncludes =
    "#include <cuda_runtime_api.h>\n#include <stdbool.h>\n#include <stddef.h>\n";

/// Name of the stream in host functions; no parameter of the plan has it.
std::string streamName(const LoweredPlan &plan);
CFunction cudaFunction(const LoweredPlan &plan, const ir::Spectrum &spectrum);

/// Names and heads of the functions beside NAME: NAME_workspace and NAME_enqueue; `tunables`: parameters behind those of the
/// spectrum.
struct CudaInterface {
  std::string bytes, workspace, workspaceBytes;
  std::vector<std::string> workspaceParameters, enqueueParameters;
  std::string declarations; ///< of both
};
CudaInterface cudaInterface(const std::string &name, const CFunction &signature,
                            const std::vector<std::string> &tunables = {});

CSource cudaDispatch(const DispatchRequest &request);
std::string cudaExample(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                        const std::vector<std::string> &sources);

/// Parameters that kernels read or write several elements at a time, with the bytes of such an access.
std::vector<std::pair<ir::VarPtr, unsigned>> vectorContainers(const LoweredPlan &plan);

} // namespace tangram::codegen
