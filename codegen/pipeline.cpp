#include "codegen/pipeline.h"

#include "codegen/passes.h"

#include <utility>

namespace tangram::codegen {

namespace {

struct Pass {
  const char *name;
  bool optional;
  LoweredPlan (*run)(LoweredPlan plan, bool lanesAreLoops);
};

// On OpenMP the items of a group are SIMD lanes, written as loops; in OpenCL they
// are there of themselves, and meet at barriers.
constexpr Pass passes[] = {
    {"simplify-indexes", false, [](LoweredPlan p, bool) { return simplifyIndexes(std::move(p)); }},
    {"remove-dead-code", false, [](LoweredPlan p, bool) { return removeDeadCode(std::move(p)); }},
    {"join-pieces", true, [](LoweredPlan p, bool) { return joinPieces(std::move(p)); }},
    {"keep-in-registers", true, [](LoweredPlan p, bool) { return keepInRegisters(std::move(p)); }},
    {"jam-loops", true, [](LoweredPlan p, bool loops) { return jamLoops(std::move(p), loops); }},
    {"tidy-declarations", false,
     [](LoweredPlan p, bool) { return tidyDeclarations(std::move(p)); }},
    {"expand-worker-variables", false,
     [](LoweredPlan p, bool loops) { return expandWorkerVariables(std::move(p), loops); }},
    {"unroll-loads", true,
     [](LoweredPlan p, bool loops) { return loops ? p : unrollLoads(std::move(p)); }},
    {"share-memory", true, [](LoweredPlan p, bool) { return shareMemory(std::move(p)); }},
    {"place-barriers", false,
     [](LoweredPlan p, bool loops) { return loops ? p : placeBarriers(std::move(p)); }},
    {"tidy-declarations", false,
     [](LoweredPlan p, bool) { return tidyDeclarations(std::move(p)); }},
    {"remove-dead-code", false, [](LoweredPlan p, bool) { return removeDeadCode(std::move(p)); }},
};

} // namespace

std::vector<std::string> optionalPasses() {
  std::vector<std::string> names;
  for (const Pass &pass : passes) {
    if (pass.optional)
      names.emplace_back(pass.name);
  }
  return names;
}

LoweredPlan optimize(LoweredPlan plan, const std::string &target,
                     const std::set<std::string> &without) {
  for (const Pass &pass : passes) {
    if (!pass.optional || !without.contains(pass.name))
      plan = pass.run(std::move(plan), target == "openmp");
  }
  return plan;
}

} // namespace tangram::codegen
