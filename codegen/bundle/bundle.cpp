#include "codegen/bundle/bundle.h"

#include "algebra/device_facts.h"
#include "codegen/bundle/distinct_names.h"
#include "codegen/bundle/manifest.h"
#include "codegen/bundle/manifest_expression.h"
#include "codegen/bundle/package.h"
#include "codegen/bundle/python_module.h"
#include "codegen/bundle/tunable_ranges.h"
#include "codegen/c/c_types.h"
#include "codegen/c/launch_defaults.h"
#include "codegen/c/source.h"
#include "codegen/kernel/contraction.h"
#include "codegen/lowering/atomic_support.h"
#include "codegen/passes/pipeline.h"

#include <algorithm>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace tangram::codegen {

using namespace ir;
namespace fs = std::filesystem;

namespace {

/// A model may count workers by what only some targets know of a machine.
std::optional<Refusal> unknownFact(const LoweredPlan &plan) {
  for (const Tunable &tunable : plan.tunables) {
    for (const algebra::DeviceFact &fact : algebra::deviceFacts()) {
      if (!plan.target->hostOnlyLaunches && fact.openmp.empty() &&
          mentionsName(tunable.defaultValue, fact.name))
        return Refusal{"the default of " + tunable.var->name + ", " + tunable.defaultValue +
                           ", needs " + fact.name + ", which target " + plan.target->name +
                           " does not know",
                       {}};
    }
  }
  return std::nullopt;
}

/// What is required of a call is in the manifest, so that whoever calls can be told.
std::optional<Refusal> unwritableContract(const LoweredPlan &plan) {
  auto refusal = [](const ExprPtr &e) -> std::optional<Refusal> {
    if (std::optional<std::string> why = unwritable(e))
      return Refusal{"what the caller has to guarantee cannot be checked before a call: " + *why,
                     e->location};
    return std::nullopt;
  };
  for (const Constraint &c : plan.constraints) {
    if (auto found = refusal(c.require))
      return found;
  }
  for (const ShapeContract &c : plan.shape) {
    if (auto found = refusal(c.equals))
      return found;
  }
  for (const DataContract &c : plan.data) {
    for (const ExprPtr &bound : {c.low, c.high}) {
      if (auto found = refusal(bound))
        return found;
    }
  }
  return std::nullopt;
}

std::string writeFile(const fs::path &file, const std::string &content) {
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  return out ? "" : "cannot write " + file.string();
}

} // namespace

namespace {

std::variant<LoweredPlan, Refusal> prepared(const BundleRequest &request, bool forPrediction) {
  if (const TargetTraits *traits = traitsOf(request.target); traits && !traits->generated)
    return noCodeGenerator(request.target);
  auto lowered = lower(*request.program, request.spectrum, request.plan, *request.machine,
                       request.target, request.findings, request.withoutPasses);
  if (auto *refusal = std::get_if<Refusal>(&lowered))
    return *refusal;
  LoweredPlan plan = std::get<LoweredPlan>(std::move(lowered));
  plan = forPrediction ? optimizeForPrediction(std::move(plan), request.withoutPasses)
                       : optimize(std::move(plan), request.withoutPasses);
  if (auto refusal = unknownFact(plan))
    return *refusal;
  if (auto refusal = unwritableContract(plan))
    return *refusal;
  if (auto refusal = unsupportedAtomic(plan))
    return *refusal;
  const TunableRanges ranges = tunableRanges(plan);
  if (auto refusal = ranges.refusal())
    return *refusal;
  applyRanges(plan, ranges);
  return plan;
}

/// After the passes: the code is the one that the values were measured with.
void setDefaults(LoweredPlan &plan, const std::map<std::string, std::uint64_t> &defaults) {
  for (Tunable &tunable : plan.tunables) {
    auto found = defaults.find(tunable.var->name);
    if (found == defaults.end() || found->second < tunable.min || found->second > tunable.max)
      continue;
    const bool listed = tunable.values.empty() ||
                        std::find(tunable.values.begin(), tunable.values.end(),
                                  static_cast<std::int64_t>(found->second)) != tunable.values.end();
    if (!listed)
      continue;
    tunable.defaultValue = std::to_string(found->second);
    tunable.sizedDefault = nullptr;
  }
}

} // namespace

