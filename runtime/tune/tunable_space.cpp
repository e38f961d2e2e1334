#include "runtime/tune/tunable_space.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace tangram::runtime {

namespace {

/// A range of so few values is tried value by value.
constexpr std::uint64_t shortRange = 16;

/// The multiples of `base` by powers of two, and what halving it gives.
void addDoublings(std::vector<std::uint64_t> &values, std::uint64_t base, std::uint64_t most) {
  for (std::uint64_t value = base; value > 0; value /= 2)
    values.push_back(value);
  for (std::uint64_t value = base; value > 0 && value <= most / 2;)
    values.push_back(value *= 2);
}

/// As large as a launch tunable need be: as many as there is anything of.
std::uint64_t workOf(const Manifest &manifest, const Bindings &bindings) {
  std::uint64_t most = 1;
  for (const Parameter &p : manifest.signature.parameters) {
    std::uint64_t elements = 1;
    for (const std::string &extent : p.extents) {
      auto found = bindings.values.find(extent);
      if (found == bindings.values.end() ||
          __builtin_mul_overflow(elements, static_cast<std::uint64_t>(found->second), &elements))
        return UINT64_MAX;
    }
    most = std::max(most, elements);
  }
  return most;
}

} // namespace

std::vector<std::uint64_t> gridOf(const Tunable &tunable, std::uint64_t standard,
                                  std::uint64_t most, const Bindings &bindings) {
  std::vector<std::uint64_t> values = tunable.values;
  if (values.empty()) {
    const std::uint64_t top =
        tunable.compileTime ? tunable.max : std::max(tunable.min, std::min(tunable.max, most));
    if (top - std::min(top, tunable.min) < shortRange) {
      for (std::uint64_t value = tunable.min; value <= top; ++value)
        values.push_back(value);
    } else {
      addDoublings(values, 1, top);
      addDoublings(values, standard, top);
      values.insert(values.end(), {tunable.min, tunable.compileTime ? tunable.max : top});
      std::erase_if(values, [&](std::uint64_t value) { return value > top; });
    }
    for (const Expression &each : tunable.tries) {
      if (Result<std::uint64_t> value = each.evaluate(bindings))
        values.push_back(*value);
    }
  }
  values.push_back(standard);
  std::erase_if(values, [&](std::uint64_t value) {
    return value != standard && (value == 0 || !tunable.allows(value));
  });
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

TunableSpace::TunableSpace(const Manifest &manifest, const std::vector<Requirement> &all,
                           const Bindings &given, const TunableValues &standard,
                           const TunableValues &fixed)
    : theStandard(standard), bindings(given) {
  for (const auto &[name, value] : given.values)
    known[name] = {value, value};
  Bindings withStandard = given;
  withStandard.values.insert(standard.begin(), standard.end());
  const std::uint64_t most = workOf(manifest, given);
  for (bool compileTime : {true, false}) {
    for (const Tunable &t : manifest.tunables) {
      if (t.compileTime != compileTime)
        continue;
      const std::uint64_t usual = standard.at(t.name);
      theAxes.push_back({t.name, compileTime,
                         fixed.contains(t.name) ? std::vector<std::uint64_t>{usual}
                                                : gridOf(t, usual, most, withStandard)});
    }
  }
  for (const Requirement &r : all) {
    std::vector<std::size_t> axes;
    for (std::size_t a = 0; a < theAxes.size(); ++a) {
      if (std::find(r.names.begin(), r.names.end(), theAxes[a].name) != r.names.end())
        axes.push_back(a);
    }
    if (axes.empty()) {
      solvable = solvable && !r.violation(given);
      continue;
    }
    requirements.push_back(&r);
    axesOf.push_back(std::move(axes));
  }
}

bool TunableSpace::narrow(Domains &domains, std::vector<bool> changed) const {
  Ranges ranges = known;
  auto range = [&](std::size_t axis) {
    ranges[theAxes[axis].name] = {domains[axis].front(), domains[axis].back()};
  };
  for (std::size_t axis = 0; axis < domains.size(); ++axis)
    range(axis);
  while (std::find(changed.begin(), changed.end(), true) != changed.end()) {
    const std::vector<bool> now = std::exchange(changed, std::vector<bool>(domains.size(), false));
    for (std::size_t r = 0; r < requirements.size(); ++r) {
      if (std::none_of(axesOf[r].begin(), axesOf[r].end(), [&](std::size_t a) { return now[a]; }))
        continue;
      for (std::size_t axis : axesOf[r]) {
        Interval &own = ranges[theAxes[axis].name];
        const std::size_t before = domains[axis].size();
        std::erase_if(domains[axis], [&](std::uint64_t value) {
          own = {value, value};
          return !requirements[r]->possible(ranges);
        });
        if (domains[axis].empty())
          return false;
        range(axis);
        changed[axis] = changed[axis] || domains[axis].size() != before;
      }
    }
  }
  return true;
}

TunableValues TunableSpace::valuesOf(const Domains &domains) const {
  TunableValues values;
  for (std::size_t axis = 0; axis < domains.size(); ++axis)
    values[theAxes[axis].name] = domains[axis].front();
  return values;
}

bool TunableSpace::holds(const TunableValues &values) const {
  Bindings all = bindings;
  for (const auto &[name, value] : values)
    all.values[name] = value;
  return std::none_of(requirements.begin(), requirements.end(),
                      [&](const Requirement *r) { return r->violation(all).has_value(); });
}

bool TunableSpace::visit(const Domains &domains, std::size_t next, std::mt19937_64 *numbers,
                         const std::function<bool(const TunableValues &)> &take) const {
  if (next == domains.size()) {
    const TunableValues values = valuesOf(domains);
    if (holds(values))
      return take(values);
    ++theRejected;
    return true;
  }
  std::vector<std::uint64_t> values = domains[next];
  if (numbers)
    std::shuffle(values.begin(), values.end(), *numbers);
  for (std::uint64_t value : values) {
    Domains narrowed = domains;
    narrowed[next] = {value};
    std::vector<bool> changed(domains.size(), false);
    changed[next] = domains[next].size() > 1;
    if (narrow(narrowed, std::move(changed)) && !visit(narrowed, next + 1, numbers, take))
      return false;
  }
  return true;
}

void TunableSpace::solve(std::mt19937_64 *numbers,
                         const std::function<bool(const TunableValues &)> &take) const {
  Domains domains;
  for (const TunableAxis &axis : theAxes)
    domains.push_back(axis.values);
  if (solvable && narrow(domains, std::vector<bool>(domains.size(), true)))
    visit(domains, 0, numbers, take);
}

void TunableSpace::forEach(const std::function<bool(const TunableValues &)> &take) const {
  solve(nullptr, take);
}

std::size_t TunableSpace::count(std::size_t most) const {
  std::size_t found = 0;
  forEach([&](const TunableValues &) { return ++found < most; });
  return found;
}

bool TunableSpace::allows(const TunableValues &values) const {
  return solvable &&
         std::all_of(theAxes.begin(), theAxes.end(),
                     [&](const TunableAxis &axis) {
                       auto found = values.find(axis.name);
                       return found != values.end() &&
                              std::binary_search(axis.values.begin(), axis.values.end(),
                                                 found->second);
                     }) &&
         holds(values);
}

std::optional<TunableValues> TunableSpace::random(std::mt19937_64 &numbers) const {
  std::optional<TunableValues> found;
  solve(&numbers, [&](const TunableValues &values) {
    found = values;
    return false;
  });
  return found;
}

std::vector<std::uint64_t> TunableSpace::steps(std::size_t axis, std::uint64_t from,
                                               bool up) const {
  const std::vector<std::uint64_t> &all = theAxes[axis].values;
  const auto at = std::lower_bound(all.begin(), all.end(), from);
  std::vector<std::uint64_t> found;
  if (up) {
    if (at + 1 < all.end())
      found.push_back(*(at + 1));
    const auto twice = std::lower_bound(all.begin(), all.end(), from * 2);
    if (twice != all.end() && twice > at + 1)
      found.push_back(*twice);
  } else if (at != all.begin()) {
    found.push_back(*(at - 1));
    const auto half = std::upper_bound(all.begin(), all.end(), from / 2);
    if (half != all.begin() && half < at)
      found.push_back(*(half - 1));
  }
  return found;
}

std::vector<TunableValues> TunableSpace::neighbours(const TunableValues &values) const {
  std::set<TunableValues> found;
  auto add = [&](const TunableValues &each) {
    if (holds(each))
      found.insert(each);
  };
  for (std::size_t axis = 0; axis < theAxes.size(); ++axis) {
    const std::string &name = theAxes[axis].name;
    for (std::uint64_t down : steps(axis, values.at(name), false)) {
      TunableValues one = values;
      one[name] = down;
      add(one);
    }
    for (std::uint64_t up : steps(axis, values.at(name), true)) {
      TunableValues one = values;
      one[name] = up;
      add(one);
      for (std::size_t other = 0; other < theAxes.size(); ++other) {
        if (other == axis)
          continue;
        for (std::uint64_t down : steps(other, values.at(theAxes[other].name), false)) {
          TunableValues two = one;
          two[theAxes[other].name] = down;
          add(two);
        }
      }
    }
  }
  return {found.begin(), found.end()};
}

std::vector<TunableValues> TunableSpace::alongAxes(const TunableValues &values) const {
  std::vector<TunableValues> found;
  for (const TunableAxis &axis : theAxes) {
    TunableValues each = values;
    for (std::uint64_t value : axis.values) {
      each[axis.name] = value;
      if (value != values.at(axis.name) && holds(each))
        found.push_back(each);
    }
  }
  return found;
}

std::vector<double> TunableSpace::position(const TunableValues &values) const {
  std::vector<double> position;
  for (const TunableAxis &axis : theAxes) {
    auto log = [](std::uint64_t value) { return std::log2(static_cast<double>(value) + 1); };
    const double low = log(axis.values.front()), high = log(axis.values.back());
    position.push_back(high > low ? (log(values.at(axis.name)) - low) / (high - low) : 0);
  }
  return position;
}

} // namespace tangram::runtime
