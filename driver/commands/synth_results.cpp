#include "driver/commands/synth_results.h"

#include "composer/plans/notation.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace tangram::driver {

namespace {

/// The rules that choose a version, as a table, and what they are worth.
void tellRules(const SynthOptions &options, const SynthResult &result, std::ostream &out) {
  const PlanVersions &versions = result.versions;
  std::size_t width = 9; // of "otherwise"
  for (const codegen::VersionRule &rule : versions.rules)
    width = std::max(width, rule.when.size());
  out << "\n"
      << options.output.string()
      << (options.online ? " calls what is fastest on its first calls; before that\n" : " calls\n");
  for (const codegen::VersionRule &rule : versions.rules) {
    std::string when = rule.when.empty() ? "otherwise" : rule.when;
    when.resize(width, ' ');
    out << "  " << when << "  " << versions.plans[rule.version].id << "\n";
  }
  out << (result.measuredOn.empty() ? "predicted" : "measured on " + result.measuredOn) << " at "
      << versions.sizes
      << " sizes, time beside that of the best plan known: " << figure(versions.chosen.mean)
      << " in the mean, " << figure(versions.chosen.worst) << " at worst; "
      << versions.plans.front().id << " alone: " << figure(versions.alone.mean) << " and "
      << figure(versions.alone.worst) << "\n";
}

nlohmann::ordered_json libraryJson(const SynthOptions &options, const SynthResult &result) {
  const PlanVersions &versions = result.versions;
  nlohmann::ordered_json rules = nlohmann::ordered_json::array();
  for (const codegen::VersionRule &rule : versions.rules) {
    nlohmann::ordered_json each;
    if (!rule.when.empty())
      each["when"] = rule.when;
    each["version"] = versions.plans[rule.version].id;
    rules.push_back(each);
  }
  return {{"bundle", options.output.string()},
          {"rules", rules},
          {"times", result.measuredOn.empty() ? "predicted" : "measured"},
          {"sizes", versions.sizes},
          {"relative_time", {{"mean", versions.chosen.mean}, {"worst", versions.chosen.worst}}},
          {"first_alone", {{"mean", versions.alone.mean}, {"worst", versions.alone.worst}}}};
}

} // namespace

std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

nlohmann::ordered_json synthesisJson(const SynthOptions &options, const SynthResult &result,
                                     const std::string &model) {
  nlohmann::ordered_json plans = nlohmann::ordered_json::array();
  for (const SynthesizedPlan &plan : result.plans) {
    nlohmann::ordered_json each = {{"id", plan.id}, {"steps", plan.steps}};
    if (plan.refusal.empty())
      each["bundle"] = plan.bundle.string();
    else
      each["refused"] = plan.refusal;
    plans.push_back(each);
  }
  nlohmann::ordered_json all{{"spectrum", options.spectrum},
                             {"model", model},
                             {"target", options.target},
                             {"plans", plans}};
  if (!result.versions.plans.empty())
    all["library"] = libraryJson(options, result);
  return all;
}

void printSynthesis(const SynthOptions &options, const SynthResult &result, std::ostream &out) {
  for (const SynthesizedPlan &plan : result.plans) {
    if (plan.refusal.empty())
      out << plan.id << "  " << plan.bundle.string() << "  " << composer::linear(plan.steps)
          << "\n";
    else if (result.status == 0)
      out << plan.id << "  refused: " << plan.refusal << "\n";
  }
  if (!result.versions.plans.empty())
    tellRules(options, result, out);
}

} // namespace tangram::driver
