#include "driver/choosing/plan_bundle.h"

#include "composer/plans/notation.h"
#include "composer/plans/plan_json.h"
#include "driver/choosing/plan_manifest.h"
#include "driver/choosing/serving_defaults.h"

#include <nlohmann/json.hpp>

namespace tangram::driver {

codegen::BundleRequest bundleRequest(const composer::Planner &planner,
                                     const composer::RankedPlan &plan, const std::string &target,
                                     const std::set<std::string> &withoutPasses) {
  codegen::BundleRequest request;
  request.program = &planner.program();
  request.spectrum = plan.plan->spectrum;
  request.plan = plan.plan;
  request.machine = &planner.machine();
  request.target = target;
  request.planId = plan.id;
  request.steps = plan.steps;
  for (const composer::DerivationLine &line : composer::derivation(plan.plan, planner.rules()))
    request.derivation.push_back(composer::toString(line));
  request.withoutPasses = withoutPasses;
  return request;
}

std::variant<codegen::BundleFiles, codegen::Refusal> bundleOf(const composer::Planner &planner,
                                                              const codegen::BundleRequest &asked) {
  codegen::BundleRequest request = asked;
  request.chooseDefaults = [&](const codegen::LoweredPlan &plan) {
    const ir::Spectrum &spectrum = *planner.program().spectrum(request.spectrum);
    const auto manifest = manifestOf(plan, spectrum, TunableDefaults::OfBundle);
    return manifest ? servingDefaults(*manifest, spectrum, planner.machine(), request.target)
                    : std::map<std::string, std::uint64_t>{};
  };
  auto files = codegen::makeBundle(request);
  if (auto *made = std::get_if<codegen::BundleFiles>(&files))
    (*made)["plan.json"] = composer::planToJson(request.plan, planner.program(), planner.machine());
  return files;
}

std::variant<codegen::BundleFiles, codegen::Refusal>
bundleOf(const composer::Planner &planner, const composer::RankedPlan &plan,
         const std::string &target, const std::set<std::string> &withoutPasses,
         const std::map<std::string, std::uint64_t> &defaults) {
  codegen::BundleRequest request = bundleRequest(planner, plan, target, withoutPasses);
  request.defaults = defaults;
  return bundleOf(planner, request);
}

KernelSource sourceOf(const codegen::BundleFiles &files) {
  const auto manifest = nlohmann::json::parse(files.at("manifest.json"));
  const std::string name = manifest.at("files").at("source");
  return {name, files.at(name)};
}

std::string textOf(const codegen::Refusal &refusal) {
  if (!refusal.location.valid())
    return refusal.reason;
  return refusal.reason + " (" + refusal.location.file + ":" +
         std::to_string(refusal.location.line) + ":" + std::to_string(refusal.location.column) +
         ")";
}

} // namespace tangram::driver
