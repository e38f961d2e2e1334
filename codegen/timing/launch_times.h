// What a launch takes, from its accesses and from what its workers do: the times of PredictedLaunch.
#pragma once

#include "codegen/timing/cost.h"
#include "codegen/timing/traffic.h"

#include <optional>
#include <vector>

namespace tangram::codegen {

/// An access to global memory, each time that it is made.
struct PricedAccess {
  const ir::Var *array;
  double element;    ///< bytes
  double arrayBytes; ///< 0: unknown
  double base;       ///< bytes from the array's beginning
  double share;      ///< of its rounds and workers in which it is made
  bool writes;
  std::vector<Walk> walks;
  double operations = 1;                             ///< in a round of the innermost loop
  std::optional<AccessSource> source = std::nullopt; ///< where somebody wants to know
};

/// A machine's model with what it leaves open (composer::Costs); sizes in bytes.
struct MachineFigures {
  composer::Costs costs;
  double line = 64;
  double units = 0;
  double unitLocal = 0; ///< local memory of all groups on a unit; 0: no limit is known
  double bandwidth = 0; ///< bytes a second
  double sharedCache = 0;
  double sharedBandwidth = 0; ///< bytes a second; 0: no limit is known
  double sharedLine = 0;
  double ownCache = 0;     ///< of a unit that carries groups
  double ownBandwidth = 0; ///< of one of these; 0: no limit is known
  double ownLine = 0;
  double nearCache = 0;      ///< the smallest of a unit
  double loadsInFlight = 16; ///< of a unit

  /// Of memory, for so many groups: few of them ask for less than it could give.
  double bandwidthOf(double groups) const;
  /// Groups on a unit at once, of so many items and bytes of local memory.
  double residentAUnit(double items, double local) const;
};

/// How long cores wait for what an access asks for, all of them together, where `part` of its elements are no other's.
/// What lies near to what was read before is fetched ahead; of what does not, as much is under way at once as stands near
/// enough in the program.
double secondsUntilThere(const PricedAccess &access, double part, const CacheSizes &caches,
                         const MachineFigures &machine);

/// Whether a loop comes to more lines than its stride lets a cache of so many bytes keep: lines that lie a power of two
/// apart have few places there.
bool outgrows(const Walk &loop, double cache, double line);

MachineFigures figuresOf(const composer::Machine &machine);

/// Cycles of the worker of a group that takes longest.
struct Waiting {
  double mean = 0; ///< of all groups
  double most = 0; ///< of one

  /// So many groups at a time, one set after the other.
  double inTurns(double times) const { return std::max(most, mean * times); }
};

/// All times of a launch whose groups and items are known, but for starting it; added to what its
/// atomic operations take. `operations`: cycles of all workers; `loops`: items are a loop that one
/// worker runs.
void takeTimes(PredictedLaunch &launch, const std::vector<PricedAccess> &accesses,
               const Waiting &waiting, double operations, bool loops,
               const MachineFigures &machine);

} // namespace tangram::codegen
