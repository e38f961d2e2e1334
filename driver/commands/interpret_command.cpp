#include "driver/commands/interpret_command.h"

#include "composer/plans/notation.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/input/input.h"
#include "driver/input/plan_limit.h"
#include "runtime/data/command_values.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tangram::driver {

using composer::Planner;
using composer::RankedPlan;
using Outcome = InterpretedRun::Outcome;
using nlohmann::ordered_json;

namespace {

struct InterpretedPlan {
  std::string id;
  std::vector<std::string> steps;
  std::string refusal; ///< why there is no kernel of it
  std::vector<InterpretedRun> runs;

  std::size_t count(Outcome outcome) const {
    return static_cast<std::size_t>(
        std::count_if(runs.begin(), runs.end(),
                      [&](const InterpretedRun &run) { return run.outcome == outcome; }));
  }
  bool isBad() const {
    return count(Outcome::Reported) + count(Outcome::Wrong) != 0 ||
           (!runs.empty() && count(Outcome::Refused) == runs.size());
  }
};

class Command {
public:
  Command(const InterpretOptions &options, const Planner &planner, const composer::Machine &machine,
          std::ostream &out, std::ostream &err)
      : options_(options), planner_(planner), out_(out), err_(err),
        runs_(planner.program(), *planner.program().spectrum(options.spectrum), machine,
              options.target, options.runs) {}

  int run() {
    ir::Diagnostics errors;
    PlanLimit limit(options_.limit);
    if (options_.plan == "all" || options_.plan == "best")
      errors = planner_.forEach([&](const RankedPlan &plan) {
        if (limit.isReached())
          return false;
        take(plan);
        limit.count(!plans_.back().refusal.empty());
        return options_.plan == "all" || !plans_.back().refusal.empty();
      });
    else
      errors = chosen();
    if (!errors.empty()) {
      err_ << ir::render(errors);
      return 1;
    }
    if (options_.format == "json")
      json();
    else
      summary();
    return status();
  }

private:
  void take(const RankedPlan &plan) {
    InterpretedPlan done{plan.id, plan.steps, {}, {}};
    auto runs = runs_.run(plan.plan);
    if (auto *refusal = std::get_if<codegen::Refusal>(&runs))
      done.refusal = refusal->reason;
    else
      done.runs = std::move(std::get<std::vector<InterpretedRun>>(runs));
    if (options_.format == "text")
      text(done);
    plans_.push_back(std::move(done));
  }

  ir::Diagnostics chosen() {
    auto found = chosenPlan(planner_, options_.plan);
    if (auto *errors = std::get_if<ir::Diagnostics>(&found))
      return *errors;
    take(std::get<RankedPlan>(found));
    return {};
  }

  // Text: a line a plan, and what is bad of it below.

  static std::string numbers(const InterpretedRun &run) {
    std::string text = run.form;
    for (const auto &[name, value] : run.extents)
      text += " " + name + "=" + std::to_string(value);
    for (const auto &[name, value] : run.tunables)
      text += " " + name + "=" + std::to_string(value);
    return text;
  }

  void text(const InterpretedPlan &plan) {
    if (!plan.refusal.empty()) {
      out_ << plan.id << "  refused: " << plan.refusal << "\n";
      return;
    }
    out_ << plan.id << "  " << counts(plan) << "  " << composer::linear(plan.steps) << "\n";
    const bool never = plan.count(Outcome::Refused) == plan.runs.size();
    for (const InterpretedRun &run : plan.runs) {
      if (run.outcome == Outcome::Right || (run.outcome == Outcome::Refused && !never))
        continue;
      out_ << "  " << nameOf(run.outcome) << ": " << numbers(run) << "\n";
      if (!run.reason.empty())
        out_ << "    " << run.reason << "\n";
      for (const codegen::Report &report : run.reports)
        out_ << "    " << report.text() << "\n";
    }
    out_ << std::flush;
  }

