#include "codegen/timing/launch_times.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace tangram::codegen {

namespace {

/// Of what the longest part of a launch hides. It is no measure of how well a processor overlaps, which it does well, but
/// of how far another one is from its model: cores may have twice as much of memory each, or half.
constexpr double unhiddenOnProcessors = 0.25;
/// Of the elements that walks go over: parts are rounded up, shares are sampled.
constexpr double inexact = 0.2;
constexpr double partly = 0.5; ///< more than what is written: no ends of rows, which others meet

/// How much of what walks that begin `apart` further on touch is not touched by the same walks from 0 on, which are the
/// same a few rounds further along some of them: a part, 1 where they are elsewhere.
double elsewhere(double apart, std::vector<Walk> walks, double transaction) {
  std::ranges::sort(
      walks, [](const Walk &a, const Walk &b) { return std::abs(a.stride) > std::abs(b.stride); });
  double outside = 0;
  for (const Walk &walk : walks) {
    const double rounds = walk.stride == 0 ? 0 : std::round(apart / walk.stride);
    if (std::abs(rounds) > walk.count / 2)
      continue;
    apart -= rounds * walk.stride;
    outside += std::abs(rounds) / walk.count;
  }
  return std::abs(apart) < transaction ? std::min(1.0, outside) : 1;
}

/// How much of what an access touches others do not: a part. What is read and then written goes
/// `bothWays`.
double newPart(const PricedAccess &access, const std::vector<const PricedAccess *> &seen,
               double transaction, bool bothWays = true) {
  double part = 1;
  for (const PricedAccess *other : seen) {
    if (other->array == access.array && (!bothWays || other->writes == access.writes) &&
        std::ranges::equal(other->walks, access.walks, [](const Walk &a, const Walk &b) {
          return std::abs(a.stride - b.stride) < 0.5 && a.count == b.count;
        }))
      part = std::min(part, elsewhere(access.base - other->base, access.walks, transaction));
  }
  return part;
}

/// An access as the units see it, each time that as many items make it together as one instruction is done for.
struct Instructions {
  double count = 0;
  double lanes = 1;
  double transactions = 0; ///< of one
  double lines = 0;        ///< of one, in the units' caches

  Instructions(const PricedAccess &access, const MachineFigures &machine) : count(access.share) {
    const composer::Costs &costs = machine.costs;
    for (const Walk &walk : access.walks)
      count *= walk.count;
    // Items follow each other along the innermost dimension, then along the next one.
    std::vector<Walk> together;
    for (const Walk &walk : std::views::reverse(access.walks)) {
      if (walk.kind != Walk::Kind::Items)
        continue;
      together.push_back(walk);
      together.back().count = std::clamp(costs.lanes / lanes, 1.0, walk.count);
      lanes *= together.back().count;
    }
    count /= lanes;
    auto pieces = [&](double bytes) {
      return std::min(lanes, footprint(together, access.element, bytes) / bytes);
    };
    transactions = pieces(costs.transactionBytes);
    lines = pieces(std::max(machine.ownLine, costs.transactionBytes));
  }
};

/// Bytes of elements that are written, each as often as it is.
double bytesOfElements(const PricedAccess &access) {
  double bytes = access.share * access.element;
  for (const Walk &walk : access.walks)
    bytes *= walk.count;
  return bytes;
}

/// The account of an access, but for its times.
PredictedAccess accountOf(const PricedAccess &access, const Instructions &instructions,
                          double bytes) {
  PredictedAccess account{*access.source, access.writes};
  account.element = access.element;
  account.accessed = bytesOfElements(access);
  account.bytes = bytes;
  account.arrayBytes = access.arrayBytes;
  account.pieces = instructions.transactions;
  account.together = instructions.lanes;
  return account;
}

/// Bytes of the array where an access touches about as many elements as it has, each once: then it touches all of them,
/// wherever its walks wrap around. 0: it touches fewer, or some again.
double bytesOfWhole(const PricedAccess &access) {
  double bytes = access.share * access.element;
  for (const Walk &walk : access.walks)
    bytes *= walk.stride == 0 ? 1 : walk.count;
  const bool isWhole =
      bytes >= access.arrayBytes * (1 - inexact) && bytes <= access.arrayBytes * (1 + 2 * inexact);
  return isWhole ? std::min(bytes, access.arrayBytes) : 0;
}

constexpr double loadedAhead = 512; ///< instructions among which a core finds loads to begin
constexpr double fetchedAhead = 8;  ///< lines, of what lies in a row
constexpr double ofSharedCache =
    0.1;                           ///< how long it takes from there, of what it takes from memory
constexpr double mostStreams = 16; ///< rows of neighbours that are fetched ahead at once

/// Neighbours that an access goes along until it goes on elsewhere.
struct Run {
  double bytes = 0;
  double rounds = 1;
  double streams = 1; ///< as many at a time

