// Which of two rules is preferred (dissertation figure 6.5: parallelism first),
// and, rule by rule in notation order, which of two plans.
//
// The criteria, first to last. Those marked * are ours:
//   not in the last iteration
//     * no rule may win by distributing, at a level, the results of a map that was distributed at
//       this very level (the outer `sum` of partial sums): they are as many as the level has
//       workers, so this extracts no new parallelism;
//     * of an element of a chain that is distributed, a rule that has work to do before the carry is
//       there: nothing else runs side by side;
//     - a rule that distributes; of two,
//       * one that distributes to a level that nested maps share, where the user asked for dimensions,
//         else one that does not,
//       - the one that partitions as the level prefers;
//     - a rule that vectorizes;
//   in the last iteration
//     - a rule that computes; of two, the one that vectorizes;
//   then
//     * a rule that serializes no map: a loop extracts no parallelism either;
//     * a rule that computes: it leaves nothing open;
//     - a rule that comes from a codelet with a __tunable;
//     * source order, and the order in which the level offers its policies for maps.
// The last makes the order total, so that every plan has one rank.
#pragma once

#include "composer/plans/plan_rules.h"

#include <map>

namespace tangram::composer {

enum class Criterion {
  Tile,
  Reuse,
  Tiles,
  NewParallelism,
  WorksAhead,
  Distributes,
  Dimensions,
  Partitioning,
  Vectorizes,
  Computes,
  Serializes,
  Tunable,
  Position,
  None, ///< the same rule
};

struct Preference {
  int order = 0; ///< < 0: the first is better, > 0: the second
  Criterion criterion = Criterion::None;
};

/// Compare two rules of `goal` (whose `combines`, `handedOver` and `tiled` count) applied in one iteration.
Preference compareRules(const ProgramRule &a, const ProgramRule &b, const Goal &goal,
                        const RuleContext &context, bool lastIteration);

/// The goals that `rule` leaves open when it is applied to `goal`: rule.open, with `combines`
/// passed on to what stays at the level, `handedOver` and `tiled` to what is devolved.
Goal childGoal(const Goal &goal, const OpenGoal &open);

/// The rules by which a goal can be composed completely within a number of iterations, best
/// first. One order serves both strategies: the position of a rule in it is its rank.
class RuleOrder {
public:
  /// For `root` and everything reachable from it. The book must outlive the order.
  RuleOrder(const RuleBook &book, const Goal &root);

  const RuleBook &book() const { return *rules; }
  const Goal &root() const { return theRoot; }
  /// Best first; empty when the goal needs more iterations. `left` counts the one that applies the
  /// rule. Stays valid as long as the order.
  const std::vector<const ProgramRule *> &usable(const Goal &goal, unsigned left) const;
  /// Fewest iterations that compose the goal completely; 0: no number does.
  unsigned depth(const Goal &goal) const;
  /// The root and everything reachable from it, in order of first mention (unordered).
  const std::vector<Goal> &goals() const { return reachable; }

private:
  /// Fewest iterations for `rule` and what it leaves open; 0: none is known.
  unsigned depthOf(const ProgramRule &rule) const;

  const RuleBook *rules;
  Goal theRoot;
  std::vector<Goal> reachable;
  std::map<Goal, unsigned> depths; ///< of unordered goals
  mutable std::map<std::pair<Goal, unsigned>, std::vector<const ProgramRule *>> orders;
};

/// Where two complete plans of one goal part: the first rule, in notation order, that differs.
struct Difference {
  Preference preference;
  unsigned iteration = 0; ///< that applied the rules, from 1
  Goal goal;
  const ProgramRule *first = nullptr;
  const ProgramRule *second = nullptr;
};

/// Compare two plans of the order's root within `iterations`.
Difference comparePlans(const RuleOrder &order, const ir::PlanPtr &a, const ir::PlanPtr &b,
                        unsigned iterations);

/// "iteration 2, compose(sum, B): B5 partitions as level B (block) prefers (strided), B4 does not".
std::string toString(const Difference &difference, const RuleBook &book);

} // namespace tangram::composer
