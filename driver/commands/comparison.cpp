#include "driver/commands/comparison.h"

#include "composer/plans/plan_json.h"
#include "driver/choosing/chosen_plan.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tangram::driver {

using composer::Planner;
using composer::RankedPlan;

namespace {

/// The first plans of a machine.
std::variant<std::vector<RankedPlan>, ir::Diagnostics> firstPlans(const ComparedMachine &machine,
                                                                  std::size_t limit) {
  std::vector<RankedPlan> plans;
  ir::Diagnostics errors = machine.planner().forEach([&](const RankedPlan &plan) {
    plans.push_back(plan);
    return plans.size() < limit;
  });
  if (!errors.empty())
    return errors;
  return plans;
}

/// A plan of one machine as another one has it, or why it cannot.
std::variant<ir::PlanPtr, std::string>
carriedOver(const ir::PlanPtr &plan, const ComparedMachine &from, const ComparedMachine &to) {
  const ir::Program &program = from.planner().program();
  const std::string saved = composer::planToJson(plan, program, from.machine());
  auto read =
      composer::planFromJson(saved, "plan", program, to.machine(), composer::PlanInterner());
  if (auto *errors = std::get_if<ir::Diagnostics>(&read)) {
    const std::string &message = errors->front().message; // "/plan/of/0/level: unknown level ..."
    return message.substr(message.find(": ") + 2);
  }
  return std::get<ir::PlanPtr>(read);
}

std::map<std::string, std::size_t> positionsIn(const Planner &planner) {
  std::map<std::string, std::size_t> positions;
  planner.forEach([&](const RankedPlan &plan) {
    positions.emplace(plan.id, plan.rank.get_ui());
    return positions.size() < 1000;
  });
  return positions;
}

/// A plan, and the machine that has brought it.
struct Found {
  RankedPlan plan;
  std::size_t machine;
};

void addOnce(std::vector<Found> &all, RankedPlan plan, std::size_t machine) {
  if (std::ranges::find(all, plan.id, [](const Found &f) { return f.plan.id; }) == all.end())
    all.push_back({std::move(plan), machine});
}

/// The first plans of all machines; of those that have none `err` says why.
std::vector<Found> firstPlans(const ComparedMachines &machines, std::size_t limit,
                              std::ostream &err) {
  std::vector<Found> all;
  for (std::size_t m = 0; m < machines.size(); ++m) {
    auto own = firstPlans(*machines[m], limit);
    if (auto *errors = std::get_if<ir::Diagnostics>(&own)) {
      err << machines[m]->name() << ": " << ir::render(*errors);
      continue;
    }
    for (RankedPlan &plan : std::get<std::vector<RankedPlan>>(own))
      addOnce(all, std::move(plan), m);
  }
  return all;
}

/// The plans with these names, each on whatever machines have it. Empty: none of them has one, as `err` says.
std::vector<Found> namedPlans(const ComparedMachines &machines,
                              const std::vector<std::string> &names, std::ostream &err) {
  std::vector<Found> all;
  for (const std::string &name : names) {
    bool known = false;
    std::string problems;
    for (std::size_t m = 0; m < machines.size(); ++m) {
      auto found = chosenPlan(machines[m]->planner(), name, Among::All);
      if (auto *plan = std::get_if<RankedPlan>(&found)) {
        addOnce(all, std::move(*plan), m);
        known = true;
      } else {
        problems += machines[m]->name() + ": " + ir::render(std::get<ir::Diagnostics>(found));
      }
    }
    if (!known) {
      err << problems;
      return {};
    }
  }
  return all;
}

ComparedCell cellOf(const Found &found, const ComparedMachines &machines, std::size_t on,
                    const std::map<std::string, std::size_t> &positions) {
  ComparedCell cell;
  const ComparedMachine &here = *machines[on];
  RankedPlan plan = found.plan;
  if (on != found.machine) {
    auto carried = carriedOver(plan.plan, *machines[found.machine], here);
    if (auto *why = std::get_if<std::string>(&carried)) {
      cell.missing = *why;
      return cell;
    }
    plan = here.planner().describe(std::get<ir::PlanPtr>(carried));
  }
  cell.account = accountOf(here.planner(), plan, &here.predictor());
  if (const auto known = positions.find(plan.id); known != positions.end())
    cell.position = known->second;
  return cell;
}

double orderOf(const ComparedPlan &plan, std::size_t machine) {
  return plan.on[machine].account.seconds().value_or(INFINITY);
}

} // namespace

