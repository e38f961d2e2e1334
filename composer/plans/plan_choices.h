// Plans as the choices that they are made of, for a search (composer/plans/plan_improve.h): each goal with its rule, and
// how one choice is turned into others.
#pragma once

#include "composer/plans/plan_build.h"
#include "composer/plans/plan_effects.h"
#include "composer/plans/plan_order.h"
#include "composer/plans/sketch.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

namespace tangram::composer {

struct Choice;
using ChoicePtr = std::shared_ptr<const Choice>;

/// A goal, the rule chosen for it, and the choices for what that leaves open: a section of the sketch.
struct Choice {
  Goal goal;
  unsigned left = 0; ///< iterations, this one included
  const ProgramRule *rule = nullptr;
  SketchFit::Section section = {};
  std::vector<ChoicePtr> below = {};
};

/// The choice at a place below `choice`.
const ChoicePtr &choiceAt(const ChoicePtr &choice, const ChoicePlace &place);

/// Whether the choices lead to that place: those that another one was made of need not.
bool hasPlace(const Choice &choice, const ChoicePlace &place);
/// `choice` with another one at that place, for the same goal.
ChoicePtr withChoiceAt(const ChoicePtr &choice, const ChoicePlace &place, const ChoicePtr &other,
                       std::size_t depth = 0);

/// Places of choices that have little to do with each other: what the calls of codelets of level `top` become, one nest
/// after the other (the parts of composer/plans/plan_effects.h). The root's own where there is only one.
std::vector<ChoicePlace> placesOfParts(const ChoicePtr &choice, int top);

/// The places of codelets that plans are made without.
using Avoided = std::set<ir::SourceLocation>;
/// Where the codelets begin that have the place in them: the one whose text it is in, of all instances of a
/// template, or those that call the helper function, also through others, whose text it is in.
Avoided codeletsAt(const ir::Program &program, const ir::SourceLocation &place);
bool isAvoided(const ProgramRule &rule, const Avoided &avoided);

/// The choice for goals that are left open.
enum class Completion {
  ByRank, ///< the rule that is first in rank
  Together, ///< the first codelet that workers compute together: a map that is shared out down to single
            ///< workers, and codelets in which they cooperate, are several changes apart
};

/// Makes choices that a sketch allows.
class Chooser {
public:
  using TakeNeighbour =
      std::function<void(const ChoicePtr &, const PlanChange &, const ChoicePlace &)>;

  Chooser(const SketchFit &fit, const RuleOrder &order, const PlanInterner &interner)
      : fit_(fit), order_(order), interner_(interner) {}

  /// The rule for the goal, and below it what `old` chose for the same goals, else the first in rank. Null:
  /// the rule cannot lead over the section.
  ChoicePtr chosen(const Goal &goal, unsigned left, const ProgramRule *rule,
                   SketchFit::Section section, const Choice *old, const Avoided &avoided = {},
                   Completion completion = Completion::ByRank) const;

  /// By the first rule in rank that leads over the section; null: none does.
  ChoicePtr first(const Goal &goal, unsigned left, SketchFit::Section section,
                  const Avoided &avoided = {}) const;

  /// By the first codelet in rank that workers compute together, here or below a map that shares them with the one
  /// around it; null: there is none.
  ChoicePtr together(const Goal &goal, unsigned left, SketchFit::Section section,
                     const Avoided &avoided) const;

  /// Whether workers compute together what the rule of a choice leaves open first.
  static bool isTogether(const Choice &choice);

  /// One worker alone, by the first codelet in rank that it computes; null: there is none.
  ChoicePtr alone(const Goal &goal, unsigned left, SketchFit::Section section) const;

  /// What `example` does, for the goal of `choice`, which may be of another spectrum: the rules that read alike, from the
  /// top down, and behind the first that has no like the first in rank. Null: already the top has none.
  ChoicePtr alike(const Choice &choice, const Choice &example) const;

  /// All others that differ from a choice in one rule, or in that one worker does it alone; how, and
  /// where. But for what differs at the places `without` and below them.
  void neighbours(const ChoicePtr &choice, const TakeNeighbour &take, const ChoicePlace &at = {},
                  const std::vector<ChoicePlace> &without = {}) const;

  ir::PlanPtr planOf(const Choice &choice) const;

private:
  /// What goals are completed by that are composed within so many iterations, over a section of the sketch.
  using Completed = std::map<std::tuple<Goal, unsigned, SketchFit::Section>, ChoicePtr>;
  struct Completions {
    Completed first = {};
    Completed together = {};
  };

  ChoicePtr findFirst(const Goal &goal, unsigned left, SketchFit::Section section,
                      const Avoided &avoided) const;
  ChoicePtr findTogether(const Goal &goal, unsigned left, SketchFit::Section section,
                         const Avoided &avoided) const;
  ChoicePtr alike(const Goal &goal, unsigned left, SketchFit::Section section,
                  const Choice &example) const;

  const SketchFit &fit_;
  const RuleOrder &order_;
  const PlanInterner &interner_;
  mutable std::map<Avoided, Completions> completions_;
};

} // namespace tangram::composer
