#include "driver/commands/plans_command.h"

#include "codegen/analysis/tunable_ranges.h"
#include "codegen/pipeline/pipeline.h"
#include "composer/plans/notation.h"
#include "composer/plans/plan_dot.h"
#include "composer/plans/plan_json.h"
#include "composer/plans/plan_svg.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/dropped_plans.h"
#include "driver/commands/plan_why.h"
#include "files/write_file.h"
#include "json/reader.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <list>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace tangram::driver {

namespace {

using composer::Planner;
using composer::PlanStrategy;
using composer::RankedPlan;
using Json = nlohmann::ordered_json;

/// A number where a double holds it exactly, else its digits.
Json numberJson(const mpz_class &value) {
  static const mpz_class exact("9007199254740992");
  return value <= exact ? Json(value.get_ui()) : Json(value.get_str());
}

/// The words in lines no longer than a reader likes, each begun with `indent`.
std::string wrapped(const std::vector<std::string> &words, const std::string &indent) {
  constexpr std::size_t width = 100;
  std::string result;
  std::string line = indent;
  for (const std::string &word : words) {
    if (line.size() > indent.size() && line.size() + 1 + word.size() > width) {
      result += line + "\n";
      line = indent;
    }
    line += (line.size() > indent.size() ? " " : "") + word;
  }
  return result + line + "\n";
}

std::vector<std::string> wordsOf(const std::string &text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Items that must not be broken, each but the last with a comma.
std::vector<std::string> listed(std::vector<std::string> items) {
  for (std::size_t i = 0; i + 1 < items.size(); ++i)
    items[i] += ',';
  return items;
}

/// What the code of a plan may be tuned by; or why there is none.
using Domains = std::variant<codegen::TunableRanges, codegen::Refusal>;

Domains domainsOf(const PlansOptions &options, const Planner &planner, const RankedPlan &plan) {
  auto lowered = codegen::lower(planner.program(), options.spectrum, plan.plan, planner.machine(),
                                options.planning.target);
  if (auto *refusal = std::get_if<codegen::Refusal>(&lowered))
    return *refusal;
  codegen::TunableRanges ranges = codegen::tunableRanges(
      codegen::optimize(std::get<codegen::LoweredPlan>(std::move(lowered)), {}));
  if (auto refusal = ranges.refusal())
    return *refusal;
  return ranges;
}

/// The ids of the plans that there are for each target.
class KnownPlans {
public:
  KnownPlans(const PlansOptions &options, const ir::Program &program) {
    if (options.planning.strategy == PlanStrategy::All || !options.planning.level.empty() ||
        !options.planning.target.empty())
      return; // too many to look for; or no libraries; or it is known
    for (const TargetMachine &each : options.targets) {
      composer::PlanOptions planning = options.planning;
      planning.target = each.target;
      std::set<std::string> &ids = known.emplace_back(each.target, Ids{}).second;
      auto planner = Planner::make(program, each.machine, options.spectrum, planning);
      auto *made = std::get_if<Planner>(&planner);
      if (!made)
        continue;
      made->forEach([&](const RankedPlan &plan) { return ids.insert(plan.id), true; });
      planners.emplace_back(std::move(*made), &ids);
    }
  }

  /// A plan that somebody asked for, which need not be among the first in rank.
  void look(const RankedPlan &plan) const {
    const auto sketch = composer::Sketch::parse(composer::linear(plan.steps));
    for (const auto &[planner, ids] : planners) {
      if (ids->contains(plan.id) || !std::holds_alternative<composer::Sketch>(sketch))
        continue;
      const auto same = planner.complete(std::get<composer::Sketch>(sketch));
      if (const auto *found = std::get_if<RankedPlan>(&same))
        ids->insert(found->id);
    }
  }

  bool empty() const { return known.empty(); }

  std::vector<std::string> targetsOf(const std::string &id) const {
    std::vector<std::string> names;
    for (const auto &[target, ids] : known) {
      if (ids.contains(id))
        names.push_back(target);
    }
    return names;
  }

  /// Those that the plan is not for.
  std::vector<std::string> othersThan(const std::string &id) const {
    std::vector<std::string> names;
    for (const auto &[target, ids] : known) {
      if (!ids.contains(id))
        names.push_back(target);
    }
    return names;
  }

  /// Unless all of them are for every target, a line for each one.
  void note(const std::vector<std::string> &printed, std::ostream &err) const {
    std::string text;
    bool differ = false;
    for (const auto &[target, ids] : known) {
      std::vector<std::string> found;
      for (const std::string &id : printed) {
        if (ids.contains(id))
          found.push_back(id);
      }
      const bool all = found.size() == printed.size();
      differ |= !all;
      text += "note: for " + target + ": ";
      if (all || found.empty())
        text += std::string(all ? "all" : "none") + " of these plans";
      for (const std::string &id : all ? std::vector<std::string>{} : found)
        text += (id == found.front() ? "" : ", ") + id;
      text += all ? "\n" : "; --target " + target + " lists all that are\n";
    }
    if (differ)
      err << text;
  }

private:
  using Ids = std::set<std::string>;
  std::list<std::pair<std::string, Ids>> known;
  std::vector<std::pair<Planner, Ids *>> planners;
};

/// Prints plans in one of the formats, as they come.
class Printer {
public:
  Printer(const PlansOptions &options, const Planner &planner, std::ostream &out)
      : options(options), planner(planner), known(options, planner.program()), out(out) {}

  void look(const RankedPlan &plan) { known.look(plan); }

  /// False when the plan is left out; then `err` has the reason.
  bool plan(const RankedPlan &plan, std::ostream &err) {
    domains = codegen::TunableRanges{};
    if (options.domains)
      domains = domainsOf(options, planner, plan);
    if (const auto *refusal = std::get_if<codegen::Refusal>(&domains)) {
      err << "note: plan " << plan.id << " is left out: " << refusal->reason << "\n";
      return false;
    }
    if (printed++ == 0)
      begin();
    ids.push_back(plan.id);
    if (options.format == "json")
      json(plan);
    else if (options.format == "dot")
      out << composer::planToDot(plan.plan, planner.program(), planner.machine(), title(plan));
    else if (options.format == "svg")
      out << composer::planToSvg(plan.plan, planner.rules(), title(plan), true);
    else
      text(plan);
    return true;
  }

  /// `count` is of all plans there are, listed or not.
  void end(const mpz_class &count, std::ostream &err) {
    if (options.format == "json") {
      out << "\n  ],\n  \"count\": " << json::dumped(numberJson(count));
      if (dropped)
        out << ",\n  \"dropped\": " << json::dumped(dropped->json());
      out << "\n}\n";
    } else {
      known.note(ids, err);
      if (dropped)
        err << dropped->text();
    }
  }

  /// Of a list that is to say what is not in it.
  void tellDropped() { dropped.emplace(planner); }

  std::size_t plans() const { return printed; }

private:
  std::string strategy() const {
    switch (options.planning.strategy) {
    case PlanStrategy::All:
      return "all";
    case PlanStrategy::Predict:
      return "predict";
    case PlanStrategy::Thesis:
      break;
    }
    return "thesis";
  }

  void begin() {
    if (options.format == "json")
      out << "{\n  \"spectrum\": " << json::dumped(Json(options.spectrum))
          << ",\n  \"model\": " << json::dumped(Json(planner.machine().name))
          << ",\n  \"strategy\": " << json::dumped(Json(strategy()))
          << ",\n  \"iterations\": " << planner.iterations() << ",\n  \"plans\": [\n";
  }

  static std::string title(const RankedPlan &plan) {
    return plan.plan->spectrum + ", plan " + plan.id;
  }

  void text(const RankedPlan &plan) {
    const std::string rank = plan.rank == 0 ? "" : plan.rank.get_str() + "  ";
    const std::vector<std::string> others = known.othersThan(plan.id);
    out << rank << plan.id << (others.empty() ? "" : "  not for " + composer::linear(others))
        << "\n"
        << wrapped(listed(plan.steps), "    ");
    if (!plan.tunables.empty())
      out << wrapped(listed(tunables(plan)), "      ");
    for (const auto &[name, before, after] : narrowed())
      out << "      domain of " << name << ": " << before
          << (before == after ? std::string() : " -> " + after) << "\n";
    if (!plan.why.empty())
      out << wrapped(wordsOf(plan.why), "      ");
    if (options.derivation) {
      for (const std::string &line : derivation(plan))
        out << "      -> " << line << "\n";
    }
  }

  /// Name, domain before and domain after, of each tunable of the code.
  std::vector<std::array<std::string, 3>> narrowed() const {
    const auto &ranges = std::get<codegen::TunableRanges>(domains);
    std::vector<std::array<std::string, 3>> all;
    for (std::size_t i = 0; i < ranges.before.size(); ++i)
      all.push_back({ranges.before[i].var->name, composer::toString(ranges.before[i]),
                     composer::toString(ranges.after.ranges[i])});
    return all;
  }

  std::vector<std::string> tunables(const RankedPlan &plan) const {
    std::vector<std::string> words;
    for (const composer::PlanTunable &each : plan.tunables)
      words.push_back(each.name + " of " + each.codelet + " at " + levelName(each.level) + ": " +
                      (each.workers < 0 ? "free" : "workers of " + levelName(each.workers)));
    if (!words.empty())
      words.front().insert(0, "tunable ");
    return words;
  }

  const std::string &levelName(int level) const {
    return planner.machine().levels[static_cast<std::size_t>(level)].name;
  }

  std::vector<std::string> derivation(const RankedPlan &plan) const {
    std::vector<std::string> lines;
    for (const composer::DerivationLine &line : composer::derivation(plan.plan, planner.rules()))
      lines.push_back(toString(line));
    return lines;
  }

  void json(const RankedPlan &plan) {
    Json json;
    json["id"] = plan.id;
    json["rank"] = plan.rank == 0 ? Json(nullptr) : numberJson(plan.rank);
    json["steps"] = plan.steps;
    json["tunables"] = Json::array();
    for (const composer::PlanTunable &each : plan.tunables)
      json["tunables"].push_back(
          {{"name", each.name},
           {"codelet", each.codelet},
           {"level", levelName(each.level)},
           {"workers", each.workers < 0 ? Json(nullptr) : Json(levelName(each.workers))}});
    if (options.domains) {
      json["domains"] = Json::array();
      for (const auto &[name, before, after] : narrowed())
        json["domains"].push_back({{"name", name}, {"before", before}, {"after", after}});
      json["constraints"] = Json::array();
      for (const auto &each : std::get<codegen::TunableRanges>(domains).after.left)
        json["constraints"].push_back(
            {{"require", ir::toString(each.require)}, {"reason", each.reason}});
    }
    if (!known.empty())
      json["targets"] = known.targetsOf(plan.id);
    json["why"] = plan.why;
    if (plan.measured)
      json["seconds"] = *plan.measured;
    if (options.derivation)
      json["derivation"] = derivation(plan);
    out << (printed > 1 ? ",\n" : "") << "    " << json::dumped(json);
  }

  const PlansOptions &options;
  const Planner &planner;
  KnownPlans known;
  std::ostream &out;
  std::size_t printed = 0;
  std::vector<std::string> ids;
  std::optional<DroppedPlans> dropped;
  Domains domains; ///< of the plan at hand
};

int report(const ir::Diagnostics &errors, std::ostream &err) {
  err << ir::render(errors);
  return 1;
}

int printCount(const PlansOptions &options, const Planner &planner, std::ostream &out,
               std::ostream &err) {
  auto space = planner.space();
  if (auto *error = std::get_if<ir::Diagnostic>(&space))
    return report({*error}, err);
  const mpz_class &count = std::get<composer::PlanSpace>(space).count();
  if (options.format == "json") {
    Json json;
    json["spectrum"] = options.spectrum;
    json["model"] = planner.machine().name;
    json["strategy"] = "all";
    json["iterations"] = planner.iterations();
    json["plans"] = Json::array();
    json["count"] = numberJson(count);
    out << json::dumped(json, 2) << "\n";
  } else {
    out << count << "\n";
  }
  return 0;
}

bool save(const PlansOptions &options, const Planner &planner, const RankedPlan &plan,
          std::ostream &err) {
  if (options.save.empty())
    return true;
  const std::string problem = files::writeFile(
      options.save, composer::planToJson(plan.plan, planner.program(), planner.machine()));
  if (problem.empty())
    return true;
  err << "error: cannot write " << options.save.string() << ": " << problem << "\n";
  return false;
}

int printNamed(const PlansOptions &options, const Planner &planner, std::ostream &out,
               std::ostream &err) {
  auto found = chosenPlan(planner, options.plan);
  if (auto *errors = std::get_if<ir::Diagnostics>(&found))
    return report(*errors, err);
  Printer printer(options, planner, out);
  printer.look(std::get<RankedPlan>(found));
  if (!printer.plan(std::get<RankedPlan>(found), err))
    return 1;
  printer.end(1, err);
  return save(options, planner, std::get<RankedPlan>(found), err) ? 0 : 1;
}

int printAll(const PlansOptions &options, const Planner &planner, std::ostream &out,
             std::ostream &err) {
  const bool draws = options.format == "dot" || options.format == "svg";
  const std::size_t limit = options.limit == 0 && draws ? 1 : options.limit;
  const bool counts = options.planning.strategy == PlanStrategy::All;
  Printer printer(options, planner, out);
  mpz_class found = 0;
  bool saved = true;
  ir::Diagnostics errors = planner.forEach([&](const RankedPlan &plan) {
    if (++found == 1)
      saved = save(options, planner, plan, err);
    if (limit == 0 || printer.plans() < limit)
      printer.plan(plan, err);
    // The few of `thesis` are all counted; those of `all` the space counts.
    const bool more = limit == 0 || printer.plans() < limit || !counts;
    return more && saved && out.good();
  });
  if (!errors.empty())
    return report(errors, err);
  if (counts) {
    auto space = planner.space();
    if (auto *all = std::get_if<composer::PlanSpace>(&space))
      found = all->count();
  }
  if (printer.plans() == 0) {
    err << "error: " << options.planning.target << " can express none of the plans\n";
    return 1;
  }
  if (!counts && !draws)
    printer.tellDropped();
  printer.end(found, err);
  return saved ? 0 : 1;
}

} // namespace

int plansCommand(const PlansOptions &options, const ir::Program &program,
                 const composer::Machine &machine, std::ostream &out, std::ostream &err) {
  auto made = Planner::make(program, machine, options.spectrum, options.planning);
  if (auto *errors = std::get_if<ir::Diagnostics>(&made))
    return report(*errors, err);
  const Planner &planner = std::get<Planner>(made);
  if (options.domains && options.planning.target.empty()) {
    err << "error: domains are those of generated code: name its --target\n";
    return 2;
  }
  if (options.count)
    return printCount(options, planner, out, err);
  if (!options.why.empty())
    return explainPlans({options.why, options.format, options.fusion}, planner,
                        options.predictor.get(), out, err);
  return options.plan.empty() ? printAll(options, planner, out, err)
                              : printNamed(options, planner, out, err);
}

} // namespace tangram::driver