std::variant<std::unique_ptr<ComparedMachine>, ir::Diagnostics>
ComparedMachine::make(const ir::Program &program, composer::Machine machine,
                      const std::string &target, const ComparisonOptions &options) {
  auto made = std::unique_ptr<ComparedMachine>(new ComparedMachine);
  made->machine_ = std::move(machine);
  made->target_ = target;
  made->predictor_ = std::make_shared<Predictor>(program, made->machine_, options.spectrum, target,
                                                 PredictOptions{options.sizes, {}});
  composer::PlanOptions planning = options.planning;
  planning.target = target;
  if (planning.strategy == composer::PlanStrategy::Predict) {
    if (ir::Diagnostics errors = planByPrediction(planning, made->predictor_); !errors.empty())
      return errors;
  }
  auto planner = Planner::make(program, made->machine_, options.spectrum, planning);
  if (auto *errors = std::get_if<ir::Diagnostics>(&planner))
    return *errors;
  made->planner_.emplace(std::get<Planner>(std::move(planner)));
  return made;
}

std::optional<Comparison> compare(ComparedMachines machines, const ComparisonOptions &options,
                                  std::ostream &err) {
  const std::vector<Found> all = options.plans.empty() ? firstPlans(machines, options.limit, err)
                                                       : namedPlans(machines, options.plans, err);
  if (all.empty())
    return std::nullopt;
  Comparison comparison{std::move(machines), {}};
  for (const Found &each : all)
    comparison.plans.push_back(
        {each.plan.id,
         composer::outlineOf(each.plan.plan, comparison.machines[each.machine]->planner().rules()),
         {}});
  for (std::size_t m = 0; m < comparison.machines.size(); ++m) {
    const auto positions = positionsIn(comparison.machines[m]->planner());
    for (std::size_t p = 0; p < all.size(); ++p)
      comparison.plans[p].on.push_back(cellOf(all[p], comparison.machines, m, positions));
  }
  std::ranges::stable_sort(comparison.plans, [&](const ComparedPlan &a, const ComparedPlan &b) {
    for (std::size_t m = 0; m < comparison.machines.size(); ++m) {
      if (orderOf(a, m) != orderOf(b, m))
        return orderOf(a, m) < orderOf(b, m);
    }
    return false;
  });
  return comparison;
}

runtime::Status addMeasurements(Comparison &comparison, const runtime::Store &store) {
  for (ComparedPlan &plan : comparison.plans) {
    for (std::size_t m = 0; m < plan.on.size(); ++m) {
      const ComparedMachine &machine = *comparison.machines[m];
      auto found = store.measurements({.plan = plan.id, .target = machine.target()});
      if (!found)
        return found.error();
      std::vector<MeasuredTime> &measured = plan.on[m].measured;
      for (const runtime::Measurement &each : *found) {
        if (each.verdict != runtime::Verdict::Measured || each.of.model != machine.machine().name)
          continue;
        const bool known = std::ranges::any_of(measured, [&](const MeasuredTime &quicker) {
          return quicker.device == each.of.device && quicker.extents == each.of.extents;
        });
        if (!known) // the quickest setting of a problem comes first
          measured.push_back({each.of.device, each.of.extents, each.tunables, each.times});
      }
    }
  }
  return runtime::ok();
}

std::vector<double> bestOf(const Comparison &comparison) {
  std::vector<double> best(comparison.machines.size());
  for (const ComparedPlan &plan : comparison.plans) {
    for (std::size_t m = 0; m < best.size(); ++m) {
      const auto seconds = plan.on[m].account.seconds();
      if (seconds && (best[m] == 0 || *seconds < best[m]))
        best[m] = *seconds;
    }
  }
  return best;
}

} // namespace tangram::driver
