// How long a kernel will take, predicted from what it does and what things cost on a machine.
//
// The kernel form is walked once, with numbers for its sizes (codegen/timing/samples.h). Of every access
// it is found how its address changes with each loop and worker around it, and from that what it moves
// (codegen/timing/traffic.h); operations, meetings and atomic operations are counted. What limits a launch
// is the largest of a few times, each of which a person can check:
//
//   memory      bytes that come from memory / its bandwidth
//   cache       bytes that come from the cache that all units share, and go to it / its bandwidth
//   accesses    transactions of all accesses, cached or not / what the units can take; and lines of the
//               caches of the units / how fast these find them
//   operations  of all workers / what the units can do
//   waiting     one worker's way through its work, with what it waits for, once for each wave of groups
//   atomics     operations on the same elements, one after another
//
// The figures of a machine stand in its model ("costs"); none stands here.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <map>
#include <string>
#include <vector>

namespace tangram::codegen {

/// A loop, or the workers of a level, along which an access comes to the same element again.
struct AlongLoop {
  std::string counter;
  double count = 1;   ///< rounds, or workers
  bool isLoop = true; ///< not workers side by side
};

/// An access to global memory, as the source has it.
struct AccessSource {
  std::string array;
  ir::SourceLocation location; ///< may be invalid: the code generator made it
  std::vector<AlongLoop> again = {};
};

/// The share of one access in the times of a launch.
struct PredictedAccess {
  AccessSource source;
  bool writes = false;
  double element = 0;    ///< bytes of one, or of a vector of them
  double accessed = 0;   ///< bytes that all workers access
  double bytes = 0;      ///< that come from memory or go to it
  double arrayBytes = 0; ///< 0: unknown
  double pieces = 0;     ///< transactions of one instruction of `together` items
  double together = 1;
  double memory = 0, cache = 0, accesses = 0, waiting = 0;
};

/// Operations of all workers at a place of the source.
struct PredictedWork {
  ir::SourceLocation location;
  double operations = 0;
};

/// One launch, or what the host does between launches; seconds.
struct PredictedLaunch {
  double groups = 1;
  double items = 1; ///< of a group
  double local = 0; ///< bytes of local memory that a group has
  double bytes = 0; ///< that come from memory and go to it
  double work = 0;  ///< operations of all workers
  double memory = 0;
  double cache = 0;
  double accesses = 0;
  double operations = 0;
  double waiting = 0;
  double atomics = 0;
  double start = 0; ///< beginning and ending it
  /// This share of all that the longest part hides counts as well: on another processor of the kind, or while others
  /// are at work, another part may be the longest.
  double unhidden = 0;
  bool oneByOne = false; ///< atomic operations: nothing else is done meanwhile
  double times = 1;      ///< rounds of the host that it is done in
  /// Where the times come from, if predict() was asked to say it.
  std::vector<PredictedAccess> accountOfAccesses = {};
  std::vector<PredictedWork> accountOfWork = {};

  double seconds() const;
  /// "memory", "accesses", ...: the part that seconds() is made of.
  std::string limit() const;
};

struct Prediction {
  std::vector<PredictedLaunch> launches;
  /// Too much would have had to be looked at. In some loops it is assumed that the numbers that their bodies change stay
  /// as they are, so that their rounds are guesses.
  bool isCutShort = false;
  double seconds() const;
  /// "memory 1.3e-4 s (537 MB)", launch by launch; and what was assumed.
  std::string text() const;
};

/// `plan` as the printer gets it but for barriers (see optimizeForPrediction), with these extents, tunables and scalars.
/// `explains`: also which accesses and operations the times are made of.
Prediction predict(const LoweredPlan &plan, const std::map<const ir::Var *, double> &sizes,
                   bool explains = false);

} // namespace tangram::codegen
