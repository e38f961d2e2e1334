// Plain C99 without OpenMP: one thread, for microcontrollers and for reading. It is what targets/openmp prints of a target
// that has no threads.
#include "codegen/targets/c/backend.h"

#include "codegen/targets/openmp/backend.h"

namespace tangram::codegen {

namespace {

class CBackend : public HostBackend {
public:
  PackageParts package(const LoweredPlan &plan) const override {
    PackageParts parts{"C", "C", "", "PRIVATE m", "-lm", ""};
    for (const std::string &flag : flags(plan))
      parts.options += (parts.options.empty() ? "" : ";") + flag;
    return parts;
  }

  std::vector<std::string> flags(const LoweredPlan &) const override {
    return {"-O2", "-std=c99", "-fno-math-errno"};
  }

  bool knows(const algebra::DeviceFact &fact) const override { return !fact.openmp.empty(); }

protected:
  std::string compilation() const override { return "cc -O2 -std=c99"; }
};

} // namespace

const Backend &cBackend() {
  static const CBackend backend;
  return backend;
}

} // namespace tangram::codegen
