#include "runtime/bundle/target.h"

#include <algorithm>

namespace tangram::runtime {

const std::vector<TargetFormat> &targetFormats() {
  static const std::vector<std::string> ofC{"-O0",
                                            "-O1",
                                            "-O2",
                                            "-O3",
                                            "-march=native",
                                            "-fwrapv",
                                            "-ffp-contract=off",
                                            "-ffp-contract=fast",
                                            "-fno-math-errno",
                                            "-fno-trapping-math",
                                            "-std=c99",
                                            "-std=c11",
                                            "-std=c17"};
  static const std::vector<TargetFormat> all{
      {Target::OpenMP, "openmp", "OpenMP", false, "", "c", ofC},
      {Target::OpenCL,
       "opencl",
       "OpenCL",
       true,
       "CL/cl.h",
       "c",
       {"-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0",
        "-cl-fp32-correctly-rounded-divide-sqrt"}},
      {Target::CUDA, "cuda", "CUDA", true, "cuda_runtime_api.h", "", {"-std=c++17"}},
      {Target::C, "c", "C", false, "", "c", ofC}};
  return all;
}

const TargetFormat &formatOf(Target target) {
  return *std::ranges::find(targetFormats(), target, &TargetFormat::target);
}

const TargetFormat *formatNamed(const std::string &name) {
  const auto found = std::ranges::find(targetFormats(), name, &TargetFormat::name);
  return found == targetFormats().end() ? nullptr : &*found;
}

const std::string &name(Target target) { return formatOf(target).name; }

} // namespace tangram::runtime
