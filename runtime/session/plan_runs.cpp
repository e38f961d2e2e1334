#include "runtime/session/plan_runs.h"

#include "runtime/data/moved_inputs.h"
#include "runtime/data/text_file.h"

namespace tangram::runtime {

namespace {

/// What makes a text in wider numbers round the results of its operations (docs/bundle.md).
constexpr const char *samples = "TANGRAM_SAMPLE_ROUNDINGS";

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

/// The same for a sample. Digits of results say where they are rounded to, so that inputs that are moved by an ulp
/// get other digits behind their last one: otherwise there would be two samples alone, of an ulp up and an ulp down.
Problem sampledProblem(const Problem &problem, const Manifest &wide, const Move &move) {
  if (move.byWideUlps || move.number == 0)
    return wideProblem(problem, wide, move);
  constexpr unsigned partOfAnUlp = 1U << 28; // half an ulp of a float in ulps of double
  return widened(moved(problem, move), wide.signature,
                 {.number = move.number, .ulps = partOfAnUlp, .byWideUlps = true});
}

} // namespace

Result<SharedValues> PlanRuns::of(Way way, const Move &move) {
  try {
    switch (way) {
    case Way::Plan:
      return plan.results;
    case Way::WidePlan:
      return widePlan(plan.wide, move, wideProblem);
    case Way::SampledPlan:
      return widePlan(sampled(), move, sampledProblem);
    case Way::Reference:
      return problems.reference(plan.manifest, definitionsOf(plan.manifest, plan.tunables));
    case Way::WideReference:
      return wideReference(definitionsOf(plan.wide, plan.tunables), move, wideProblem);
    case Way::SampledReference: {
      auto definitions = definitionsOf(plan.wide, plan.tunables);
      definitions[samples] = move.number % 2;
      return wideReference(definitions, move, sampledProblem);
    }
    }
  } catch (const std::bad_alloc &) {
    return refusal("the values of this problem in wider numbers do not fit in memory");
  }
  return failure("no such run");
}

Result<SharedValues>
PlanRuns::wideReference(const std::map<std::string, std::uint64_t> &definitions, const Move &move,
                        WideProblem problemFor) {
  return problems.reference(
      plan.wide, definitions, "wide " + nameOf(move),
      [&](const Problem &problem) { return problemFor(problem, plan.wide, move); });
}

/// The definition reaches compilers as that of a tunable.
const Manifest &PlanRuns::sampled() {
  if (!sampledPlan) {
    sampledPlan = plan.wide;
    Tunable &definition = sampledPlan->tunables.emplace_back();
    definition.name = samples;
    definition.compileTime = true;
  }
  return *sampledPlan;
}

Result<SharedValues> PlanRuns::widePlan(const Manifest &wide, const Move &move,
                                        WideProblem problemFor) {
  Result<TunableValues> tunables = wideTunables();
  const Result<std::string> source = readTextFile(wide.path("source"));
  if (!tunables || !source)
    return tunables ? source.error() : tunables.error();
  if (&wide != &plan.wide)
    (*tunables)[samples] = move.number % 2; // 0 and 1 are antithetic
  std::string key = "plan " + wide.planId + " " + nameOf(move) + "\n";
  for (const auto &[name, value] : *tunables)
    key += name + "=" + std::to_string(value) + " ";
  key += *source;
  if (SharedValues known = problems.results().find(key))
    return known;
  Result<SharedValues> values =
      run(wide, plan.wideBackend, problemFor(plan.problem, wide, move), *tunables);
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
  for (;;) {
    Result<std::unique_ptr<Execution>> execution =
        backend.prepare(manifest, *own, tunables, bindings);
    if (!execution)
      return execution.error();
    Result<SharedValues> values = resultsOf(**execution);
    if (!values)
      (*execution)->distrust();
    if (!values && (*execution)->isOthersFault(values.error()))
      continue;
    if (keepsExecutions)
      kept.push_back({std::move(own), std::move(*execution)});
    return values;
  }
}

Result<SharedValues> PlanRuns::resultsOf(Execution &execution) const {
  if (Status status = execution.reset(!keepsExecutions); !status)
    return status.error();
  if (Result<double> elapsed = execution.run(); !elapsed)
    return elapsed.error();
  Result<Values> values = execution.outputs();
  if (!values)
    return values.error();
  return std::make_shared<const Values>(std::move(*values));
}

} // namespace tangram::runtime
