// The composition planner (dissertation section 6.6): the plans of a spectrum
// on a machine, ranked, with the reason of each rank, or why there is none.
//
//   thesis  breadth first, pruned (composer/plans/plan_search.h): the few best, quickly
//   all     every plan within the iterations (composer/plans/plan_space.h): counted
//           exactly without being built, read lazily, best first
//   predict the few that a measure from outside calls best (composer/plans/plan_improve.h)
//
// The first two compare plans by composer/plans/plan_order.h, so they rank alike.
#pragma once

#include "composer/plans/plan_improve.h"
#include "composer/plans/plan_order.h"
#include "composer/plans/plan_search.h"
#include "composer/plans/plan_space.h"
#include "composer/plans/plan_tunables.h"
#include "composer/plans/sketch.h"
#include "ir/diagnostic.h"

#include <functional>
#include <optional>

namespace tangram::composer {

enum class PlanStrategy { Thesis, All, Predict };

struct PlanOptions {
  PlanStrategy strategy = PlanStrategy::Thesis;
  /// 0: the number of levels from the start level down, plus one, plus the calls from the spectrum
  /// to the farthest one it leads to; more where no plan needs less.
  unsigned iterations = 0;
  /// Candidates kept by an iteration of `thesis`.
  unsigned keep = 64;
  /// Name of the level to start from; empty: the machine's top level.
  std::string level;
  /// Codelets to leave out, by Codelet::name().
  std::vector<std::string> without;
  /// What every level offers for maps; empty: what the model says.
  std::vector<MapRule> mapRules;
  /// What becomes of levels that nested maps share, where the machine has them: `Offered` to all strategies
  /// but `thesis`.
  NestedMaps nests = NestedMaps::Preferred;
  /// Rank by figure 6.5 of the dissertation as it is printed.
  bool asPrinted = false;
  /// Only codelets for this target (`__env`); empty: any.
  std::string target;
  /// `predict`: what is thought of a plan.
  MeasurePlan measure = nullptr;
  /// `predict`, where `measure` is for certain sizes: what is thought of a plan at any. The best plans by it are measured,
  /// too, so that who knows sizes gets no worse plan than who does not; null: nobody asks.
  MeasurePlan measureAtAny = nullptr;
  ImproveOptions improving = {};
  /// `predict`: plans that somebody knows to be good, which are measured, too.
  std::vector<Sketch> known = {};
};

/// A plan in its list.
struct RankedPlan {
  ir::PlanPtr plan;
  mpz_class rank; ///< from 1
  std::string id;
  std::vector<std::string> steps;
  std::vector<PlanTunable> tunables;
  /// What decides between it and its neighbour in the list, in words.
  std::string why;
  /// `predict`: the value of its measure, seconds.
  std::optional<double> measured = std::nullopt;
};

/// What became of the candidates that a list of plans does not show.
struct SearchLog {
  std::vector<Pruning> pruned;       ///< of `thesis`
  std::vector<MeasuredPlan> refused; ///< of `predict`: those that are not possible, and why
  std::size_t listed = 0;
};

/// Where a plan stands among all there are.
struct Standing {
  enum class Place {
    Listed,   ///< by the planner's strategy
    Refused,  ///< tried by `predict` and not possible
    Unlisted, ///< neither
  };
  Place place = Place::Unlisted;
  std::size_t position = 0; ///< Listed: from 1
  std::string refusal;      ///< Refused: why
  /// From 1, among all plans within the iterations in the order of ranks; 0 where it is none of them.
  mpz_class rank;
  mpz_class count; ///< of those; 0: too many to be counted
};

/// The plans of one spectrum on one machine. The program and the machine must outlive the planner;
/// not for use by several threads at once.
class Planner {
public:
  /// Errors: an unknown spectrum, level or codelet to leave out (each with the nearest known name
  /// as suggestion), no levels, more than 256 iterations, nothing to keep.
  static std::variant<Planner, ir::Diagnostics> make(const ir::Program &program,
                                                     const Machine &machine,
                                                     const std::string &spectrum,
                                                     PlanOptions options);