  static std::string counts(const InterpretedPlan &plan) {
    std::string text;
    for (Outcome outcome : {Outcome::Right, Outcome::Reported, Outcome::Wrong, Outcome::Refused,
                            Outcome::Undefined}) {
      if (std::size_t count = plan.count(outcome))
        text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + nameOf(outcome);
    }
    return text;
  }

  void summary() const {
    if (plans_.size() < 2)
      return;
    std::size_t bad = 0;
    std::size_t refused = 0;
    for (const InterpretedPlan &plan : plans_) {
      bad += plan.isBad() ? 1 : 0;
      refused += plan.refusal.empty() ? 0 : 1;
    }
    out_ << plans_.size() << " plans: " << plans_.size() - bad - refused << " right, " << bad
         << " not, " << refused << " refused\n";
  }

  static ordered_json jsonOf(const InterpretedRun &run) {
    ordered_json each = {{"form", run.form},
                         {"extents", run.extents},
                         {"tunables", run.tunables},
                         {"status", nameOf(run.outcome)}};
    if (!run.reason.empty())
      each["reason"] = run.reason;
    for (const codegen::Report &report : run.reports)
      each["reports"].push_back({{"kind", codegen::nameOf(report.kind)},
                                 {"file", report.location.file},
                                 {"line", report.location.line},
                                 {"column", report.location.column},
                                 {"statement", report.statement},
                                 {"message", report.message},
                                 {"times", report.times}});
    return each;
  }

  void json() const {
    ordered_json plans = ordered_json::array();
    for (const InterpretedPlan &plan : plans_) {
      ordered_json each = {{"id", plan.id}, {"steps", plan.steps}};
      if (!plan.refusal.empty())
        each["refused"] = plan.refusal;
      else
        each["runs"] = ordered_json::array();
      for (const InterpretedRun &run : plan.runs)
        each["runs"].push_back(jsonOf(run));
      plans.push_back(each);
    }
    const ordered_json all{{"spectrum", options_.spectrum},
                           {"model", planner_.machine().name},
                           {"target", options_.target},
                           {"plans", plans}};
    out_ << json::dumped(all, 2) << "\n";
  }

  int status() const {
    bool any = false;
    bool undefined = false;
    for (const InterpretedPlan &plan : plans_) {
      if (plan.isBad())
        return 3;
      any |= plan.refusal.empty();
      undefined |= plan.count(Outcome::Undefined) != 0;
    }
    if (any)
      return undefined ? 1 : 0;
    err_ << "error: "
         << noneOfThePlans(options_.target, plans_.size(), options_.limit,
                           options_.planning.strategy)
         << "\n";
    return 1;
  }

  const InterpretOptions &options_;
  const Planner &planner_;
  std::ostream &out_;
  std::ostream &err_;
  InterpretedRuns runs_;
  std::vector<InterpretedPlan> plans_;
};

} // namespace

int interpretCommand(const InterpretOptions &options, const ir::Program &program,
                     const composer::Machine &machine, std::ostream &out, std::ostream &err) {
  composer::PlanOptions planning = options.planning;
  planning.target = options.target;
  auto planner = Planner::make(program, machine, options.spectrum, planning);
  if (auto *errors = std::get_if<ir::Diagnostics>(&planner)) {
    err << ir::render(*errors);
    return 1;
  }
  return Command(options, std::get<Planner>(planner), machine, out, err).run();
}

runtime::Status readSettings(const std::vector<std::string> &sizes,
                             const std::vector<std::string> &tunables,
                             RunOptionsOfInterpreter &runs) {
  // The parser of tangram-run speaks of its own option.
  auto renamed = [](runtime::Error error) {
    if (std::size_t at = error.message.find("--set "); at == 0)
      error.message.replace(0, 5, "--tunable");
    return error;
  };
  auto choices = runtime::parseSizes(sizes);
  if (!choices)
    return choices.error();
  auto settings = runtime::parseSettings(tunables);
  if (!settings)
    return renamed(settings.error());
  runs.sizes = *choices;
  runs.settings = *settings;
  return runtime::ok();
}

} // namespace tangram::driver
