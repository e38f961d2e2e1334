// A planner's plan as a bundle, in memory.
#pragma once

#include "codegen/bundle/bundle.h"
#include "composer/plans/planner.h"

#include <map>
#include <set>
#include <string>
#include <variant>

namespace tangram::driver {

/// The bundle's files with plan.json, or why the target cannot express the plan. `defaults`: of
/// tunables, where they are known (codegen::BundleRequest).
std::variant<codegen::BundleFiles, codegen::Refusal>
bundleOf(const composer::Planner &planner, const composer::RankedPlan &plan,
         const std::string &target, const std::set<std::string> &withoutPasses = {},
         const std::map<std::string, std::uint64_t> &defaults = {});

/// What codegen is asked for, for a plan.
codegen::BundleRequest bundleRequest(const composer::Planner &planner,
                                     const composer::RankedPlan &plan, const std::string &target,
                                     const std::set<std::string> &withoutPasses);
/// The bundle's files with plan.json.
std::variant<codegen::BundleFiles, codegen::Refusal>
bundleOf(const composer::Planner &planner, const codegen::BundleRequest &request);

/// A bundle's file with the kernels.
struct KernelSource {
  std::string name;
  std::string text;
};
KernelSource sourceOf(const codegen::BundleFiles &files);

/// The reason and, where there is one, the place of what cannot be.
std::string textOf(const codegen::Refusal &refusal);

} // namespace tangram::driver