  const PlanOptions &options() const { return theOptions; }
  const ir::Program &program() const { return *book->context().program; }
  const Machine &machine() const { return *book->context().machine; }
  const RuleBook &rules() const { return *book; }
  const RuleOrder &order() const { return *theOrder; }
  /// Iterations planned for: the options', or the default.
  unsigned iterations() const { return theIterations; }

  /// Every plan within the iterations, whatever the strategy. Error: too many to count.
  std::variant<PlanSpace, ir::Diagnostic> space() const;

  /// Hand the plans to `take`, best first, until it returns false. Strategy `all` makes them as
  /// they are taken. Error: no plan (then why, level by level), or too many to count.
  ir::Diagnostics forEach(const std::function<bool(const RankedPlan &)> &take) const;
  /// The plan with this id. Strategy `all` looks among the first million. Errors: none has
  /// it (a note lists the ids where they are few), or several have.
  std::variant<RankedPlan, ir::Diagnostics> find(const std::string &id) const;
  /// The same among all that is known: plans that are listed by the strategy, were tried, are listed
  /// by ranks, or are among the first hundred thousand in rank.
  std::variant<RankedPlan, ir::Diagnostics> findAnywhere(const std::string &id) const;
  /// The best plan that a sketch allows: by what is predicted with strategy `predict`, else the first in
  /// rank. Errors: an unknown name in it, or how far it can be followed and what stands in the way.
  std::variant<RankedPlan, ir::Diagnostics> complete(const Sketch &sketch) const;
  Standing standing(const ir::PlanPtr &plan) const;
  /// Of strategies `thesis` and `predict`.
  SearchLog log() const;
  /// What decides between two plans by rank, and in which iteration.
  Difference difference(const ir::PlanPtr &a, const ir::PlanPtr &b) const;

  /// The plan of a node with its id, steps and tunables, without a rank.
  RankedPlan describe(const ir::PlanPtr &plan) const;
  /// Why no plan exists within the iterations: for each goal on the way, the rules rejected and
  /// those that cannot be completed.
  ir::Diagnostic whyNone() const;

private:
  Planner() = default;
  std::optional<ir::Diagnostic> unknownName(const Sketch &sketch) const;
  /// forEach without descriptions.
  ir::Diagnostics walk(const std::function<bool(const ir::PlanPtr &)> &take) const;
  /// What decides between two plans, in words.
  std::string decided(const ir::PlanPtr &a, const ir::PlanPtr &b) const;
  /// The plans of strategies `predict` and `thesis`; searched for once.
  const ImprovedPlans &improved() const;
  const SearchedPlans &searched() const;
  /// Whether plans are listed by what was measured of them. Where none can be measured they are those
  /// of `thesis`, so that whoever takes them says what is wrong with each.
  bool isByMeasure() const;

  /// Levels from that of the goal down which count for the number of iterations.
  unsigned levelsBelow(const Goal &root) const;
  /// Sets theIterations, and what `thesis` searches where nested maps are only offered.
  unsigned iterationsFor(const Sketch &known) const;
  void settle(const Goal &root);

  PlanOptions theOptions;
  unsigned theIterations = 0;
  std::shared_ptr<RuleBook> book;
  std::shared_ptr<RuleOrder> theOrder;
  /// Without levels that nested maps share, and the number of iterations of that; null: they are preferred, or none.
  std::shared_ptr<RuleBook> plainBook;
  std::shared_ptr<RuleOrder> plainOrder;
  unsigned plainIterations = 0;
  PlanInterner interner;
  mutable std::optional<ImprovedPlans> theImproved;
  mutable std::optional<SearchedPlans> theSearched;
};

struct PlanList {
  std::vector<RankedPlan> plans;
  ir::Diagnostics errors; ///< why there is no plan
};

/// All in one: at most `limit` plans of a spectrum, best first.
PlanList plans(const ir::Program &program, const Machine &machine, const std::string &spectrum,
               const PlanOptions &options, std::size_t limit = SIZE_MAX);

/// The exact number of plans within the options' iterations.
std::variant<mpz_class, ir::Diagnostics> countPlans(const ir::Program &program,
                                                    const Machine &machine,
                                                    const std::string &spectrum,
                                                    const PlanOptions &options);

} // namespace tangram::composer
