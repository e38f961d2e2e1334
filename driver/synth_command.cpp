#include "driver/synth_command.h"

#include "codegen/bundle/bundle.h"
#include "composer/plans/notation.h"
#include "composer/plans/plan_json.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <unistd.h>

namespace tangram::driver {

using composer::Planner;
using composer::RankedPlan;
namespace fs = std::filesystem;

namespace {

bool looksLikeFile(const std::string &plan) { return plan.size() > 5 && plan.ends_with(".json"); }

class Synthesizer {
public:
  Synthesizer(const SynthOptions &options, const Planner &planner, std::ostream &err)
      : options_(options), planner_(planner), err_(err) {}

  SynthResult run(const RankedPlan &plan) {
    take(plan, options_.output);
    return std::move(result_);
  }

  SynthResult run() {
    if (options_.plan == "all")
      all();
    else if (options_.plan == "best")
      best();
    else
      chosen();
    return std::move(result_);
  }

private:
  /// The bundle's files, or the refusal.
  std::variant<codegen::BundleFiles, codegen::Refusal> make(const RankedPlan &plan) const {
    codegen::BundleRequest request;
    request.program = &planner_.program();
    request.spectrum = options_.spectrum;
    request.plan = plan.plan;
    request.machine = &planner_.machine();
    request.target = options_.target;
    request.planId = plan.id;
    request.steps = plan.steps;
    for (const composer::DerivationLine &line : composer::derivation(plan.plan, planner_.rules()))
      request.derivation.push_back(composer::toString(line));
    request.withoutPasses = options_.withoutPasses;
    auto files = codegen::makeBundle(request);
    if (auto *made = std::get_if<codegen::BundleFiles>(&files))
      (*made)["plan.json"] =
          composer::planToJson(plan.plan, planner_.program(), planner_.machine());
    return files;
  }

  /// False when the bundle could not be written.
  bool take(const RankedPlan &plan, const fs::path &folder) {
    auto files = make(plan);
    if (auto *refusal = std::get_if<codegen::Refusal>(&files)) {
      result_.plans.push_back({plan.id, plan.steps, {}, reasonOf(*refusal)});
      return true;
    }
    std::string problem = codegen::writeBundle(std::get<codegen::BundleFiles>(files), folder);
    if (!problem.empty()) {
      err_ << "error: " << problem << "\n";
      result_.status = 1;
      return false;
    }
    result_.plans.push_back({plan.id, plan.steps, folder, ""});
    return true;
  }

  static std::string reasonOf(const codegen::Refusal &refusal) {
    if (!refusal.location.valid())
      return refusal.reason;
    return refusal.reason + " (" + refusal.location.file + ":" +
           std::to_string(refusal.location.line) + ":" + std::to_string(refusal.location.column) +
           ")";
  }

  void all() {
    bool progress = isatty(STDERR_FILENO) != 0 && !options_.quiet;
    ir::Diagnostics errors = planner_.forEach([&](const RankedPlan &plan) {
      if (result_.plans.size() >= options_.limit)
        return false;
      if (progress && result_.plans.size() % 16 == 0)
        err_ << "\rsynthesizing plan " << result_.plans.size() + 1 << std::flush;
      return take(plan, options_.output / plan.id);
    });
    if (progress)
      err_ << "\r\033[K";
    fail(errors);
    if (result_.status == 0 && !anyWritten())
      refuseAll();
  }

  void best() {
    ir::Diagnostics errors = planner_.forEach([&](const RankedPlan &plan) {
      return take(plan, options_.output) && !anyWritten() && result_.plans.size() < options_.limit;
    });
    fail(errors);
    if (result_.status == 0 && !anyWritten())
      refuseAll();
  }

  void chosen() {
    RankedPlan plan;
    if (looksLikeFile(options_.plan)) {
      std::ifstream file(options_.plan);
      if (!file) {
        err_ << options_.plan << ": error: cannot be read\n";
        result_.status = 1;
        return;
      }
      std::stringstream text;
      text << file.rdbuf();
      composer::PlanInterner interner;
      auto read = composer::planFromJson(text.str(), options_.plan, planner_.program(),
                                         planner_.machine(), interner);
      if (auto *errors = std::get_if<ir::Diagnostics>(&read))
        return fail(*errors);
      plan = planner_.describe(std::get<ir::PlanPtr>(read));
    } else {
      auto found = planner_.find(options_.plan);
      if (auto *errors = std::get_if<ir::Diagnostics>(&found))
        return fail(*errors);
      plan = std::get<RankedPlan>(found);
    }
    take(plan, options_.output);
    if (result_.status == 0 && !anyWritten())
      refuseAll();
  }

  bool anyWritten() const {
    for (const SynthesizedPlan &plan : result_.plans) {
      if (!plan.bundle.empty())
        return true;
    }
    return false;
  }

  void refuseAll() {
    err_ << "error: " << options_.target << " can express none of the plans\n";
    for (const SynthesizedPlan &plan : result_.plans)
      err_ << "note: plan " << plan.id << ": " << plan.refusal << "\n";
    result_.status = 1;
  }

  void fail(const ir::Diagnostics &errors) {
    if (errors.empty())
      return;
    err_ << ir::render(errors);
    result_.status = 1;
  }

  const SynthOptions &options_;
  const Planner &planner_;
  std::ostream &err_;
  SynthResult result_;
};

} // namespace

SynthResult synthesize(const SynthOptions &options, const ir::Program &program,
                       const composer::Machine &machine, std::ostream &err) {
  composer::PlanOptions planning = options.planning;
  planning.target = options.target;
  auto planner = Planner::make(program, machine, options.spectrum, planning);
  if (auto *errors = std::get_if<ir::Diagnostics>(&planner)) {
    err << ir::render(*errors);
    return {{}, 1};
  }
  return Synthesizer(options, std::get<Planner>(planner), err).run();
}

SynthResult synthesizePlan(const Planner &planner, const RankedPlan &plan,
                           const std::string &target, const fs::path &folder) {
  SynthOptions options;
  options.spectrum = plan.plan->spectrum;
  options.target = target;
  options.output = folder;
  std::ostringstream nowhere;
  return Synthesizer(options, planner, nowhere).run(plan);
}

int synthCommand(const SynthOptions &options, const ir::Program &program,
                 const composer::Machine &machine, std::ostream &out, std::ostream &err) {
  SynthResult result = synthesize(options, program, machine, err);
  if (options.format == "json") {
    nlohmann::ordered_json plans = nlohmann::ordered_json::array();
    for (const SynthesizedPlan &plan : result.plans) {
      nlohmann::ordered_json each = {{"id", plan.id}, {"steps", plan.steps}};
      if (plan.refusal.empty())
        each["bundle"] = plan.bundle.string();
      else
        each["refused"] = plan.refusal;
      plans.push_back(each);
    }
    out << nlohmann::ordered_json{{"spectrum", options.spectrum},
                                  {"model", machine.name},
                                  {"target", options.target},
                                  {"plans", plans}}
               .dump(2)
        << "\n";
    return result.status;
  }
  for (const SynthesizedPlan &plan : result.plans) {
    if (plan.refusal.empty())
      out << plan.id << "  " << plan.bundle.string() << "  " << composer::linear(plan.steps)
          << "\n";
    else if (result.status == 0)
      out << plan.id << "  refused: " << plan.refusal << "\n";
  }
  return result.status;
}

} // namespace tangram::driver
