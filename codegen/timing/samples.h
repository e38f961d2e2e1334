// What the numbers of a kernel are, and how they change, at a few points instead of all: at the first item
// of the first group, which has work if any has; at others of its items, in other groups; and one round or
// worker further along each loop around. Differences of these are strides, whatever the expressions are.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <array>
#include <map>
#include <set>

namespace tangram::codegen {

/// A number at each point.
struct Samples {
  static constexpr std::size_t most = 32;
  static constexpr std::size_t base = 0, middleItem = 1, lastItem = 2;
  static constexpr std::size_t groups = 3, groupsTried = 6; ///< in the middle of as many parts
  /// One item further, along each dimension of items: the same places for all pieces of code that items
  /// run, which see each other's variables.
  static constexpr std::size_t items = groups + groupsTried, itemDimensions = 3;
  /// Items between the first, the one in the middle and the last: their numbers end differently, as those of neighbours
  /// do that divide work by the rest of a division.
  static constexpr std::size_t between = items + itemDimensions, betweenTried = 4;
  static constexpr std::size_t steps = between + betweenTried; ///< of loops and groups
  std::array<double, most> at{};

  static Samples all(double value) {
    Samples s;
    s.at.fill(value);
    return s;
  }

  /// The number of one of the groups that are tried, of so many.
  static double groupTried(std::size_t part, double groups);
  /// A fifth, a third, two thirds and four fifths of the items, whose numbers end differently.
  static double itemTried(std::size_t number, double items);
  /// A group's number at each sample, where a launch has `groups` groups; an item's, of `items`.
  static Samples numberOfGroups(double groups);
  static Samples numberOfItems(double items);

  /// Whether a condition does not hold, or in what share of cases.
  Samples opposite() const;
  /// The number after `rounds` rounds, if it changes by equal steps; `next` is it after one.
  Samples after(double rounds, const Samples &next) const;
};

/// Values of variables at the points.
class SampledValues {
public:
  /// `sizes`: of extents, tunables, and scalars that are known.
  SampledValues(const LoweredPlan &plan, const std::map<const ir::Var *, double> &sizes);

  Samples operator()(const ir::ExprPtr &e) const;
  void set(const ir::Var *var, const Samples &value) { values_[var] = value; }
  /// Of an array of a worker's own the last element that was written is known.
  void setElement(const ir::Var *array, const Samples &value) { elements_[array] = value; }
  /// `number`: of the groups of a launch, so many; their numbers are 1 apart at the sample `next`.
  void setGroups(const Samples &number, double count, std::size_t next) {
    groups_ = {number, count, next};
    rowsOfGroups_.clear();
  }
  /// The numbers of the groups that are tried.
  const Samples &groups() const { return groups_.number; }
  /// What the groups' number was divided by since it was set: rows of groups may be so long.
  const std::set<double> &rowsOfGroups() const { return rowsOfGroups_; }
  bool knows(const ir::Var *var) const { return values_.contains(var); }
  const std::map<const ir::Var *, Samples> &all() const { return values_; }

  /// What stands in memory is not known, but for what the caller guarantees of it.
  static constexpr double unknown = 1;

private:
  struct Groups {
    Samples number;
    double count = 0;
    std::size_t next = 0;
  };
  /// Of an array of which each group has a part of its own.
  struct Own {
    Samples position; ///< in the part
    Samples count;
  };
  Samples element(const ir::Expr &e) const;
  void noteRow(const Samples &number, const Samples &by) const;
  Own ownPart(const Samples &position, const Samples &count) const;

  const LoweredPlan &plan_;
  std::map<const ir::Var *, Samples> values_;
  std::map<const ir::Var *, Samples> elements_;
  Groups groups_;
  mutable std::set<double> rowsOfGroups_;
};

} // namespace tangram::codegen
