// What the levels of a machine are to a target, and what follows for the code: passes ask for these, and
// no pass for a target's name.
#pragma once

#include "codegen/kernel/role.h"

#include <string>
#include <utility>
#include <vector>

namespace tangram::codegen {

struct TargetTraits {
  std::string name; ///< for messages
  /// Whether there is code for it; plans of the others can be interpreted.
  bool printed = true;
  /// What a machine's file may call a level for this target, and what it is then.
  std::vector<std::pair<std::string, Role>> spellings;
  /// The host starts groups and can do nothing else: no loop, no variable, no element of memory.
  bool hostOnlyLaunches = false;
  /// The items of a group are a loop that one thread runs: they need no barriers, and what each keeps
  /// for itself is an array. Otherwise each item runs the code of its group, and they meet at barriers.
  bool itemsAreLoops = false;
  /// Groups are started in any order, so that one learns from a counter which elements come before
  /// its own. Otherwise the elements that a group takes ascend, and all groups run.
  bool groupsStartInAnyOrder = false;
};

/// Every target that plans can be lowered for.
const std::vector<TargetTraits> &targets();

/// Null for a target that is none of them.
const TargetTraits *traitsOf(const std::string &target);

/// Of those there is a code generator for: "opencl, openmp".
std::string targetNames();

} // namespace tangram::codegen
