#include "driver/commands/comparison.h"

#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/plan_ways.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tangram::driver {

using composer::Planner;
using composer::RankedPlan;

namespace {

/// Where the plans of a machine stand in its list, and the first of each way.
struct Listed {
  std::map<std::string, std::size_t> positions;
  std::map<std::string, RankedPlan> ways;
};

std::string wayOn(const RankedPlan &plan, const ComparedMachine &machine) {
  return wayOf(composer::outlineOf(plan.plan, machine.planner().rules()), machine.machine());
}

Listed listedBy(const ComparedMachine &machine, bool byWay) {
  Listed listed;
  machine.planner().forEach([&](const RankedPlan &plan) {
    listed.positions.emplace(plan.id, plan.rank.get_ui());
    if (byWay)
      listed.ways.emplace(wayOn(plan, machine), plan);
    return listed.positions.size() < 1000;
  });
  return listed;
}

/// The first plans of a machine; by way: the first of each of its first ways.
std::variant<std::vector<RankedPlan>, ir::Diagnostics> firstPlans(const ComparedMachine &machine,
                                                                  std::size_t limit, bool byWay) {
  std::vector<RankedPlan> plans;
  std::set<std::string> ways;
  std::size_t seen = 0;
  ir::Diagnostics errors = machine.planner().forEach([&](const RankedPlan &plan) {
    if (!byWay || ways.insert(wayOn(plan, machine)).second)
      plans.push_back(plan);
    return plans.size() < limit && ++seen < 1000;
  });
  if (!errors.empty())
    return errors;
  return plans;
}

/// A plan, and the machine that has brought it.
struct Found {
  RankedPlan plan;
  std::size_t machine;
};

/// Once a plan, or once a way.
void addOnce(std::vector<Found> &all, RankedPlan plan, std::size_t machine,
             const ComparedMachines &machines, bool byWay) {
  const std::string way = byWay ? wayOn(plan, *machines[machine]) : "";
  const bool known = std::ranges::any_of(all, [&](const Found &each) {
    return byWay ? wayOn(each.plan, *machines[each.machine]) == way : each.plan.id == plan.id;
  });
  if (!known)
    all.push_back({std::move(plan), machine});
}

/// The first plans of all machines; of those that have none `err` says why.
std::vector<Found> firstPlans(const ComparedMachines &machines, std::size_t limit, bool byWay,
                              std::ostream &err) {
  std::vector<Found> all;
  for (std::size_t m = 0; m < machines.size(); ++m) {
    auto own = firstPlans(*machines[m], limit, byWay);
    if (auto *errors = std::get_if<ir::Diagnostics>(&own)) {
      err << machines[m]->name() << ": " << ir::render(*errors);
      continue;
    }
    for (RankedPlan &plan : std::get<std::vector<RankedPlan>>(own))
      addOnce(all, std::move(plan), m, machines, byWay);
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
        addOnce(all, std::move(*plan), m, machines, false);
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
                    const Listed &listed) {
  ComparedCell cell;
  const ComparedMachine &from = *machines[found.machine];
  const ComparedMachine &here = *machines[on];
  RankedPlan plan = found.plan;
  if (on != found.machine) {
    const auto own = listed.ways.find(wayOn(found.plan, from));
    if (own != listed.ways.end()) {
      plan = own->second;
    } else {
      auto made =
          correspondingPlan(plan.plan, from.planner().program(), from.machine(), here.machine());
      if (auto *why = std::get_if<std::string>(&made)) {
        cell.missing = *why;
        return cell;
      }
      plan = here.planner().describe(std::get<ir::PlanPtr>(made));
    }
  }
  cell.account = accountOf(here.planner(), plan, &here.predictor());
  if (const auto known = listed.positions.find(plan.id); known != listed.positions.end())
    cell.position = known->second;
  return cell;
}

/// Notes in rows that have the same outline the steps that tell them apart.
void tellApart(std::vector<ComparedPlan> &plans, const std::vector<Found> &found) {
  const auto steps = [&](std::size_t p) {
    return std::multiset<std::string>(found[p].plan.steps.begin(), found[p].plan.steps.end());
  };
  const auto alike = [&](const ComparedPlan &a, const ComparedPlan &b) {
    return a.outline.top == b.outline.top && a.levels == b.levels &&
           a.outline.leaves == b.outline.leaves;
  };
  for (std::size_t p = 0; p < plans.size(); ++p) {
    for (const std::string &step : found[p].plan.steps) {
      const std::size_t here = steps(p).count(step);
      const bool apart = std::ranges::any_of(plans, [&](const ComparedPlan &other) {
        const auto o = static_cast<std::size_t>(&other - plans.data());
        return o != p && alike(plans[p], other) && steps(o).count(step) < here;
      });
      if (apart && std::ranges::find(plans[p].apart, step) == plans[p].apart.end())
        plans[p].apart.push_back(step);
    }
  }
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
  const bool byWay = std::ranges::any_of(machines, [&](const auto &each) {
    return !sameKind(each->machine(), machines.front()->machine());
  });
  const std::vector<Found> all = options.plans.empty()
                                     ? firstPlans(machines, options.limit, byWay, err)
                                     : namedPlans(machines, options.plans, err);
  if (all.empty())
    return std::nullopt;
  Comparison comparison{std::move(machines), byWay, {}};
  std::vector<const composer::Machine *> models;
  for (const auto &machine : comparison.machines)
    models.push_back(&machine->machine());
  for (const Found &each : all) {
    auto outline =
        composer::outlineOf(each.plan.plan, comparison.machines[each.machine]->planner().rules());
    auto levels = levelsOnAll(outline, each.machine, models);
    comparison.plans.push_back({each.plan.id, std::move(outline), std::move(levels), {}, {}});
  }
  tellApart(comparison.plans, all);
  for (std::size_t m = 0; m < comparison.machines.size(); ++m) {
    const Listed listed = listedBy(*comparison.machines[m], byWay && options.plans.empty());
    for (std::size_t p = 0; p < all.size(); ++p)
      comparison.plans[p].on.push_back(cellOf(all[p], comparison.machines, m, listed));
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
      if (!plan.on[m].missing.empty())
        continue;
      auto found =
          store.measurements({.plan = plan.on[m].account.plan.id, .target = machine.target()});
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

std::optional<PlanForAll> planForAll(const Comparison &comparison) {
  const std::vector<double> best = bestOf(comparison);
  std::optional<PlanForAll> least;
  const auto cost = [](const PlanForAll &each) {
    double product = 1;
    for (const double ratio : each.ratios)
      product *= ratio;
    return std::pair(std::ranges::max(each.ratios), product);
  };
  for (std::size_t p = 0; p < comparison.plans.size(); ++p) {
    PlanForAll each{p, {}};
    for (std::size_t m = 0; m < best.size(); ++m) {
      if (const auto seconds = comparison.plans[p].on[m].account.seconds(); seconds && best[m] > 0)
        each.ratios.push_back(*seconds / best[m]);
    }
    if (each.ratios.size() == best.size() && (!least || cost(each) < cost(*least)))
      least = each;
  }
  return least;
}

} // namespace tangram::driver
