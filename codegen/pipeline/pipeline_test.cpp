// The verifier on the library, after lowering and after every pass.
#include "codegen/pipeline/pipeline.h"

#include "codegen/form/verifier.h"
#include "codegen/test_fixture.h"
#include "composer/plans/planner.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <set>
#include <string>

namespace tangram::codegen {
namespace {

using namespace fixture;

/// A model as one of its targets expresses it. The models share half of the library's spectrums, unless the test is whole.
struct On {
  const char *model;
  const char *target;
  std::size_t number;
};

constexpr On models[] = {{"cpu", "openmp", 0},
                         {"simple-gpu", "opencl", 1},
                         {"pocl", "opencl", 2},
                         {"h200", "opencl", 3}};

/// scripts/test --all
bool isWhole() {
  const char *everything = std::getenv("TANGRAM_TEST_EVERYTHING");
  return everything && std::string(everything) == "1";
}

void PrintTo(const On &on, std::ostream *out) { *out << on.model << " " << on.target; }

class Library : public ::testing::TestWithParam<On> {
protected:
  /// Adds what is wrong with a plan, once for each message and pass.
  void verifyPasses(LoweredPlan lowered, const std::string &plan) {
    optimize(std::move(lowered), {},
             [&](const std::string &pass, const LoweredPlan &kernel, Form form) {
               for (const Violation &each : verify(kernel, form)) {
                 if (said_.insert(pass + each.text()).second)
                   ADD_FAILURE() << plan << " after " << pass << ": " << each.text();
               }
             });
    ++plans_;
  }

  /// Verifies plans number 1 and 64 in rank, with `scripts/test --all` number 8 too (of fewer plans the last one), or the
  /// first plan after each that becomes code.
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
      next *= isWhole() ? 8 : 64;
    }
  }

  std::set<std::string> said_;
  std::size_t plans_ = 0;
};

TEST_P(Library, HoldsAfterEveryPass) {
  const bool all = isWhole();
  std::set<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(TANGRAM_SOURCE_DIR "/codelets"))
    if (entry.path().extension() == ".cpp")
      files.insert(entry.path().string());
  std::size_t spectrums = 0;
  std::size_t verified = 0;
  for (const std::string &file : files) {
    frontend::ParseResult parsed = frontend::parseFile(file, {});
    ASSERT_TRUE(parsed.program.has_value()) << file;
    const ir::Program program = composer::widenIndexVariables(*parsed.program);
    for (const ir::Spectrum &spectrum : program.spectrums) {
      // Those of a source that it includes are its own.
      if (spectrum.location.file != file)
        continue;
      if (all || spectrums % (2 * std::size(models)) == 2 * GetParam().number) {
        verifySpectrum(program, spectrum);
        ++verified;
      }
      ++spectrums;
    }
  }
  EXPECT_GT(spectrums, 100U);
  EXPECT_GT(2 * plans_, (all ? 4 : 3) * verified);
}

INSTANTIATE_TEST_SUITE_P(Models, Library, ::testing::ValuesIn(models), [](const auto &info) {
  std::string name = std::string(info.param.model) + "_" + info.param.target;
  std::ranges::replace(name, '-', '_');
  return name;
});

} // namespace
} // namespace tangram::codegen
