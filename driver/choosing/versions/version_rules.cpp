#include "driver/choosing/versions/version_rules.h"

#include "algebra/size_expression.h"
#include "driver/choosing/versions/size_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>

namespace tangram::driver {

using codegen::VersionRule;

namespace {

using Points = std::vector<std::uint32_t>; ///< ascending

/// Points whose feature is below the threshold go one way.
struct Split {
  std::size_t feature = 0;
  std::uint64_t threshold = 0;
};

struct Tree;
using TreePtr = std::shared_ptr<const Tree>;

struct Tree {
  double cost = 0; ///< of its points together
  std::size_t version = 0;
  Split split = {};
  TreePtr below = nullptr, above = nullptr; ///< both or none

  std::size_t leaves() const { return below ? below->leaves() + above->leaves() : 1; }
};

/// More than `low` and at most `high`: the power of 2 in the middle, or the number there.
std::uint64_t between(std::uint64_t low, std::uint64_t high) {
  const double middle =
      std::sqrt(std::max(static_cast<double>(low), 0.5) * static_cast<double>(high));
  const auto power = std::uint64_t{1}
                     << static_cast<unsigned>(std::clamp(std::round(std::log2(middle)), 0.0, 62.0));
  if (low < power && power <= high)
    return power;
  return std::clamp(static_cast<std::uint64_t>(middle), low + 1, high);
}

/// Trees of the least cost, by points and leaves.
class TreeSearch {
public:
  TreeSearch(const std::vector<SizeFeature> &features,
             const std::vector<std::vector<double>> &costs)
      : features_(features), costs_(costs) {}

  TreePtr best(const Points &points, std::size_t leaves) {
    const auto key = std::pair(points, leaves);
    if (const auto known = known_.find(key); known != known_.end())
      return known->second;
    TreePtr tree = leaf(points);
    for (const Split &split : leaves > 1 ? splitsOf(points) : std::vector<Split>{}) {
      Points below, above;
      for (std::uint32_t p : points)
        (features_[split.feature].values[p] < split.threshold ? below : above).push_back(p);
      for (std::size_t left = 1; left < leaves; ++left) {
        const TreePtr one = best(below, left);
        const TreePtr other = best(above, leaves - left);
        if (one->cost + other->cost < tree->cost)
          tree = std::make_shared<Tree>(Tree{one->cost + other->cost, 0, split, one, other});
      }
    }
    known_.emplace(key, tree);
    return tree;
  }

private:
  TreePtr leaf(const Points &points) const {
    Tree best{std::numeric_limits<double>::infinity()};
    for (std::size_t version = 0; version < costs_.size(); ++version) {
      double sum = 0;
      for (std::uint32_t p : points)
        sum += costs_[version][p];
      if (sum < best.cost)
        best = Tree{sum, version};
    }
    return std::make_shared<Tree>(best);
  }

  std::vector<Split> splitsOf(const Points &points) const {
    std::vector<Split> splits;
    for (std::size_t f = 0; f < features_.size(); ++f) {
      std::set<std::uint64_t> values;
      for (std::uint32_t p : points)
        values.insert(features_[f].values[p]);
      for (auto low = values.begin(), high = std::next(low); high != values.end(); ++low, ++high)
        splits.push_back({f, between(*low, *high)});
    }
    return splits;
  }

  const std::vector<SizeFeature> &features_;
  const std::vector<std::vector<double>> &costs_;
  std::map<std::pair<Points, std::size_t>, TreePtr> known_;
};

/// Of one feature on the way to a leaf; what rules before it have dealt with is left out.
struct Bounds {
  std::optional<std::uint64_t> least, below;
};

/// Leaves in turn. Behind a side that is dealt with altogether the other needs no condition.
class RuleWriter {
public:
  explicit RuleWriter(const std::vector<SizeFeature> &features)
      : features_(features), bounds_(features.size()) {}

