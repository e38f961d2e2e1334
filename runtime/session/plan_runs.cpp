#include "runtime/session/plan_runs.h"

#include "runtime/data/moved_inputs.h"
#include "runtime/data/text_file.h"

namespace tangram::runtime {

namespace {

/// "moved 3 by 64 wide ulps": what tells results apart.
std::string nameOf(const Move &move) {
  if (move.number == 0)
    return "";
  return "moved " + std::to_string(move.number) + " by " + std::to_string(move.ulps) +
         (move.byWideUlps ? " wide ulps" : " ulps");
}

std::map<std::string, std::uint64_t> definitionsOf(const Manifest &manifest,
                                                   const TunableValues &tunables) {
  std::map<std::string, std::uint64_t> definitions;
  for (const Tunable &t : manifest.tunables) {
    if (t.compileTime && tunables.contains(t.name))
      definitions[t.name] = tunables.at(t.name);
  }
  return definitions;
}

/// In wider numbers, moved before or after.
Problem wideProblem(const Problem &problem, const Manifest &wide, const Move &move) {
  return move.byWideUlps || move.number == 0 ? widened(problem, wide.signature, move)
                                             : widened(moved(problem, move), wide.signature, move);
}

} // namespace

Result<SharedValues> PlanRuns::of(Way way, const Move &move) {
  try {
    switch (way) {
    case Way::Plan:
      return narrowPlan(move);
    case Way::WidePlan:
      return widePlan(move);
    case Way::Reference:
      return problems.reference(
          plan.manifest, definitionsOf(plan.manifest, plan.tunables), nameOf(move),
          move.number == 0 ? Derived()
                           : [&](const Problem &problem) { return moved(problem, move); });
    case Way::WideReference:
      return problems.reference(
          plan.wide, definitionsOf(plan.wide, plan.tunables), "wide " + nameOf(move),
          [&](const Problem &problem) { return wideProblem(problem, plan.wide, move); });
    }
  } catch (const std::bad_alloc &) {
    return refusal("the values of this problem in wider numbers do not fit in memory");
  }
  return failure("no such run");
}

Result<SharedValues> PlanRuns::narrowPlan(const Move &move) {
  if (move.number != 0)
    return run(plan.manifest, plan.backend, moved(plan.problem, move), plan.tunables);
  if (!move.again)
    return plan.results;
  if (Status status = plan.execution.reset(!keepsExecutions); !status)
    return status.error();
  if (Result<double> elapsed = plan.execution.run(); !elapsed)
    return elapsed.error();
  Result<Values> values = plan.execution.outputs();
  if (!values)
    return values.error();
  return std::make_shared<const Values>(std::move(*values));
}

Result<SharedValues> PlanRuns::widePlan(const Move &move) {
  const Result<TunableValues> tunables = wideTunables();
  const Result<std::string> source = readTextFile(plan.wide.path("source"));
  if (!tunables || !source)
    return tunables ? source.error() : tunables.error();
  std::string key = "plan " + plan.wide.planId + " " + nameOf(move) + "\n";
  for (const auto &[name, value] : *tunables)
    key += name + "=" + std::to_string(value) + " ";
  key += *source;
  if (SharedValues known = problems.results().find(key))
    return known;
  Result<SharedValues> values =
      run(plan.wide, plan.wideBackend, wideProblem(plan.problem, plan.wide, move), *tunables);
  if (values)
    problems.results().keep(key, *values);
  return values;
}

/// The plan's own, or others where wide numbers do not fit the device with these: it is the same plan.
Result<TunableValues> PlanRuns::wideTunables() const {
  Bindings bindings = plan.problem.bindings();
  const DeviceFacts &facts = plan.wideBackend.facts();
  facts.bind(bindings);
  TunableValues own;
  for (const Tunable &t : plan.wide.tunables) {
    if (plan.tunables.contains(t.name))
      own[t.name] = plan.tunables.at(t.name);
  }
  const std::vector<Requirement> requirements = requirementsOf(plan.wide, facts);
  Result<TunableValues> chosen = chooseTunables(plan.wide, bindings, requirements, own);
  if (chosen)
    return chosen;
  Result<TunableValues> others = chooseTunables(plan.wide, bindings, requirements, {});
  return others ? others : chosen;
}

Result<SharedValues> PlanRuns::run(const Manifest &manifest, Backend &backend, Problem problem,
                                   const TunableValues &tunables) {
  Bindings bindings = problem.bindings();
  backend.facts().bind(bindings);
  bindings.values.insert(tunables.begin(), tunables.end());
  auto own = std::make_unique<Problem>(std::move(problem));
  Result<std::unique_ptr<Execution>> execution =
      backend.prepare(manifest, *own, tunables, bindings);
  if (!execution)
    return execution.error();
  const auto finished = [&]() -> Result<SharedValues> {
    if (Status status = (*execution)->reset(!keepsExecutions); !status)
      return status.error();
    if (Result<double> elapsed = (*execution)->run(); !elapsed)
      return elapsed.error();
    Result<Values> values = (*execution)->outputs();
    if (!values)
      return values.error();
    return std::make_shared<const Values>(std::move(*values));
  };
  Result<SharedValues> values = finished();
  if (!values)
    (*execution)->distrust();
  if (keepsExecutions)
    kept.push_back({std::move(own), std::move(*execution)});
  return values;
}

} // namespace tangram::runtime
