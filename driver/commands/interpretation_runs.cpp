#include "driver/commands/interpretation_runs.h"

#include "codegen/analysis/tunable_ranges.h"
#include "codegen/form/roles.h"
#include "codegen/passes/array/passes.h"
#include "codegen/passes/kernel/passes.h"
#include "codegen/passes/kernel/split_kernels.h"
#include "codegen/pipeline/pipeline.h"
#include "composer/analysis/sites.h"
#include "driver/choosing/plan_manifest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace tangram::driver {

using codegen::Interpretation;
using codegen::Interpreter;
using codegen::InterpreterCall;
using codegen::InterpreterOptions;
using codegen::LoweredPlan;
using codegen::MeaningContainer;
using codegen::MeaningNumber;
using codegen::Refusal;
using Outcome = InterpretedRun::Outcome;

namespace {

std::vector<std::byte> bytesOf(const runtime::HostMemory &memory) {
  return {memory.data(), memory.data() + memory.bytes()};
}

/// Cells as runtime::compareOutputs wants them: wider for floating point.
void keep(const MeaningNumber &number, bool magnitude, ir::Scalar element, std::byte *cell) {
  const long double wide = magnitude ? number.magnitude : number.wide;
  if (element == ir::Scalar::F32) {
    const auto x = static_cast<double>(wide);
    std::memcpy(cell, &x, sizeof x);
  } else if (element == ir::Scalar::F64) {
    std::memcpy(cell, &wide, sizeof wide);
  } else {
    std::memcpy(cell, &number.integer, ir::byteSize(element)); // little-endian, as the cells are
  }
}

runtime::HostMemory cellsOf(const std::vector<MeaningNumber> &numbers, bool magnitude,
                            ir::Scalar element) {
  const std::size_t size = runtime::referenceCellBytes(element);
  runtime::HostMemory memory(numbers.size() * size);
  std::memset(memory.data(), 0, memory.bytes());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    keep(numbers[i], magnitude, element, memory.data() + i * size);
  return memory;
}

/// The most of each type; where they are very many no bound says anything any more.
void countRoundings(const std::vector<MeaningNumber> &cells, std::map<ir::Scalar, double> &most) {
  constexpr double enough = 0x1p62;
  for (const MeaningNumber &cell : cells) {
    double &known = most[cell.type];
    known = std::max(known, std::ceil(std::min(cell.depth, enough)));
  }
}

runtime::HostMemory memoryOf(const std::vector<std::byte> &bytes) {
  runtime::HostMemory memory(bytes.size());
  if (!bytes.empty())
    std::memcpy(memory.data(), bytes.data(), bytes.size());
  return memory;
}

std::string textOf(const std::vector<codegen::Report> &reports) {
  std::string text;
  for (const codegen::Report &report : reports)
    text += (text.empty() ? "" : "; ") + report.text();
  return text;
}

} // namespace

std::string nameOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Right:
    return "right";
  case Outcome::Reported:
    return "reported";
  case Outcome::Wrong:
    return "wrong";
  case Outcome::Refused:
    return "refused";
  case Outcome::Undefined:
    return "undefined";
  }
  return "";
}

/// One size: inputs, and what the spectrum makes of them.
struct InterpretedRuns::Problem {
  std::optional<runtime::Problem> problem;
  std::optional<runtime::Error> error;
  std::vector<runtime::Output> outputs;
  runtime::ReferenceValues reference;
  std::vector<codegen::Report> reports;   ///< of the meaning
  std::map<ir::Scalar, double> roundings; ///< of the meaning, by types of numbers
};

InterpretedRuns::InterpretedRuns(const ir::Program &program, const ir::Spectrum &spectrum,
                                 const composer::Machine &machine, std::string target,
                                 const RunOptionsOfInterpreter &options)
    : program_(program), spectrum_(spectrum), machine_(machine), target_(std::move(target)),
      options_(options) {}

InterpretedRuns::~InterpretedRuns() = default;

