// The verifier on the library, after lowering and after every pass.
#include "codegen/passes/pipeline.h"

#include "codegen/test_fixture.h"
#include "composer/plans/planner.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

namespace tangram::codegen {
namespace {

using namespace fixture;

/// A model as one of its targets expresses it.
struct On {
  const char *model;
  const char *target;
};

void PrintTo(const On &on, std::ostream *out) { *out << on.model << " " << on.target; }

class Library : public ::testing::TestWithParam<On> {
protected:
  /// Adds what is wrong with a plan, once for each message and pass.
  void verifyPasses(LoweredPlan lowered, const std::string &plan) {
    optimize(std::move(lowered), {},
             [&](const std::string &pass, const LoweredPlan &kernel, const VerifierStage &stage) {
               for (const Violation &each : verify(kernel, stage)) {
                 if (said_.insert(pass + each.text()).second)
                   ADD_FAILURE() << plan << " after " << pass << ": " << each.text();
               }
             });
    ++plans_;
  }

  /// Of the 64 first plans in rank number 1, 8 and 64 (of fewer plans the last one): the first of them and of those
  /// after each that become code.
  void verifySpectrum(const ir::Program &program, const ir::Spectrum &spectrum) {
    const composer::Machine machine = projected(GetParam().model, GetParam().target);
    composer::PlanOptions options;
    options.target = GetParam().target;
    const auto plans = composer::plans(program, machine, spectrum.name, options, 64).plans;
    std::size_t next = 1;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (i + 1 < std::min(next, plans.size()))
        continue;
      auto lowered = lower(program, spectrum.name, plans[i].plan, machine, GetParam().target);
      if (!std::holds_alternative<LoweredPlan>(lowered))
        continue;
      verifyPasses(std::get<LoweredPlan>(std::move(lowered)), spectrum.name + " " + plans[i].id);
      next *= 8;
    }
  }

  std::set<std::string> said_;
  std::size_t plans_ = 0;
};

TEST_P(Library, HoldsAfterEveryPass) {
  std::size_t spectrums = 0;
  for (const auto &entry : std::filesystem::directory_iterator(TANGRAM_SOURCE_DIR "/codelets")) {
    if (entry.path().extension() != ".cpp")
      continue;
    frontend::ParseResult parsed = frontend::parseFile(entry.path().string(), {});
    ASSERT_TRUE(parsed.program.has_value()) << entry.path();
    const ir::Program program = composer::widenIndexVariables(*parsed.program);
    for (const ir::Spectrum &spectrum : program.spectrums) {
      // Those of a source that it includes are its own.
      if (spectrum.location.file != entry.path().string())
        continue;
      ++spectrums;
      verifySpectrum(program, spectrum);
    }
  }
  EXPECT_GT(spectrums, 100U);
  EXPECT_GT(plans_, 2 * spectrums);
}

INSTANTIATE_TEST_SUITE_P(Models, Library,
                         ::testing::Values(On{"cpu", "openmp"}, On{"simple-gpu", "opencl"},
                                           On{"pocl", "opencl"}, On{"h200", "opencl"}),
                         [](const auto &info) {
                           std::string name =
                               std::string(info.param.model) + "_" + info.param.target;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

} // namespace
} // namespace tangram::codegen