std::variant<LoweredPlan, Refusal> planForPrediction(const BundleRequest &request) {
  return prepared(request, true);
}

std::variant<BundleFiles, Refusal> makeBundle(const BundleRequest &request) {
  // Of every plan alike, so that no plan is made in vain.
  const Spectrum &spectrum = *request.program->spectrum(request.spectrum);
  auto meaning = printReference(*request.program, spectrum);
  if (auto *refusal = std::get_if<Refusal>(&meaning))
    return *refusal;
  auto made = prepared(request, false);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  LoweredPlan plan = std::get<LoweredPlan>(std::move(made));
  distinguishNames(plan, !plan.target->hostOnlyLaunches);
  setDefaults(plan, request.defaults.empty() && request.chooseDefaults
                        ? request.chooseDefaults(plan)
                        : request.defaults);
  if (!request.function.empty())
    plan.spectrum = request.function; // what printers call it by
  const ReferenceSource &reference = std::get<ReferenceSource>(meaning);
  BundleFiles files;
  std::map<std::string, std::string> names{
      {"reference", reference.file}, {"header", plan.spectrum + ".h"}, {"example", "example.c"}};
  files[reference.file] = reference.text;
  const std::string library = plan.spectrum + (plan.target->hostOnlyLaunches ? "_host.c" : ".c");
  files["example.c"] = printExample(plan, spectrum, {library});
  files.merge(packageFiles(request, plan, {library}));
  if (request.python)
    files[plan.spectrum + ".py"] = printPythonModule(plan, spectrum);
  std::vector<Kernel> kernels;
  if (plan.target->hostOnlyLaunches) {
    auto printed =
        printOpencl(plan, request.steps, mayContract(*request.program, request.spectrum));
    if (auto *refusal = std::get_if<Refusal>(&printed))
      return *refusal;
    OpenclSource &source = std::get<OpenclSource>(printed);
    OpenclHost host = printOpenclHost(plan, spectrum, source, request.steps);
    kernels = source.kernels;
    names["source"] = plan.spectrum + ".cl";
    names["host"] = plan.spectrum + "_host.c";
    files[names["source"]] = source.text;
    files[names["host"]] = host.text;
    files[names["header"]] = host.header;
  } else {
    CSource source = printOpenmp(plan, spectrum, request.steps);
    names["source"] = plan.spectrum + ".c";
    names["host"] = names["source"];
    names["entry"] = "entry.c";
    files[names["source"]] = source.text;
    files[names["header"]] = source.header;
    files["entry.c"] = printOpenmpEntry(plan, spectrum);
  }
  files["manifest.json"] = printManifest(request, plan, kernels, names);
  return files;
}

std::string writeBundle(const BundleFiles &files, const fs::path &folder) {
  std::error_code error;
  fs::path target = fs::absolute(folder, error).lexically_normal();
  if (!target.has_filename())
    target = target.parent_path();
  if (fs::exists(target, error)) {
    bool empty = fs::is_directory(target, error) && fs::is_empty(target, error);
    if (!empty && !fs::exists(target / "manifest.json", error))
      return target.string() + " exists and is no bundle; choose another folder";
  }
  fs::path fresh = target;
  fresh += ".new-" + std::to_string(getpid());
  fs::remove_all(fresh, error);
  if (!fs::create_directories(fresh, error))
    return "cannot make the folder " + fresh.string() + ": " + error.message();
  for (const auto &[name, content] : files) {
    fs::create_directories((fresh / name).parent_path(), error);
    std::string problem = writeFile(fresh / name, content);
    if (!problem.empty()) {
      fs::remove_all(fresh, error);
      return problem;
    }
  }
  fs::path old = target;
  old += ".old-" + std::to_string(getpid());
  bool replaces = fs::exists(target, error);
  if (replaces)
    fs::rename(target, old, error);
  if (!error)
    fs::rename(fresh, target, error);
  if (error) {
    std::string message = "cannot put the bundle at " + target.string() + ": " + error.message();
    std::error_code ignored;
    if (replaces && !fs::exists(target, ignored))
      fs::rename(old, target, ignored);
    fs::remove_all(fresh, ignored);
    return message;
  }
  fs::remove_all(old, error);
  return "";
}

} // namespace tangram::codegen
