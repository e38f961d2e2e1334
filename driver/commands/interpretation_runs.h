// One plan, executed by the interpreter (codegen/interpreter/) on generated inputs, and
// compared with what its spectrum means.
#pragma once

#include "codegen/interpreter/interpreter.h"
#include "codegen/interpreter/meaning.h"
#include "codegen/lowering/lower.h"
#include "runtime/bundle/tunables.h"
#include "runtime/data/compare.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

struct RunOptionsOfInterpreter {
  std::vector<runtime::SizeChoice> sizes{runtime::SizeChoice{}};
  std::vector<runtime::TunableValues> settings{runtime::TunableValues{}};
  /// "array": as a plan is lowered. "kernel": after all passes.
  std::vector<std::string> forms{"array", "kernel"};
  std::set<std::string> withoutPasses;
  std::uint64_t seed = 1;
  std::uint64_t schedule = 0; ///< see InterpreterOptions::seed
  std::uint64_t steps = 400'000'000;
};

/// What became of one run.
struct InterpretedRun {
  enum class Outcome {
    Right,     ///< equal to the meaning, and nothing to report
    Reported,  ///< it did something a program may not do
    Wrong,     ///< another value
    Refused,   ///< cannot serve this size with these tunables
    Undefined, ///< the spectrum means nothing here: the codelet itself does what it may not
  };
  std::string form;
  std::map<std::string, std::uint64_t> extents;
  runtime::TunableValues tunables;
  Outcome outcome = Outcome::Right;
  std::string reason; ///< why refused or wrong; what is undefined
  std::vector<codegen::Report> reports;
};
std::string nameOf(InterpretedRun::Outcome outcome); ///< "right", "reported", ...

/// Runs plans of one spectrum. Inputs and meanings are computed once for all of them.
class InterpretedRuns {
public:
  InterpretedRuns(const ir::Program &program, const ir::Spectrum &spectrum,
                  const composer::Machine &machine, std::string target,
                  const RunOptionsOfInterpreter &options);
  ~InterpretedRuns();

  /// The runs of a plan in all forms, sizes and settings; or why there is no kernel of it.
  std::variant<std::vector<InterpretedRun>, codegen::Refusal> run(const ir::PlanPtr &plan);

private:
  struct Problem;
  Problem &problemOf(const runtime::Manifest &manifest, std::size_t size);
  InterpretedRun runOne(const codegen::LoweredPlan &plan, const codegen::Interpreter &interpreter,
                        const runtime::Manifest &manifest, Problem &problem,
                        const runtime::TunableValues &setting);
  void judge(const codegen::LoweredPlan &plan, const runtime::Manifest &manifest, Problem &problem,
             const codegen::InterpreterCall &call, const codegen::Interpretation &done,
             InterpretedRun &run);

  const ir::Program &program_;
  const ir::Spectrum &spectrum_;
  const composer::Machine &machine_;
  std::string target_;
  const RunOptionsOfInterpreter &options_;
  std::map<std::size_t, std::unique_ptr<Problem>> problems_; ///< by size
};

} // namespace tangram::driver
