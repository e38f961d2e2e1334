#include "codegen/bundle/wide_bundle.h"

#include "codegen/analysis/contraction.h"
#include "codegen/bundle/distinct_names.h"
#include "codegen/bundle/manifest.h"
#include "codegen/bundle/prepared_plan.h"
#include "codegen/pipeline/backends.h"
#include "codegen/wide/roundings.h"
#include "codegen/wide/widened_plan.h"
#include "composer/machine/machine_expression.h"

#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

const char *const comment = "// In wider numbers than the plan's own, for verification.\n";

/// Defaults that are numbers, by name.
std::map<std::string, std::uint64_t> plainDefaults(const LoweredPlan &plan) {
  std::map<std::string, std::uint64_t> defaults;
  for (const Tunable &tunable : plan.tunables) {
    if (const auto number = composer::plainNumber(tunable.defaultValue);
        number && !tunable.sizedDefault)
      defaults[tunable.var->name] = *number;
  }
  return defaults;
}

/// The same plan lowered once more: of another program, or for another machine.
std::variant<LoweredPlan, Refusal> loweredAgain(const BundleRequest &request,
                                                const LoweredPlan &plan) {
  auto again = preparedPlan(request, false);
  if (auto *lowered = std::get_if<LoweredPlan>(&again)) {
    distinguishNames(*lowered, !lowered->target->groupsRunInKernels);
    setDefaults(*lowered, plainDefaults(plan));
    lowered->spectrum = plan.spectrum;
  }
  return again;
}

std::variant<BundleFiles, Refusal> printed(const BundleRequest &request, const LoweredPlan &plan) {
  const Spectrum &spectrum = *request.program->spectrum(request.spectrum);
  auto reference = printReference(*request.program, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&reference))
    return *refusal;
  BundleFiles files;
  std::map<std::string, std::string> names{
      {"reference", std::get<ReferenceSource>(reference).file}};
  files[names["reference"]] = std::get<ReferenceSource>(reference).text;
  const Backend &backend = backendOf(*plan.target);
  auto made = backend.wide(
      {plan, spectrum, request.steps, contractionOf(*request.program, request.spectrum)});
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  PrintedLibrary &library = std::get<PrintedLibrary>(made);
  names.merge(library.names);
  const auto isNamed = [&](const char *role, const std::string &file) {
    const auto named = names.find(role);
    return named != names.end() && named->second == file;
  };
  for (const auto &[file, text] : library.files)
    files[file] = (isNamed("header", file) || isNamed("entry", file) ? "" : comment) + text;
  files["manifest.json"] =
      printManifest(request, plan, library.kernels, names, backend.wideFlags(plan));
  return files;
}

/// The plan, before it is widened, with its operations marked.
LoweredPlan markedPlan(LoweredPlan plan, const Program &program, const NarrowType &narrow) {
  plan.body = withRoundings(plan.body, narrow, functionNames(program));
  return plan;
}

/// A plan that takes numbers for their bits: lowered in wider numbers, then marked.
std::variant<BundleFiles, Refusal> printedInWide(BundleRequest wide, const LoweredPlan &plan,
                                                 const Program &program, const WiderTypes &types) {
  const Program unmarked = widened(*wide.program, types);
  wide.program = &unmarked;
  wide.findings = nullptr;
  auto again = loweredAgain(wide, plan);
  if (auto *refusal = std::get_if<Refusal>(&again))
    return *refusal;
  wide.program = &program;
  return printed(wide, withFunctionsOf(program, markedPlan(std::get<LoweredPlan>(std::move(again)),
                                                           program, roundedInWide(types))));
}

} // namespace

std::variant<BundleFiles, Refusal> makeWideBundle(const BundleRequest &request,
                                                  const LoweredPlan &plan) {
  const std::optional<WiderTypes> types =
      widerTypes(*request.program, *request.program->spectrum(request.spectrum));
  if (!types)
    return BundleFiles{};
  const NarrowType narrow = rounded(*types);
  const Program program = widened(withRoundings(*request.program, narrow), *types);
  BundleRequest wide = request;
  if (!backendOf(*plan.target).hasQuads() && types->needs128Bits()) {
    const composer::Machine machine = drivenBy("openmp", *request.machine, *plan.target);
    BundleRequest own = request;
    own.machine = wide.machine = &machine;
    own.target = wide.target = "openmp";
    own.findings = nullptr;
    auto again = loweredAgain(own, plan);
    if (auto *refusal = std::get_if<Refusal>(&again))
      return *refusal;
    wide.program = &program;
    return printed(wide,
                   widened(markedPlan(std::get<LoweredPlan>(std::move(again)), program, narrow),
                           program, *types));
  }
  if (readsBits(plan))
    return printedInWide(wide, plan, program, *types);
  wide.program = &program;
  return printed(wide, widened(markedPlan(plan, program, narrow), program, *types));
}

} // namespace tangram::codegen
