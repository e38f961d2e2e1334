// A plan as C with OpenMP.
#pragma once

#include "codegen/printing/dispatch.h"
#include "codegen/printing/source.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// What an OpenMP library has beside its function: the heads of NAME_workspace and NAME_on_threads, what
/// the header says of them, and names that no parameter of the function has.
struct OpenmpInterface {
  std::string threads, workspace, workspaceBytes, bytes, before, status;
  std::string workspaceHead, onThreadsHead;
  std::string declarations;
};
OpenmpInterface openmpInterface(const std::string &name, const CFunction &signature,
                                bool hasThreads = true);

/// Whether a target has threads; otherwise its libraries are C without OpenMP.
bool hasThreads(const TargetTraits &target);

/// C with OpenMP: `int NAME(...)` with default tunables, and `int NAME_tuned(..., p...)`
/// when there are launch tunables. `checked`: calls check the data of their containers.
CSource printOpenmp(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                    const std::vector<std::string> &steps, Contraction contraction,
                    bool checked = false);
/// tangram_call for tangram-run: unpacks an argument array (docs/bundle.md).
std::string printOpenmpEntry(const LoweredPlan &plan, const ir::Spectrum &spectrum);

/// A main() that calls the library on a few numbers; `sources`: what is compiled with it.
std::string openmpExample(const LoweredPlan &plan, const ir::Spectrum &spectrum,
                          const std::vector<std::string> &sources, const std::string &compilation);

/// What the C compiler is told for the library.
std::vector<std::string> openmpFlags(const LoweredPlan &plan);

/// The library's function above several versions.
CSource openmpDispatch(const DispatchRequest &request);

} // namespace tangram::codegen
