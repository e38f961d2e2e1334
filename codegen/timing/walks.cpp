#include "codegen/timing/walks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace tangram::codegen {

namespace {

constexpr double mostApart = 64; ///< bytes from item to item, of which the first may be held back
constexpr double mostHeld = 16;  ///< items that it is held back by

/// The stride of items that follow each other, of which the first one alone is held back, at an end of the data.
/// Nothing where they lie apart by no whole number of elements.
std::optional<double> heldBack(const Walk &items, double middle, double last, double element) {
  const double halfway = std::floor((items.count - 1) / 2);
  const double stride = (last - middle) / (items.count - 1 - halfway);
  const double held = halfway * stride - middle;
  const bool whole = stride != 0 && std::abs(std::remainder(stride, element)) < 1e-6 &&
                     std::abs(stride) <= mostApart &&
                     std::abs(std::remainder(held, element)) < 1e-6;
  const bool little = held / stride > 0 && held / stride <= mostHeld &&
                      items.stride / stride >= 0 && items.stride / stride < 1;
  return whole && little ? std::optional(stride) : std::nullopt;
}

/// Items in a row, or in rows: item l is at (l / w) * far + (l % w) * near for some w, as the middle
/// and the last tell.
void addItems(std::vector<Walk> &walks, const Walk &items, double middle, double last,
              double element) {
  const double count = items.count;
  const double near = items.stride;
  const double halfway = std::floor((count - 1) / 2);
  auto isAt = [&](double expected, double found) { return std::abs(expected - found) < 0.5; };
  if (!isAt((count - 1) * near, last) || !isAt(halfway * near, middle)) {
    if (const auto stride = heldBack(items, middle, last, element)) {
      walks.push_back({items.kind, count, *stride});
      return;
    }
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

/// Where the groups are that are tried: bytes from the first one on.
struct TriedGroups {
  std::array<double, Samples::groupsTried> number{};
  std::array<double, Samples::groupsTried> apart{};
};

/// Steps of group `number` along a row, from row to row, and from rows to rows, of which so many groups are one.
std::array<double, 3> stepsTo(double number, const std::vector<double> &rows) {
  std::array<double, 3> steps{};
  for (std::size_t k = rows.size(); k > 0; --k) {
    steps.at(k) = std::floor(number / rows[k - 1]);
    number = std::fmod(number, rows[k - 1]);
  }
  steps[0] = number;
  return steps;
}

/// The unknowns of as many linear equations, each with its right side at its end; nothing where these do not say.
std::optional<std::vector<double>> solved(std::vector<std::vector<double>> equations) {
  const std::size_t n = equations.size();
  for (std::size_t k = 0; k < n; ++k) {
    const auto pivot = std::max_element(
        equations.begin() + static_cast<std::ptrdiff_t>(k), equations.end(),
        [&](const auto &a, const auto &b) { return std::abs(a[k]) < std::abs(b[k]); });
    if (std::abs((*pivot)[k]) < 1e-9)
      return std::nullopt;
    std::iter_swap(equations.begin() + static_cast<std::ptrdiff_t>(k), pivot);
    for (std::size_t i = 0; i < n; ++i) {
      const double times = i == k ? 0 : equations[i][k] / equations[k][k];
      for (std::size_t c = k; c <= n; ++c)
        equations[i][c] -= times * equations[k][c];
    }
  }
  std::vector<double> unknowns;
  for (std::size_t k = 0; k < n; ++k)
    unknowns.push_back(equations[k][n] / equations[k][k]);
  return unknowns;
}

/// The strides of such steps; nothing where groups are elsewhere. The first group may be held back at an end of the
/// data, as those that are tried are not, and so may be what it says of the `first` stride.
std::optional<std::vector<double>> stridesOf(const TriedGroups &tried, double first,
                                             const std::vector<double> &rows) {
  const std::size_t strides = rows.size() + 1;
  std::vector<std::vector<double>> equations;
  for (std::size_t i = 0; i < Samples::groupsTried; ++i) {
    if (tried.number.at(i) == 0)
      continue; // of a few, the first one is tried, too
    const auto steps = stepsTo(tried.number.at(i), rows);
    equations.emplace_back(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(strides));
    equations.back().push_back(1); // how far the first group is held back
    equations.back().push_back(tried.apart.at(i));
  }
  const auto areRight = [&](const std::vector<double> &unknowns) {
    return std::ranges::all_of(equations, [&](const std::vector<double> &each) {
      return std::abs(std::inner_product(unknowns.begin(), unknowns.end(), each.begin(), 0.0) -
                      each.back()) < 0.5;
    });
  };
  if (rows.empty() && areRight({first, 0}))
    return std::vector{first};
  // Of so many groups one behind the other that say it: the first ones and the last ones.
  for (std::size_t from = 0; from + strides < equations.size(); ++from) {
    const auto begin = equations.begin() + static_cast<std::ptrdiff_t>(from);
    auto unknowns = solved({begin, begin + static_cast<std::ptrdiff_t>(strides) + 1});
    if (!unknowns)
      continue;
    if (!areRight(*unknowns))
      return std::nullopt;
    unknowns->pop_back();
    return unknowns;
  }
  return std::nullopt;
}

/// Groups one behind the other, in rows, or in rows of rows, as those say that are tried. Rows may be as long as what
/// their number was divided by.
void addGroups(std::vector<Walk> &walks, const Walk &groups, const Samples &position,
               double element, const SampledValues &values) {
  TriedGroups tried;
  for (std::size_t i = 0; i < Samples::groupsTried; ++i) {
    tried.number.at(i) = values.groups().at.at(Samples::groups + i);
    tried.apart.at(i) =
        (position.at.at(Samples::groups + i) - position.at[Samples::base]) * element;
  }
  std::vector<std::vector<double>> all{{}};
  for (const double row : values.rowsOfGroups()) {
    all.push_back({row});
    for (const double larger : values.rowsOfGroups()) {
      if (larger > row && std::fmod(larger, row) == 0)
        all.push_back({row, larger});
    }
  }
  for (const std::vector<double> &rows : all) {
    const auto strides = stridesOf(tried, groups.stride, rows);
    if (!strides)
      continue;
    for (std::size_t k = rows.size() + 1; k > 0; --k) {
      const double end = k - 1 < rows.size() ? rows[k - 1] : groups.count;
      const double step = k == 1 ? 1 : rows[k - 2];
      walks.push_back({groups.kind, std::ceil(end / step), strides->at(k - 1)});
    }
    return;
  }
  walks.push_back(groups);
}

} // namespace

std::vector<Walk> walksOf(const std::vector<Around> &nest, const Samples &position, double element,
                          const SampledValues &values) {
  std::vector<Walk> walks;
  const double base = position.at[Samples::base];
  for (std::size_t i = 0; i < nest.size(); ++i) {
    const Walk walk{nest[i].kind, nest[i].count,
                    (position.at[nest[i].point] - base) / nest[i].apart * element};
    if (nest[i].items && walk.count > 2)
      addItems(walks, walk, (position.at[Samples::middleItem] - base) * element,
               (position.at[Samples::lastItem] - base) * element, element);
    else if (walk.kind == Walk::Kind::Groups && walk.count > 2)
      addGroups(walks, walk, position, element, values);
    else
      walks.push_back(walk);
  }
  return walks;
}

} // namespace tangram::codegen