InterpretedRuns::Problem &InterpretedRuns::problemOf(const runtime::Manifest &manifest,
                                                     std::size_t size) {
  std::unique_ptr<Problem> &known = problems_[size];
  if (known)
    return *known;
  known = std::make_unique<Problem>();
  auto made = runtime::makeProblem(manifest.signature, runtime::GivenInputs{}, options_.sizes[size],
                                   options_.seed);
  if (!made) {
    known->error = made.error();
    return *known;
  }
  known->problem = std::move(*made);
  auto outputs = runtime::outputsOf(*known->problem);
  if (!outputs) {
    known->error = outputs.error();
    return *known;
  }
  known->outputs = *outputs;
  std::vector<MeaningContainer> arguments;
  for (const runtime::HostArray &array : known->problem->arguments)
    arguments.push_back({array.shape, codegen::numbersIn(bytesOf(array.memory), array.element)});
  const ir::Codelet &codelet = spectrum_.codelets[*composer::meaningOf(spectrum_)];
  codegen::Meaning meaning = codegen::meaningOf(program_, spectrum_, codelet, std::move(arguments));
  known->reports = meaning.reports;
  for (const MeaningContainer &container : meaning.containers)
    countRoundings(container.cells, known->roundings);
  if (meaning.result)
    countRoundings({*meaning.result}, known->roundings);
  const std::vector<runtime::Parameter> &parameters = known->problem->signature.parameters;
  for (bool magnitude : {false, true}) {
    auto &into = magnitude ? known->reference.magnitudes : known->reference.values;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].isOutput())
        into.push_back(cellsOf(meaning.containers[i].cells, magnitude, parameters[i].element));
    }
    if (known->problem->signature.result)
      into.push_back(cellsOf({meaning.result.value_or(MeaningNumber{})}, magnitude,
                             *known->problem->signature.result));
  }
  return *known;
}

std::variant<std::vector<InterpretedRun>, Refusal> InterpretedRuns::run(const ir::PlanPtr &plan) {
  auto made = codegen::lower(program_, spectrum_.name, plan, machine_, target_, nullptr,
                             options_.withoutPasses);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  const LoweredPlan lowered = std::get<LoweredPlan>(std::move(made));
  // Workers whose instructions are side by side have copies of their variables by a pass alone.
  const LoweredPlan placed = codegen::expandScalarsOfThreads(
      codegen::flattenIndexes(codegen::placeArrays(codegen::forgetPadding(lowered))));
  const bool printed = lowered.target->generated;
  const LoweredPlan optimized =
      printed ? codegen::optimize(lowered, options_.withoutPasses) : placed;
  const codegen::TunableRanges ranges = codegen::tunableRanges(optimized);
  if (auto refusal = ranges.refusal())
    return *refusal;
  const bool kernels = optimized.target->groupsRunInKernels;
  if (kernels && printed) {
    auto launches = codegen::splitKernels(optimized);
    if (auto *refusal = std::get_if<Refusal>(&launches))
      return *refusal;
  }
  if (!composer::meaningOf(spectrum_))
    return Refusal{"spectrum " + spectrum_.name + " has no autonomous codelet to compare with",
                   spectrum_.location};
  LoweredPlan ranged = optimized;
  codegen::applyRanges(ranged, ranges);
  auto manifest = manifestOf(ranged, spectrum_);
  if (!manifest)
    return Refusal{manifest.error().message, {}};
  std::vector<InterpretedRun> runs;
  for (const std::string &form : options_.forms) {
    const bool array = form == "array";
    if (!array && !printed)
      continue;
    const LoweredPlan &shown = array ? placed : optimized;
    InterpreterOptions how;
    how.joins = array ? InterpreterOptions::Joins::Implied : InterpreterOptions::Joins::Explicit;
    how.lanes =
        array || kernels ? InterpreterOptions::Lanes::Together : InterpreterOptions::Lanes::Loops;
    how.kernels = !array && kernels;
    how.seed = options_.schedule;
    how.steps = options_.steps;
    const Interpreter interpreter(shown, how);
    for (std::size_t size = 0; size < options_.sizes.size(); ++size) {
      for (const runtime::TunableValues &setting : options_.settings) {
        runs.push_back(runOne(shown, interpreter, *manifest, problemOf(*manifest, size), setting));
        runs.back().form = form;
      }
    }
  }
  if (runs.empty())
    return codegen::noCodeGenerator(target_);
  return runs;
}

