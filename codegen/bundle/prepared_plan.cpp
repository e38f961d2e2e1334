#include "codegen/bundle/prepared_plan.h"

#include "algebra/device_facts.h"
#include "codegen/analysis/tunable_ranges.h"
#include "codegen/form/manifest_expression.h"
#include "codegen/form/roles.h"
#include "codegen/lowering/atomic_support.h"
#include "codegen/lowering/lower.h"
#include "codegen/pipeline/backends.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/printing/launch_defaults.h"

#include <algorithm>

namespace tangram::codegen {

using namespace ir;

namespace {

/// A model may count workers by what only some targets know of a machine.
std::optional<Refusal> unknownFact(const LoweredPlan &plan) {
  for (const Tunable &tunable : plan.tunables) {
    for (const algebra::DeviceFact &fact : algebra::deviceFacts()) {
      if (!backendOf(*plan.target).knows(fact) && mentionsName(tunable.defaultValue, fact.name))
        return Refusal{"the default of " + tunable.var->name + ", " + tunable.defaultValue +
                           ", needs " + fact.name + ", which target " + plan.target->name +
                           " does not know",
                       {}};
    }
  }
  return std::nullopt;
}

/// Refuses a plan whose requirements on calls the manifest has no words for: callers could not check them.
std::optional<Refusal> unwritableContract(const LoweredPlan &plan) {
  auto refusal = [](const ExprPtr &e) -> std::optional<Refusal> {
    if (std::optional<std::string> why = unwritable(e))
      return Refusal{"what the caller has to guarantee cannot be checked before a call: " + *why,
                     e->location};
    return std::nullopt;
  };
  for (const Constraint &c : plan.constraints) {
    if (auto found = refusal(c.require))
      return found;
  }
  for (const ShapeContract &c : plan.shape) {
    if (auto found = refusal(c.equals))
      return found;
  }
  for (const DataContract &c : plan.data) {
    for (const ExprPtr &bound : {c.low, c.high}) {
      if (isFloating(bound->type.scalar))
        continue; // a literal
      if (auto found = refusal(bound))
        return found;
    }
  }
  return std::nullopt;
}

} // namespace

std::variant<LoweredPlan, Refusal> preparedPlan(const BundleRequest &request, bool forPrediction) {
  if (const TargetTraits *traits = traitsOf(request.target); traits && !traits->generated)
    return noCodeGenerator(request.target);
  auto lowered = lower(*request.program, request.spectrum, request.plan, *request.machine,
                       request.target, request.findings, request.withoutPasses);
  if (auto *refusal = std::get_if<Refusal>(&lowered))
    return *refusal;
  LoweredPlan plan = std::get<LoweredPlan>(std::move(lowered));
  plan = forPrediction ? optimizeForPrediction(std::move(plan), request.withoutPasses)
                       : optimize(std::move(plan), request.withoutPasses);
  if (auto refusal = unknownFact(plan))
    return *refusal;
  if (auto refusal = unwritableContract(plan))
    return *refusal;
  if (auto refusal = unsupportedAtomic(plan))
    return *refusal;
  const TunableRanges ranges = tunableRanges(plan);
  if (auto refusal = ranges.refusal())
    return *refusal;
  applyRanges(plan, ranges);
  return plan;
}

void setDefaults(LoweredPlan &plan, const std::map<std::string, std::uint64_t> &defaults) {
  for (Tunable &tunable : plan.tunables) {
    auto found = defaults.find(tunable.var->name);
    if (found == defaults.end() || found->second < tunable.min || found->second > tunable.max)
      continue;
    const bool listed = tunable.values.empty() ||
                        std::find(tunable.values.begin(), tunable.values.end(),
                                  static_cast<std::int64_t>(found->second)) != tunable.values.end();
    if (!listed)
      continue;
    tunable.defaultValue = std::to_string(found->second);
    tunable.sizedDefault = nullptr;
  }
}

} // namespace tangram::codegen
