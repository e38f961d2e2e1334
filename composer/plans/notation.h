// Plans as text: the dissertation's linear notation (figures 5.6 and 5.7), the
// derivation rule by rule, and the id.
//
//   S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T), ...
//
// A codelet is called by its tag, or `sum#k`: the k-th of its spectrum. Every rule
// begins with a step that tells it from the others of its goal, so the notation of
// a complete plan determines the plan.
#pragma once

#include "composer/plans/plan_rules.h"

namespace tangram::composer {

/// Steps of a complete plan, one string each. The plan must be one of the program on the machine
/// (planFromJson checks); what no rule gives is written "?".
std::vector<std::string> steps(const ir::PlanPtr &plan, const ir::Program &program,
                               const Machine &machine);
/// Same, by a book that has the plan's rules: quicker for many plans.
std::vector<std::string> steps(const ir::PlanPtr &plan, const RuleBook &book);

/// The steps in one line, separated by ", ".
std::string linear(const std::vector<std::string> &steps);

/// Stable id of a plan: 8 hex digits of a hash of its spectrum and its steps. The same in every
/// run, on every machine, and for every machine model with these levels.
std::string planId(const ir::PlanPtr &plan, const ir::Program &program, const Machine &machine);
std::string planId(const std::string &spectrum, const std::vector<std::string> &steps);

/// One iteration of the composition, as a line of figure 5.6.
struct DerivationLine {
  std::vector<std::string> steps; ///< after the iteration: `compose(...)` where still open
  std::vector<std::string> rules; ///< the rules it applied, in notation order; none in the first
};

/// From `compose(sum, P)` to the complete plan.
std::vector<DerivationLine> derivation(const ir::PlanPtr &plan, const RuleBook &book);
/// "S_P, regroup(asso_tiled, P), ... // P4".
std::string toString(const DerivationLine &line);

/// The plan among the children of a plan node that composes an open goal of its rule: a map of a
/// codelet is looked through to what it applies.
const ir::PlanPtr &subplan(const ir::PlanNode &node, const OpenGoal &open);

} // namespace tangram::composer
