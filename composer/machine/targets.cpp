#include "composer/machine/targets.h"

#include <algorithm>

namespace tangram::composer {

namespace {

/// CUDA; machines are projected onto cuda without their warps, and onto cuda-warps with them (machine_project.cpp).
Target cuda(const char *name) {
  return {.name = name,
          .spellings = {"grid", "block", "warp", "thread", "unroll"},
          .roles = {Role::Host, Role::Group, Role::Warp, Role::Item, Role::Unroll},
          .generated = true,
          .hostOnlyLaunches = true,
          .groupsRunInKernels = true,
          .groupsStartInAnyOrder = true};
}

} // namespace

const std::vector<Target> &targets() {
  static const std::vector<Target> all = {
      {.name = "opencl",
       .spellings = {"grid", "group", "item", "unroll"},
       .roles = {Role::Host, Role::Group, Role::Item, Role::Unroll},
       .generated = true,
       .hostOnlyLaunches = true,
       .groupsRunInKernels = true,
       .groupsStartInAnyOrder = true},
      {.name = "openmp",
       .spellings = {"process", "thread", "lane", "unroll"},
       .roles = {Role::Host, Role::Group, Role::Item, Role::Unroll},
       .generated = true,
       .itemsAreLoops = true,
       .stackBytes = 4 << 20}, // half of what Linux gives each
      cuda("cuda"),
      cuda("cuda-warps"),
      {.name = "c",
       .spellings = {"process", "lane", "unroll"},
       .roles = {Role::Host, Role::Item, Role::Unroll},
       .generated = true,
       .itemsAreLoops = true,
       .stackBytes = 4 << 20}};
  return all;
}

std::optional<Role> Target::roleOf(const std::string &spelling) const {
  const auto found = std::ranges::find(spellings, spelling);
  if (found == spellings.end())
    return std::nullopt;
  return roles[static_cast<std::size_t>(found - spellings.begin())];
}

const Target *targetNamed(const std::string &name) {
  const auto found = std::ranges::find(targets(), name, &Target::name);
  return found == targets().end() ? nullptr : &*found;
}

std::vector<std::string> targetNames() {
  std::vector<std::string> names;
  for (const Target &target : targets())
    names.push_back(target.name);
  return names;
}

std::vector<std::string> generatedTargets() {
  std::vector<std::string> names;
  for (const Target &target : targets()) {
    if (target.generated)
      names.push_back(target.name);
  }
  return names;
}

} // namespace tangram::composer
