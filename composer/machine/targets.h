// The languages that machines are driven by: how they call a level, and what follows from it. The
// one table of them; rules, passes and printers ask for what stands in it, not for a target's name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

/// The role of a level for a target, whatever the target calls it. The roles of a target's levels
/// descend.
enum class Role {
  Host,  ///< the calling thread; starts groups and waits for them (process, grid)
  Group, ///< runs side by side with its like, no meeting but the end (OpenMP thread, work-group)
  Warp,  ///< part of a group whose items step together: they meet by themselves, without the others
  Item,  ///< worker of a group, meets its like at barriers (SIMD lane, work-item)
  Unroll, ///< independent instructions of one worker: an unrolled loop (ILP)
};

struct Target {
  std::string name;
  /// The words of its language for levels, from the outermost construct to the innermost, and their
  /// roles.
  std::vector<std::string> spellings;
  std::vector<Role> roles;
  /// There is a code generator for it.
  bool generated = false;
  /// The host starts groups and can do nothing else: no loop, no variable, no element of memory.
  bool hostOnlyLaunches = false;
  /// Groups run in kernels: functions apart from the host's, with arguments and group memory of
  /// their own. Otherwise the host's function runs them, and they see its variables.
  bool groupsRunInKernels = false;
  /// The items of a group are a loop that one thread runs: they need no barriers, and what each
  /// keeps for itself is an array. Otherwise each item runs the code of its group, and they meet at
  /// barriers.
  bool itemsAreLoops = false;
  /// Groups are started in any order, so that one learns from a counter which elements come before
  /// its own. Otherwise the elements that a group takes ascend, and all groups run.
  bool groupsStartInAnyOrder = false;
  /// Bytes of a thread's stack that arrays of its own may take; 0: such arrays are not on a stack.
  std::uint64_t stackBytes = 0;

  /// The role of a level that is called `spelling`; nothing where it is no word of the target.
  std::optional<Role> roleOf(const std::string &spelling) const;
};

const std::vector<Target> &targets();
/// Null for one that is not known.
const Target *targetNamed(const std::string &name);
std::vector<std::string> targetNames();
/// Those there is a code generator for.
std::vector<std::string> generatedTargets();

} // namespace tangram::composer