  std::vector<VersionRule> run(const Tree &tree) {
    write(tree);
    return std::move(rules_);
  }

private:
  void write(const Tree &tree) {
    if (!tree.below) {
      rules_.push_back({condition(), tree.version});
      return;
    }
    Bounds &bounds = bounds_[tree.split.feature];
    const Bounds before = bounds;
    const bool aboveFirst = !tree.above->below && tree.below->below;
    if (aboveFirst)
      bounds.least = std::max(bounds.least.value_or(0), tree.split.threshold);
    else
      bounds.below = std::min(bounds.below.value_or(UINT64_MAX), tree.split.threshold);
    write(aboveFirst ? *tree.above : *tree.below);
    bounds_[tree.split.feature] = before;
    write(aboveFirst ? *tree.below : *tree.above);
  }

  std::string condition() const {
    std::string text;
    auto add = [&](const std::string &part) { text += (text.empty() ? "" : " && ") + part; };
    for (std::size_t f = 0; f < features_.size(); ++f) {
      if (bounds_[f].least)
        add(features_[f].text + " >= " + std::to_string(*bounds_[f].least));
      if (bounds_[f].below)
        add(features_[f].text + " < " + std::to_string(*bounds_[f].below));
    }
    return text;
  }

  const std::vector<SizeFeature> &features_;
  std::vector<Bounds> bounds_; ///< by feature
  std::vector<VersionRule> rules_;
};

} // namespace

std::vector<SizeFeature> featuresOf(const std::vector<std::map<std::string, std::uint64_t>> &points,
                                    const runtime::Signature &signature) {
  std::vector<SizeFeature> features;
  for (const std::string &extent : freeExtents(signature)) {
    SizeFeature feature{extent, {}};
    for (const auto &point : points)
      feature.values.push_back(point.at(extent));
    if (!std::ranges::all_of(feature.values,
                             [&](std::uint64_t each) { return each == feature.values.front(); }))
      features.push_back(std::move(feature));
  }
  const std::vector<SizeFeature> extents = features;
  auto find = [&](const std::string &extent) {
    return std::ranges::find(extents, extent, &SizeFeature::text);
  };
  for (const runtime::Parameter &p : signature.parameters) {
    if (p.extents.size() != 2 || p.extents[0] == p.extents[1])
      continue;
    const auto rows = find(p.extents[0]), columns = find(p.extents[1]);
    if (rows == extents.end() || columns == extents.end())
      continue;
    SizeFeature product{rows->text + " * " + columns->text, {}};
    for (std::size_t i = 0; i < points.size(); ++i)
      product.values.push_back(rows->values[i] * columns->values[i]);
    if (std::ranges::count(features, product.text, &SizeFeature::text) == 0)
      features.push_back(std::move(product));
  }
  return features;
}

std::vector<VersionRule> rulesFor(const std::vector<SizeFeature> &features,
                                  const std::vector<std::vector<double>> &costs,
                                  const RuleOptions &options) {
  Points all(costs.front().size());
  for (std::uint32_t i = 0; i < all.size(); ++i)
    all[i] = i;
  TreeSearch search(features, costs);
  TreePtr chosen = search.best(all, 1);
  const double least = options.leastGain * static_cast<double>(all.size());
  for (std::size_t leaves = 2; leaves <= options.mostRules; ++leaves) {
    const TreePtr more = search.best(all, leaves);
    const auto added = static_cast<double>(more->leaves() - chosen->leaves());
    if (chosen->cost - more->cost > least * added)
      chosen = more;
  }
  return RuleWriter(features).run(*chosen);
}

std::size_t versionAt(const std::vector<VersionRule> &rules,
                      const std::vector<SizeFeature> &features, std::size_t point) {
  algebra::SizeBindings bindings;
  for (const SizeFeature &feature : features)
    bindings.values[feature.text] = feature.values[point];
  for (const VersionRule &rule : rules) {
    if (rule.when.empty())
      return rule.version;
    const auto condition =
        std::get<algebra::SizeExpression>(algebra::SizeExpression::parse(rule.when));
    if (std::get<__int128>(condition.evaluate(bindings)) != 0)
      return rule.version;
  }
  return 0;
}

} // namespace tangram::driver