  Run(const PricedAccess &access, const MachineFigures &machine) : bytes(access.element) {
    const double ahead = fetchedAhead * machine.costs.transactionBytes;
    double interleaved = 1;
    for (const Walk &walk : std::views::reverse(access.walks)) {
      const double stride = std::abs(walk.stride);
      if (walk.kind == Walk::Kind::Groups) {
        // Neighbours, which one unit does one after the other.
        const double inTurn = walk.count / machine.units;
        if (inTurn > 1 && stride > 0 && stride <= std::max(bytes, ahead)) {
          bytes += stride * (inTurn - 1);
          rounds *= inTurn;
        }
      } else if (stride <= std::max(bytes, ahead)) {
        bytes += stride * (walk.count - 1);
        rounds *= walk.count;
        streams = interleaved;
      } else if (interleaved * walk.count <= mostStreams) {
        interleaved *= walk.count;
      } else {
        return;
      }
    }
  }
};

} // namespace

double secondsUntilThere(const PricedAccess &access, double part, const CacheSizes &caches,
                         const MachineFigures &machine) {
  const composer::Costs &costs = machine.costs;
  if (access.arrayBytes > 0 && access.arrayBytes <= machine.ownCache)
    return 0;
  const auto traffic = [&](const CacheSizes &kept) {
    return part * access.share *
           trafficBytes(access.walks, access.element, costs.transactionBytes, kept);
  };
  const double bytes = traffic({0, machine.ownCache, 0, 1, 1, machine.units});
  const double far = access.arrayBytes > 0 && access.arrayBytes <= machine.sharedCache
                         ? std::min(access.arrayBytes, bytes)
                         : std::min(traffic(caches), bytes);
  const Run run(access, machine);
  const double vectors =
      run.bytes <= run.rounds * access.element ? std::min(costs.lanes, run.rounds) : 1;
  const double piece = std::max(run.bytes, costs.transactionBytes);
  const double ahead =
      std::min(loadedAhead / std::max(1.0, run.rounds * access.operations / vectors),
               machine.loadsInFlight * costs.transactionBytes / piece);
  const double flight = std::clamp(std::max(ahead, run.streams), 1.0, machine.loadsInFlight);
  return (far + (bytes - far) * ofSharedCache) / piece * costs.memorySeconds / flight;
}

bool outgrows(const Walk &loop, double cache, double line) {
  const double stride = std::abs(loop.stride);
  if (cache <= 0 || stride < line || stride != std::floor(stride))
    return false;
  double apart = line; // of places, of which the loop comes to each
  while (std::fmod(stride, 2 * apart) == 0)
    apart *= 2;
  return loop.count > cache / apart;
}

double MachineFigures::residentAUnit(double items, double local) const {
  const double resident = costs.residentAUnit(items);
  return unitLocal == 0 || local == 0 ? resident
                                      : std::clamp(std::floor(unitLocal / local), 1.0, resident);
}

double MachineFigures::bandwidthOf(double groups) const {
  return std::min(bandwidth, std::clamp(groups, 1.0, units) * costs.unitBytesPerSecond);
}

MachineFigures figuresOf(const composer::Machine &machine) {
  MachineFigures figures{machine.costs};
  figures.loadsInFlight = machine.code.loadsInFlight;
  figures.units = machine.groupUnits();
  for (const composer::Level &level : machine.levels) {
    const bool top = &level == &machine.top();
    for (const composer::Memory &m : level.memory) {
      const auto bytes = static_cast<double>(m.bytes);
      if (m.space == "local" && !top)
        figures.unitLocal = static_cast<double>(m.unitBytes);
      if (m.space == "global" && m.lineBytes != 0)
        figures.line = m.lineBytes;
      if (m.space == "global" && m.bytesPerSecond != 0)
        figures.bandwidth = static_cast<double>(m.bytesPerSecond);
      if (m.space == "cache" && top) {
        figures.sharedCache = std::max(figures.sharedCache, bytes);
        figures.sharedBandwidth = static_cast<double>(m.bytesPerSecond);
        figures.sharedLine = m.lineBytes;
      } else if (m.space == "cache" || m.space == "local") {
        figures.ownCache = std::max(figures.ownCache, bytes);
        if (m.space == "cache" && bytes > 0)
          figures.nearCache = figures.nearCache == 0 ? bytes : std::min(figures.nearCache, bytes);
      }
      if (m.space == "cache" && !top && m.bytesPerSecond != 0 && figures.ownBandwidth == 0) {
        figures.ownBandwidth = static_cast<double>(m.bytesPerSecond);
        figures.ownLine = m.lineBytes;
      }
    }
  }
  if (figures.bandwidth == 0)
    figures.bandwidth = machine.costs.bytesPerSecond;
  if (figures.sharedCache == 0)
    figures.sharedCache = machine.costs.cacheBytes;
  return figures;
}

