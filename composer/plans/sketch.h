// Sketches: plans with holes, in plan notation (docs/plans.md).
//
//   S_G, regroup(*, G), distribute(B), ..., compute(dot_lanes, VE_B)
//
//   *     in a step: any characters; alone: any one step
//   ...   any steps, or none
//
// Notation is written in the order in which rules are applied, each before what it leaves open. So it can be
// told which rules a sketch allows without making plans: for every goal and place in the sketch, the places
// that its plans lead to (SketchFit). A space of any size is followed in this way.
#pragma once

#include "composer/plans/plan_order.h"
#include "ir/diagnostic.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tangram::composer {

struct SketchStep {
  std::string pattern;    ///< normalized: "regroup(*, G)"; "..." for any steps
  std::size_t column = 0; ///< where it begins in the text
  bool any() const { return pattern == "..."; }
};

class Sketch {
public:
  static constexpr std::size_t mostSteps = 63;

  /// Error: what is wrong, the text, and a caret below the place.
  static std::variant<Sketch, ir::Diagnostics> parse(const std::string &text);
  /// Of any plan.
  static Sketch anything();

  const std::vector<SketchStep> &steps() const { return steps_; }
  /// `what`, the text and a caret below a step; behind the last one: the end.
  ir::Diagnostic errorAt(std::size_t step, const std::string &what) const;

private:
  std::string text_;
  std::vector<SketchStep> steps_;
};

/// Whether `step` is what `pattern` allows.
bool matchesPattern(const std::string &pattern, const std::string &step);

/// What stands for a codelet and for a level in a step of a sketch; empty: neither, or any.
struct SketchNames {
  std::string codelet;
  std::string level;
};
SketchNames namesIn(const SketchStep &step);

/// What a sketch leaves of the plans of an order, which must outlive it. A place is the number of the sketch's
/// step that is next.
class SketchFit {
public:
  using Place = unsigned;
  SketchFit(const RuleOrder &order, Sketch sketch);

  const Sketch &sketch() const { return sketch_; }
  /// Places at which a plan of the order's root may end, within `iterations`; none: no plan fits.
  std::vector<Place> ends(unsigned iterations) const;

  struct Section {
    Place from = 0, to = 0;
    auto operator<=>(const Section &) const = default;
  };
  /// Applied to `goal`, `rule` can lead from one place to another if what it leaves open, in order, leads
  /// over these sections; nothing where it cannot.
  std::optional<std::vector<Section>> sections(const ProgramRule &rule, const Goal &goal,
                                               unsigned left, Section section) const;

  /// Why no plan fits: how far the sketch can be followed, what could come there, and what cannot.
  ir::Diagnostic whyNone(unsigned iterations) const;

private:
  using Places = std::uint64_t;                  ///< a bit each
  using Key = std::tuple<Goal, unsigned, Place>; ///< an unordered goal
  struct Trail;

  /// The sketch's steps that allow step `number` of a rule, a bit each.
  Places matching(const ProgramRule &rule, std::size_t number) const;
  Places step(Places from, const ProgramRule &rule, std::size_t number) const;
  Places after(const Goal &goal, unsigned left, Place from) const;
  Places afterAll(const Goal &goal, unsigned left, Places from) const;
  bool accepts(Place place) const;
  void follow(const Goal &goal, unsigned left, Place from, Trail &trail) const;
  void noteRejected(const Trail &trail, ir::Diagnostic &error) const;

  const RuleOrder &order_;
  Sketch sketch_;
  bool isAnything_; ///< the sketch is one `...`
  mutable std::unordered_map<const ProgramRule *, std::vector<Places>> matching_; ///< step by step
  mutable std::map<Key, Places> after_;
};

/// A sketch of a plan's structure: how it cuts and distributes what is large, and what computes it; how partial
/// results are put together by one worker is left open.
std::string sketchOf(const ir::PlanPtr &plan, const RuleBook &book);

} // namespace tangram::composer
