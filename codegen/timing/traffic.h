// How many bytes an access moves, from how its address changes with each loop and worker around it.
#pragma once

#include <vector>

namespace tangram::codegen {

/// A loop, or the workers of a level, around an access.
struct Walk {
  enum class Kind { Groups, Loop, Items };
  Kind kind = Kind::Loop;
  double count = 1;  ///< rounds, or workers
  double stride = 0; ///< bytes from one round's or worker's element to the next one's
};

/// What stands between workers and memory.
struct CacheSizes {
  double line = 0;        ///< bytes of their lines: what stays in them
  double own = 0;         ///< bytes of cache of a unit that carries groups
  double shared = 0;      ///< bytes of cache of all of them
  double groupsAUnit = 1; ///< groups that are resident on a unit together
  double groups = 1;      ///< groups that are resident at all
  double units = 0;       ///< that keep what all their groups need; 0: those do not share a cache
};

/// Bytes of the memory transactions of `transaction` bytes that touch each element once: elements of
/// `element` bytes at 0 plus a multiple below its count of each stride.
double footprint(std::vector<Walk> walks, double element, double transaction);

/// Bytes that come from memory. `walks` from the outermost to the innermost; items walk together,
/// inside all loops of theirs. What an outer loop needs again is still in a cache if the lines of what is
/// needed in the meantime fit there.
double trafficBytes(const std::vector<Walk> &walks, double element, double transaction,
                    const CacheSizes &caches);

} // namespace tangram::codegen
