#include "codegen/timing/activity.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace tangram::codegen {

namespace {

double average(std::span<const double> parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0) / static_cast<double>(parts.size());
}

constexpr std::array<std::size_t, Activity::itemsTried> samplesOfItems{
    Samples::base,       Samples::between,     Samples::between + 1, Samples::middleItem,
    Samples::middleItem, Samples::between + 2, Samples::between + 3, Samples::lastItem};

/// A sum and of how much.
struct Weighted {
  double sum = 0;
  double weight = 0;

  void add(double value, double share) {
    if (value == 0 || share <= 0)
      return;
    sum += share * value;
    weight += share;
  }
  double mean(double otherwise) const { return weight > 0 ? sum / weight : otherwise; }
};

} // namespace

double meanOf(const Samples &s, const Activity &active, bool hasItems, bool hasGroups) {
  const double base = s.at[Samples::base];
  Weighted items;
  for (std::size_t i = 0; i < samplesOfItems.size(); ++i)
    items.add(hasItems ? s.at[samplesOfItems[i]] : base, active.items[i]);
  Weighted groups;
  for (std::size_t i = 0; hasGroups && i < Samples::groupsTried; ++i)
    groups.add(s.at[Samples::groups + i], active.groups[i]);
  if (base == 0) // the first item of all groups stays away
    return std::max(items.mean(0), groups.mean(0));
  const double ofItems = items.mean(base);
  const double ofGroups = groups.mean(base);
  if (ofItems > base &&
      ofGroups > base) // those of the first item of all are least, and others have more
    return ofItems + ofGroups - base;
  return ofItems * ofGroups / base;
}

double Activity::shareOfGroups() const { return part * average(groups); }

double Activity::share() const { return average(items) * shareOfGroups(); }

Spread spreadOf(const Samples &s, const Activity &active, bool hasItems, bool hasGroups) {
  Spread spread{0, active};
  double itemMost = 0;
  double groupMost = 0;
  auto item = [&](std::size_t i) { return s.at[hasItems ? samplesOfItems[i] : Samples::base]; };
  auto group = [&](std::size_t i) { return s.at[Samples::groups + i]; };
  for (std::size_t i = 0; i < samplesOfItems.size(); ++i) {
    if (active.items[i] > 0 && active.groups[0] > 0)
      itemMost = std::max(itemMost, item(i));
  }
  for (std::size_t i = 0; hasGroups && i < Samples::groupsTried; ++i) {
    if (active.groups[i] > 0)
      groupMost = std::max(groupMost, group(i));
  }
  for (std::size_t i = 0; itemMost > 0 && i < samplesOfItems.size(); ++i)
    spread.active.items[i] *= std::max(0.0, item(i)) / itemMost;
  for (std::size_t i = 0; groupMost > 0 && i < Samples::groupsTried; ++i)
    spread.active.groups[i] *= std::max(0.0, group(i)) / groupMost;
  spread.firstGroupAlone = hasGroups && itemMost > 0 && groupMost <= 0;
  spread.most = std::max(itemMost, groupMost);
  if (spread.most <= 0)
    spread.active.items.fill(0);
  return spread;
}

} // namespace tangram::codegen