InterpretedRun InterpretedRuns::runOne(const LoweredPlan &plan, const Interpreter &interpreter,
                                       const runtime::Manifest &manifest, Problem &problem,
                                       const runtime::TunableValues &setting) {
  InterpretedRun run;
  auto refused = [&](const std::string &why) {
    run.outcome = Outcome::Refused;
    run.reason = why;
    return run;
  };
  if (problem.error)
    return refused(problem.error->message);
  run.extents = problem.problem->extents;
  runtime::Bindings bindings = problem.problem->bindings();
  const runtime::DeviceFacts facts = factsOf(machine_, target_);
  facts.bind(bindings);
  runtime::TunableValues fixed;
  for (const auto &[name, value] : setting) {
    // A tunable that this plan does not have, or not with this value, does not concern it.
    const runtime::Tunable *tunable = manifest.tunable(name);
    if (tunable && tunable->allows(value))
      fixed[name] = value;
  }
  auto chosen =
      runtime::chooseTunables(manifest, bindings, runtime::requirementsOf(manifest, facts), fixed);
  run.tunables = fixed;
  if (!chosen)
    return refused(chosen.error().message);
  run.tunables = *chosen;
  if (!problem.reports.empty()) {
    run.outcome = Outcome::Undefined;
    run.reason = textOf(problem.reports);
    return run;
  }
  InterpreterCall call;
  std::size_t extent = 0;
  for (std::size_t i = 0; i < manifest.signature.parameters.size(); ++i) {
    const runtime::Parameter &p = manifest.signature.parameters[i];
    for (const std::string &name : p.extents)
      call.sizes[plan.extents[extent++].get()] = problem.problem->extents.at(name);
    auto &bytes = p.container ? call.memory[plan.parameters[i].get()]
                              : call.scalars[plan.parameters[i].get()];
    bytes = bytesOf(problem.problem->arguments[i].memory);
  }
  for (std::size_t i = 0; i < plan.tunables.size(); ++i)
    call.sizes[plan.tunables[i].var.get()] = chosen->at(manifest.tunables[i].name);
  if (plan.result)
    call.memory[plan.result.get()].resize(ir::byteSize(plan.result->type.scalar));
  const Interpretation done = interpreter.run(call);
  if (done.refused)
    return refused(*done.refused);
  judge(plan, manifest, problem, call, done, run);
  return run;
}

void InterpretedRuns::judge(const LoweredPlan &plan, const runtime::Manifest &manifest,
                            Problem &problem, const InterpreterCall &call,
                            const Interpretation &done, InterpretedRun &run) {
  run.reports = done.reports;
  if (!run.reports.empty())
    run.outcome = Outcome::Reported;
  std::vector<runtime::HostMemory> got;
  for (std::size_t i = 0; i < manifest.signature.parameters.size(); ++i) {
    if (manifest.signature.parameters[i].isOutput())
      got.push_back(memoryOf(call.memory.at(plan.parameters[i].get())));
  }
  if (plan.result)
    got.push_back(memoryOf(call.memory.at(plan.result.get())));
  std::map<ir::Scalar, std::uint64_t> depths;
  if (manifest.roundingDepth) {
    runtime::Bindings bindings = problem.problem->bindings();
    for (const auto &[name, value] : run.tunables)
      bindings.values[name] = value;
    auto counted = manifest.roundingDepth->evaluate(bindings);
    // The codelet as it stands is one of the ways to compute it.
    for (const auto &[type, roundings] : problem.roundings)
      depths[type] = std::max(static_cast<std::uint64_t>(roundings), counted ? *counted : 0);
  }
  auto compared = runtime::compareOutputs(problem.outputs, got, problem.reference, depths);
  if (!compared) {
    run.reason = compared.error().message;
    return;
  }
  if (compared->empty())
    return;
  run.outcome = run.reports.empty() ? Outcome::Wrong : Outcome::Reported;
  run.reason = runtime::text(*compared);
}

} // namespace tangram::driver
