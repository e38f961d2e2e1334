#include "driver/choosing/plan_targets.h"

#include "codegen/test_fixture.h"
#include "driver/commands/synth_command.h"

#include <sstream>

namespace tangram::driver {
namespace {

using Names = std::vector<std::string>;

/// The GPU as OpenCL, which has no warps, and as CUDA with warps expresses it.
std::vector<TargetMachine> targetsOfGpu() {
  std::vector<TargetMachine> targets;
  for (const char *name : {"opencl", "cuda-warps"})
    targets.push_back({name, codegen::fixture::projected("gpu", name)});
  return targets;
}

/// The first plan that is listed for a target.
std::string firstId(const ir::Program &program, const TargetMachine &target) {
  composer::PlanOptions planning;
  planning.target = target.target;
  return composer::plans(program, target.machine, "sum", planning, 1).plans.front().id;
}

TEST(PlanTargets, APlanIsOfTheTargetsThatListIt) {
  const ir::Program program = codegen::fixture::sumProgram();
  const auto targets = targetsOfGpu();
  for (const TargetMachine &each : targets)
    EXPECT_EQ(targetsOfPlan(targets, program, "sum", {}, firstId(program, each)),
              Names{each.target});
  EXPECT_EQ(targetsOfPlan(targets, program, "sum", {}, "00000000"), Names{});
}

TEST(PlanTargets, SynthSaysWhoseAPlanIs) {
  const ir::Program program = codegen::fixture::sumProgram();
  const auto targets = targetsOfGpu();
  SynthOptions options;
  options.spectrum = "sum";
  options.target = "opencl";
  options.plan = firstId(program, targets[1]);
  options.otherTargets = [&] { return std::vector{targets[1]}; };
  std::ostringstream err;
  EXPECT_EQ(synthesize(options, program, targets[0].machine, err).status, 1);
  EXPECT_EQ(err.str(), "error: plan " + options.plan +
                           " is for target cuda-warps; this synthesis is for opencl\n"
                           "note: `tangram plans --target opencl` lists those it can take\n");
}

} // namespace
} // namespace tangram::driver
