#include "codegen/timing/traffic.h"

#include <algorithm>
#include <cmath>

namespace tangram::codegen {

double footprint(std::vector<Walk> walks, double element, double transaction) {
  std::erase_if(walks, [](const Walk &w) { return w.count <= 1 || w.stride == 0; });
  std::ranges::sort(
      walks, [](const Walk &a, const Walk &b) { return std::abs(a.stride) < std::abs(b.stride); });
  double touched = element; // bytes, in runs of `span` with gaps between them
  double span = element;
  bool inTransactions = false;
  for (const Walk &walk : walks) {
    const double stride = std::abs(walk.stride);
    const double reach = stride * (walk.count - 1) + span;
    if (stride <= std::max(span, inTransactions ? 0 : transaction)) {
      // Runs that meet, or lie so near to each other that the same transactions bring them.
      touched = touched / span * reach;
    } else {
      if (!inTransactions)
        touched = std::max(touched, transaction);
      inTransactions = true;
      touched *= walk.count;
    }
    span = reach;
  }
  return std::max(touched, transaction);
}

double trafficBytes(const std::vector<Walk> &walks, double element, double transaction,
                    const CacheSizes &caches) {
  std::vector<Walk> inside;
  for (const Walk &walk : walks) {
    if (walk.kind == Walk::Kind::Items)
      inside.push_back(walk);
  }
  const double line = std::max(transaction, caches.line);
  double once = footprint(inside, element, transaction); // as if nothing was moved twice
  double lines = footprint(inside, element, line);       // that it takes of a cache
  double moved = once;
  double step = lines; // what a group needs in a round of its outermost loop
  for (auto walk = walks.rbegin(); walk != walks.rend(); ++walk) {
    if (walk->kind != Walk::Kind::Loop || walk->count <= 1)
      continue;
    step = lines;
    const bool kept =
        lines * caches.groupsAUnit <= caches.own || lines * caches.groups <= caches.shared;
    inside.push_back(*walk);
    lines = footprint(inside, element, line);
    const double next = footprint(inside, element, transaction);
    moved *= kept ? next / once : walk->count;
    once = next;
  }
  for (const Walk &walk : walks) {
    if (walk.kind != Walk::Kind::Groups || walk.count <= 1)
      continue;
    inside.push_back(walk);
    const double next = footprint(inside, element, transaction);
    // Groups that run together need the same at about the same time.
    const double all = footprint(inside, element, line);
    const bool kept = all <= caches.shared || step * caches.groups <= caches.shared;
    double times = kept ? std::min(next / once, walk.count) : walk.count;
    if (!kept && all <= caches.own) // by each unit
      times = std::min(times, caches.units > 0 ? caches.units * next / once : times);
    moved *= times;
    once = next;
  }
  return moved;
}

} // namespace tangram::codegen
