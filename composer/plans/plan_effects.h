// What measures of plans say of others that were not measured (composer/plans/plan_improve.h): which parts of them add up,
// which changes help none, and at which places nothing makes a difference.
#pragma once

#include "ir/plan.h"

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tangram::composer {

/// Per time of the best plan: what takes longer has little in common with it.
inline constexpr double farSlower = 3;

/// A part of a plan that another one takes the place of.
struct PlanChange {
  ir::PlanPtr from, to;

  auto operator<=>(const PlanChange &) const = default;
};

/// Where in a tree of choices: which of those below the first, which of those below that one, and so on.
using ChoicePlace = std::vector<std::size_t>;

/// A plan in parts that have little to do with each other: what the calls of codelets of the top level become.
struct PlanParts {
  std::string above; ///< what they have in common: these codelets
  std::vector<const ir::PlanNode *> plans;

  auto operator<=>(const PlanParts &) const = default;
};

/// `top`: the level that plans begin at.
PlanParts partsOf(const ir::PlanNode &plan, int top);

/// What plans are worth that differ in several parts from one that was measured, where each of these parts was
/// measured in the place of its alone: what they take or save adds up.
class PartEstimates {
public:
  void keep(PlanParts parts, double value);
  /// Whether one of the parts was tried several times with all others as they are, and made no difference.
  bool makesNoDifference(const PlanParts &parts) const;
  /// The least that follows; nothing where nothing does.
  std::optional<double> of(const PlanParts &parts) const;

private:
  using Plans = std::vector<const ir::PlanNode *>;
  struct Tries {
    unsigned count = 0;
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
  };

  std::optional<double> from(const PlanParts &parts, const Plans &plans, double value) const;

  std::map<PlanParts, double> known_;
  std::map<PlanParts, Tries> tries_; ///< of all plans that differ in the part that is null
  std::map<std::string, std::vector<std::pair<Plans, double>>> alike_;
};

/// What changes did to plans that were measured before and after them.
class ChangeEffects {
public:
  void keep(const PlanChange &change, double before, double after);
  /// Whether the change need not be made to a plan that takes `times` as long as the best: it helped none so
  /// far. Of plans that take little longer it may help one for which others are right.
  bool isHopeless(const PlanChange &change, double times, bool isAmongBest) const;

private:
  std::map<PlanChange, double> known_; ///< the least time after it, per time before
};

/// At which places the changes of one plan did nothing.
class PlaceEffects {
public:
  void keep(const ChoicePlace &place, double before, double after);
  /// Whether several were made there, or at a place that this one is inside of, and none made a difference.
  bool makesNoDifference(const ChoicePlace &place) const;

private:
  struct Tries {
    unsigned count = 0;
    bool differ = false;
  };
  std::map<ChoicePlace, Tries> tries_;
};

} // namespace tangram::composer
