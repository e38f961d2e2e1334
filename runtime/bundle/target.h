// The targets whose bundles this runtime knows: what their manifests have. The one table of them; how bundles of each
// run stands in runtime/session/backends.h.
#pragma once

#include <string>
#include <vector>

namespace tangram::runtime {

enum class Target { OpenMP, OpenCL, CUDA, C };

struct TargetFormat {
  Target target;
  std::string name;      ///< in manifests: "opencl"
  std::string title;     ///< for people: "OpenCL"
  bool hasKernels;       ///< that a device runs; otherwise functions of C that the host calls
  std::string apiHeader; ///< of another library, which its header includes; empty: none
  std::string
      language; ///< of its host, as compilers call it; empty: none that the system's compiler knows
  /// Those that tangram emits. Compilers have flags that read, write and run files.
  std::vector<std::string> flags;
};

const std::vector<TargetFormat> &targetFormats();
const TargetFormat &formatOf(Target target);
/// Null: there is none of this name.
const TargetFormat *formatNamed(const std::string &name);
/// "openmp", "opencl", ...
const std::string &name(Target target);

} // namespace tangram::runtime