void takeTimes(PredictedLaunch &launch, const std::vector<PricedAccess> &accesses,
               const Waiting &waiting, double operations, bool loops,
               const MachineFigures &machine) {
  const composer::Costs &costs = machine.costs;
  const double cycle = 1 / costs.cyclesPerSecond;
  const double residentAUnit = machine.residentAUnit(launch.items, launch.local);
  const double resident = std::min(launch.groups, residentAUnit * machine.units);
  const double groupsAUnit = std::max(1.0, std::ceil(resident / machine.units));
  const CacheSizes caches{machine.sharedLine, machine.ownCache, machine.sharedCache, groupsAUnit,
                          resident};
  const CacheSizes ofUnits{machine.ownLine, machine.ownCache, 0,
                           groupsAUnit,     resident,         machine.units};
  double transactions = 0;
  double lines = 0;
  double shared = 0;
  double latency = 0;
  const double bandwidth = machine.bandwidthOf(launch.groups);
  const double busy = machine.units * std::min(1.0, launch.groups / machine.units);
  const double takenASecond = busy * costs.accessBytesPerCycle * costs.cyclesPerSecond;
  std::vector<const PricedAccess *> seen;
  for (const PricedAccess &access : accesses) {
    const Instructions instructions(access, machine);
    transactions += instructions.count * instructions.transactions;
    lines += instructions.count * instructions.lines;
    const double part = newPart(access, seen, costs.transactionBytes);
    const double waited =
        loops ? secondsUntilThere(access, newPart(access, seen, costs.transactionBytes, false),
                                  caches, machine)
              : 0;
    latency += waited;
    seen.push_back(&access);
    auto traffic = [&](const CacheSizes &kept) {
      return part * access.share *
             trafficBytes(access.walks, access.element, costs.transactionBytes, kept);
    };
    double bytes = std::max(traffic(caches), part * bytesOfWhole(access));
    if (access.arrayBytes > 0 && access.arrayBytes <= machine.sharedCache)
      bytes = std::min(bytes, access.arrayBytes);
    // A transaction that is written in part is read before.
    else if (access.writes && bytes > part * bytesOfElements(access) * (1 + partly))
      bytes *= 2;
    launch.bytes += bytes;
    // The caches of units keep what they read, and write through.
    const double transacted =
        instructions.count * instructions.transactions * costs.transactionBytes;
    const double ofShared = access.writes && !loops ? transacted : traffic(ofUnits);
    shared += ofShared;
    if (!access.source)
      continue;
    PredictedAccess account = accountOf(access, instructions, bytes);
    account.memory = bytes / bandwidth;
    account.cache = machine.sharedBandwidth > 0 ? ofShared / machine.sharedBandwidth : 0;
    account.waiting = waited / std::min(machine.units, launch.groups);
    account.accesses = loops ? 0 : transacted / takenASecond;
    launch.accountOfAccesses.push_back(std::move(account));
  }
  launch.memory = launch.bytes / bandwidth;
  launch.cache = machine.sharedBandwidth > 0 ? shared / machine.sharedBandwidth : 0;
  launch.work = operations;
  if (loops) {
    launch.operations = waiting.inTurns(std::ceil(launch.groups / machine.units)) * cycle;
    launch.waiting = latency / std::min(machine.units, launch.groups);
    launch.unhidden = unhiddenOnProcessors;
    launch.oneByOne = true;
    return;
  }
  launch.accesses = transactions * costs.transactionBytes / takenASecond;
  if (machine.ownBandwidth > 0)
    launch.accesses =
        std::max(launch.accesses, lines * machine.ownLine / (busy * machine.ownBandwidth));
  launch.operations = operations / (busy * costs.operationsPerCycle) * cycle;
  const double waves = std::ceil(launch.groups / std::max(1.0, residentAUnit * machine.units));
  launch.waiting = waiting.inTurns(waves) * cycle;
}

} // namespace tangram::codegen
