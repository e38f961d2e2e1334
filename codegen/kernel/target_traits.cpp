#include "codegen/kernel/target_traits.h"

#include <algorithm>

namespace tangram::codegen {

const std::vector<TargetTraits> &targets() {
  static const std::vector<TargetTraits> all{
      {.name = "opencl",
       .spellings = {{"grid", Role::Host},
                     {"group", Role::Group},
                     {"item", Role::Item},
                     {"unroll", Role::Unroll}},
       .hostOnlyLaunches = true,
       .groupsStartInAnyOrder = true},
      {.name = "openmp",
       .spellings = {{"process", Role::Host},
                     {"thread", Role::Group},
                     {"lane", Role::Item},
                     {"unroll", Role::Unroll}},
       .itemsAreLoops = true},
      {.name = "cuda",
       .printed = false,
       .spellings = {{"grid", Role::Host},
                     {"block", Role::Group},
                     {"warp", Role::Warp},
                     {"thread", Role::Item},
                     {"unroll", Role::Unroll}},
       .hostOnlyLaunches = true,
       .groupsStartInAnyOrder = true},
  };
  return all;
}

const TargetTraits *traitsOf(const std::string &target) {
  auto found = std::find_if(targets().begin(), targets().end(),
                            [&](const TargetTraits &each) { return each.name == target; });
  return found == targets().end() ? nullptr : &*found;
}

std::string targetNames() {
  std::string names;
  for (const TargetTraits &each : targets()) {
    if (each.printed)
      names += (names.empty() ? "" : ", ") + each.name;
  }
  return names;
}

} // namespace tangram::codegen
