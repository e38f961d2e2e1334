#include "codegen/printing/c_types.h"
#include "codegen/targets/cuda/cuda.h"

#include <set>

namespace tangram::codegen {

using namespace ir;

const StatusSet &cudaStatuses() {
  static const StatusSet set{
      {Status::Refused, Status::SmallWorkspace, Status::Overlap, Status::BadData,
       Status::Misaligned},
      "no call with these sizes or numbers of workers can be served, or the device cannot run it",
      ", beside errors of CUDA's runtime, of which they return the number below 0",
      "",
      "status < 0 ? cudaGetErrorString((cudaError_t)-status) : \"an unknown status\""};
  return set;
}

std::string streamName(const LoweredPlan &plan) {
  std::set<std::string> taken;
  for (const auto *named : {&plan.parameters, &plan.extents}) {
    for (const VarPtr &v : *named)
      taken.insert(v->name);
  }
  return claimName("stream", taken);
}

CFunction cudaFunction(const LoweredPlan &plan, const Spectrum &spectrum) {
  return pointerFunction(plan, spectrum, {{"cudaStream_t ", streamName(plan)}});
}

CudaInterface cudaInterface(const std::string &name, const CFunction &signature,
                            const std::vector<std::string> &tunables) {
  std::set<std::string> taken(signature.arguments.begin(), signature.arguments.end());
  taken.insert(tunables.begin(), tunables.end());
  CudaInterface made;
  made.bytes = claimName("bytes", taken);
  made.workspace = claimName("workspace", taken);
  made.workspaceBytes = claimName("workspace_bytes", taken);
  made.workspaceParameters = signature.sizeParameters;
  made.enqueueParameters = signature.parameters;
  for (const std::string &each : tunables) {
    made.workspaceParameters.push_back("size_t " + each);
    made.enqueueParameters.push_back("size_t " + each);
  }
  made.workspaceParameters.push_back("size_t *" + made.bytes);
  made.enqueueParameters.insert(made.enqueueParameters.end(),
                                {"void *" + made.workspace, "size_t " + made.workspaceBytes});
  made.declarations =
      "/// The bytes of the workspace that a call with these sizes needs on the current device; 0: "
      "none. Returns\n/// " +
      statusName(name, Status::Refused) + " when no call with them can be served.\nint " + name +
      "_workspace(" + commaSeparated(made.workspaceParameters) +
      ");\n\n"
      "/// The same in memory of the device that no other call uses until this one has ended; it "
      "begins where that of\n/// cudaMalloc may. Allocates none. Returns " +
      statusName(name, Status::SmallWorkspace) + " when the workspace is too small.\nint " + name +
      "_enqueue(" + commaSeparated(made.enqueueParameters) + ");\n";
  return made;
}

} // namespace tangram::codegen
