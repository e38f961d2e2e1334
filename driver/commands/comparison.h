// Plans of one spectrum beside machines: what is predicted and what was measured of each plan on each.
#pragma once

#include "composer/plans/plan_parts.h"
#include "driver/choosing/plan_account.h"
#include "runtime/tune/store.h"

#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

struct ComparisonOptions {
  std::string spectrum;
  composer::PlanOptions planning;
  std::vector<runtime::SizeChoice> sizes; ///< to predict for; empty: typical ones
  std::size_t limit = 5;                  ///< of each machine so many of its first plans
  std::vector<std::string> plans;         ///< instead: these, as chosenPlan() takes them
};

/// What was measured of a plan at one problem, with the tunables that were quickest.
struct MeasuredTime {
  std::string device;
  std::map<std::string, std::uint64_t> extents;
  runtime::TunableValues tunables;
  runtime::TuningTimes times;
};

/// A plan on a machine.
struct ComparedCell {
  std::size_t position = 0; ///< in the machine's list, from 1; 0: it is not in it
  std::string missing;      ///< why the machine cannot have the plan; then nothing else is known
  PlanAccount account;
  std::vector<MeasuredTime> measured;
};

struct ComparedPlan {
  std::string id;
  composer::PlanOutline outline;
  std::vector<ComparedCell> on; ///< as many as there are machines
};

/// A machine as a target sees it, with the planner of its plans.
class ComparedMachine {
public:
  /// Error: of Planner::make.
  static std::variant<std::unique_ptr<ComparedMachine>, ir::Diagnostics>
  make(const ir::Program &program, composer::Machine machine, const std::string &target,
       const ComparisonOptions &options);

  std::string name() const { return machine_.name + ":" + target_; }
  const composer::Machine &machine() const { return machine_; }
  const std::string &target() const { return target_; }
  const composer::Planner &planner() const { return *planner_; }
  const Predictor &predictor() const { return *predictor_; }

private:
  ComparedMachine() = default;
  composer::Machine machine_;
  std::string target_;
  std::shared_ptr<const Predictor> predictor_;
  std::optional<composer::Planner> planner_;
};
using ComparedMachines = std::vector<std::unique_ptr<ComparedMachine>>;

struct Comparison {
  ComparedMachines machines;
  /// In the order of the first machine's prediction, those that it cannot have last.
  std::vector<ComparedPlan> plans;
};

/// Errors go to `err`; nothing then.
std::optional<Comparison> compare(ComparedMachines machines, const ComparisonOptions &options,
                                  std::ostream &err);

/// Notes in each cell what the store has of it: of each device and problem the quickest setting.
runtime::Status addMeasurements(Comparison &comparison, const runtime::Store &store);

/// The smallest time predicted on each machine; 0 where there is none.
std::vector<double> bestOf(const Comparison &comparison);

} // namespace tangram::driver
