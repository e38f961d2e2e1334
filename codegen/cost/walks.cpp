#include "codegen/cost/walks.h"

#include <cmath>

namespace tangram::codegen {

namespace {

/// Items in a row, or in rows: item l is at (l / w) * far + (l % w) * near for some w, as the middle
/// and the last tell.
void addItems(std::vector<Walk> &walks, const Walk &items, double middle, double last) {
  const double count = items.count;
  const double near = items.stride;
  const double halfway = std::floor((count - 1) / 2);
  auto isAt = [&](double expected, double found) { return std::abs(expected - found) < 0.5; };
  if (!isAt((count - 1) * near, last) || !isAt(halfway * near, middle)) {
    for (double w = 2; w < count; w *= 2) {
      const double rows = std::floor((count - 1) / w);
      const double far = (last - std::fmod(count - 1, w) * near) / rows;
      if (!isAt(std::floor(halfway / w) * far + std::fmod(halfway, w) * near, middle))
        continue;
      walks.push_back({items.kind, rows + 1, far});
      walks.push_back({items.kind, w, near});
      return;
    }
  }
  walks.push_back(items);
}

} // namespace

std::vector<Walk> walksOf(const std::vector<Around> &nest, const Samples &position,
                          double element) {
  std::vector<Walk> walks;
  const double base = position.at[Samples::base];
  for (std::size_t i = 0; i < nest.size(); ++i) {
    const Walk walk{nest[i].kind, nest[i].count, (position.at[nest[i].point] - base) * element};
    if (nest[i].items && walk.count > 2)
      addItems(walks, walk, (position.at[Samples::middleItem] - base) * element,
               (position.at[Samples::lastItem] - base) * element);
    else
      walks.push_back(walk);
  }
  return walks;
}

} // namespace tangram::codegen
