// tangram plans: the composition plans of a spectrum on a machine, ranked, with
// the reason of each rank; counted, drawn, or saved.
#pragma once

#include "composer/plans/planner.h"
#include "driver/choosing/plan_targets.h"
#include "driver/choosing/predicted_plans.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

struct PlansOptions {
  std::string spectrum;
  composer::PlanOptions planning;
  /// "text", "json", "dot" or "svg" (docs/plans.md describes them).
  std::string format = "text";
  /// At most so many plans; 0: all of them (dot, svg: the best).
  std::size_t limit = 0;
  /// Only this plan: its id, or a file that holds it. Empty: all.
  std::string plan;
  bool count = false;      ///< say how many plans there are within the iterations, build none
  bool derivation = false; ///< also how each plan is derived, iteration by iteration
  /// Also the domains of the tunables of the code for planning.target, as declared and as the plan's
  /// constraints leave them; plans without values for them are left out, with the reason.
  bool domains = false;
  /// Where the plans are for no target, those that could be asked for: each plan of strategy `thesis`
  /// is said to be for those for which `tangram synth` finds it by its id.
  std::vector<TargetMachine> targets;
  /// One or two plans to explain (driver/commands/plan_why.h) instead of listing any.
  std::vector<std::string> why;
  /// With it: which loops of the spectrum are fused, and why others are not (driver/input/fusion_notes.h).
  std::vector<std::string> fusion;
  /// Predicts for planning.target, where one is chosen.
  std::shared_ptr<const Predictor> predictor;
  /// Save the first plan listed there; empty: nowhere.
  std::filesystem::path save;
};

/// Print plans on `out`, each as soon as it is known. Exit status: 0; 1 when there is no plan (the
/// reasons go to `err`), an unknown name or a file or a sketch that is no plan of this program and
/// machine.
int plansCommand(const PlansOptions &options, const ir::Program &program,
                 const composer::Machine &machine, std::ostream &out, std::ostream &err);

} // namespace tangram::driver
