#include "codegen/cost/launch_times.h"

#include <algorithm>
#include <cmath>

namespace tangram::codegen {

namespace {

constexpr double nearBytes = 4096; ///< between accesses to the same place

/// Whether another access moves the same lines.
bool isNear(const Access &access, const std::vector<const Access *> &seen) {
  return std::ranges::any_of(seen, [&](const Access *other) {
    return other->array == access.array && std::abs(other->base - access.base) <= nearBytes &&
           std::ranges::equal(other->walks, access.walks, [](const Walk &a, const Walk &b) {
             return a.stride == b.stride && a.count == b.count;
           });
  });
}

/// Transactions of an access, made by as many items together as one instruction is done for.
double transactionsOf(const Access &access, const composer::Costs &costs) {
  double all = access.share;
  double lanes = 1;
  std::vector<Walk> together;
  for (const Walk &walk : access.walks) {
    all *= walk.count;
    if (walk.kind != Walk::Kind::Items)
      continue;
    together.push_back(walk);
    together.back().count = std::min(walk.count, costs.lanes);
    lanes *= together.back().count;
  }
  lanes = std::min(lanes, costs.lanes);
  const double touched = footprint(together, access.element, costs.transactionBytes);
  return all / lanes * std::min(lanes, touched / costs.transactionBytes);
}

} // namespace

MachineFigures figuresOf(const composer::Machine &machine) {
  MachineFigures figures{machine.costs};
  figures.units = machine.groupUnits();
  for (const composer::Level &level : machine.levels) {
    const bool top = &level == &machine.top();
    for (const composer::Memory &m : level.memory) {
      const auto bytes = static_cast<double>(m.bytes);
      if (m.space == "global" && m.lineBytes != 0)
        figures.line = m.lineBytes;
      if (m.space == "global" && m.bytesPerSecond != 0)
        figures.bandwidth = static_cast<double>(m.bytesPerSecond);
      if (m.space == "cache" && top)
        figures.sharedCache = std::max(figures.sharedCache, bytes);
      else if (m.space == "cache" || m.space == "local")
        figures.ownCache = std::max(figures.ownCache, bytes);
    }
  }
  if (figures.bandwidth == 0)
    figures.bandwidth = machine.costs.bytesPerSecond;
  if (figures.sharedCache == 0)
    figures.sharedCache = machine.costs.cacheBytes;
  return figures;
}

void takeTimes(PredictedLaunch &launch, const std::vector<Access> &accesses, double waiting,
               double operations, bool loops, const MachineFigures &machine) {
  const composer::Costs &costs = machine.costs;
  const double cycle = 1 / costs.cyclesPerSecond;
  const double residentAUnit = costs.residentAUnit(launch.items);
  const double resident = std::min(launch.groups, residentAUnit * machine.units);
  const CacheSizes caches{machine.ownCache, machine.sharedCache,
                          std::max(1.0, std::ceil(resident / machine.units)), resident};
  double transactions = 0;
  std::vector<const Access *> seen;
  for (const Access &access : accesses) {
    transactions += transactionsOf(access, costs);
    if (isNear(access, seen))
      continue;
    seen.push_back(&access);
    double bytes =
        access.share * trafficBytes(access.walks, access.element, costs.transactionBytes, caches);
    if (access.arrayBytes > 0 && access.arrayBytes <= machine.sharedCache)
      bytes = std::min(bytes, access.arrayBytes);
    launch.bytes += bytes;
  }
  launch.memory = launch.bytes / machine.bandwidth;
  launch.work = operations;
  if (loops) {
    launch.operations = waiting * std::ceil(launch.groups / machine.units) * cycle;
    return;
  }
  const double busy = machine.units * std::min(1.0, launch.groups / machine.units);
  launch.accesses =
      transactions * costs.transactionBytes / (busy * costs.accessBytesPerCycle) * cycle;
  launch.operations = operations / (busy * costs.operationsPerCycle) * cycle;
  const double waves = std::ceil(launch.groups / std::max(1.0, residentAUnit * machine.units));
  launch.waiting = waiting * waves * cycle;
}

} // namespace tangram::codegen
