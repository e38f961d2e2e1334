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

/// A row: a plan of one machine, and what the others have that corresponds to it.
struct ComparedPlan {
  std::string id; ///< on the machine that brought it
  composer::PlanOutline outline;
  std::vector<std::string> levels; ///< those of the outline, as all machines call them: "B/T"
  std::vector<std::string> apart;  ///< steps that other rows with the same outline do not have
  std::vector<ComparedCell> on;    ///< as many as there are machines
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
  /// Machines of one kind: a row is a plan. Else a row is a way (driver/plan_ways.h), and a cell the best plan that the
  /// machine has of that way.
  bool byWay = false;
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

/// The row that loses least against the best of each machine, if one has a time on all: on which machine it takes how
/// many times as long as the best there. The largest of these counts, then their product.
struct PlanForAll {
  std::size_t row = 0;
  std::vector<double> ratios;
};
std::optional<PlanForAll> planForAll(const Comparison &comparison);

} // namespace tangram::driver
