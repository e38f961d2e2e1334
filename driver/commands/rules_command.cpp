#include "driver/commands/rules_command.h"

#include "composer/plans/plan_rules.h"
#include "composer/plans/planner.h"
#include "composer/rules/left_out.h"
#include "composer/rules/spectrum_choice.h"
#include "driver/text/comma_list.h"
#include "ir/diagnostic.h"
#include "json/reader.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <variant>

namespace tangram::driver {

namespace {

using composer::Goal;
using composer::ProgramRule;
using composer::RejectedRule;
using composer::RuleBook;
using Json = nlohmann::ordered_json;

/// What has rules: the spectrum at every level, and the inner maps that Split leaves open.
std::vector<Goal> goalsOf(const ir::Spectrum &spectrum, const RuleBook &book) {
  const composer::Machine *machine = book.context().machine;
  const std::size_t levels = machine ? machine->levels.size() : 1;
  std::vector<Goal> calls;
  std::vector<Goal> maps;
  auto addMaps = [&](const Goal &goal) {
    for (const ProgramRule &rule : book.rules(goal).rules) {
      for (const composer::OpenGoal &open : rule.open) {
        if (open.goal.map && std::ranges::find(maps, open.goal) == maps.end())
          maps.push_back(open.goal);
      }
    }
  };
  for (std::size_t level = 0; level < levels; ++level) {
    calls.push_back({&spectrum, static_cast<int>(level)});
    addMaps(calls.back());
  }
  for (std::size_t i = 0; i < maps.size(); ++i)
    addMaps(Goal(maps[i]));
  std::vector<Goal> all;
  for (std::size_t level = 0; level < levels; ++level) {
    all.push_back(calls[level]);
    std::ranges::copy_if(maps, std::back_inserter(all),
                         [&](const Goal &goal) { return goal.level == static_cast<int>(level); });
  }
  return all;
}

std::string place(const ir::SourceLocation &at) {
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string comment(const ProgramRule &rule) {
  const ir::Codelet *codelet = rule.codelet();
  return codelet ? codelet->name() + ", " + place(codelet->location) : rule.origin();
}

/// "P4", "B" for a map: the rule that would have been.
std::string nameOf(const RejectedRule &rule, const RuleBook &book) {
  const std::string level = book.context().machine ? book.context().levelName(rule.goal.level) : "";
  return rule.number == 0 ? level : level + std::to_string(rule.number);
}

void printText(const ir::Spectrum &spectrum, const RuleBook &book, bool why, std::ostream &out) {
  const composer::Machine *machine = book.context().machine;
  out << "Composition rules of " << spectrum.name
      << (machine ? " on " + machine->name : std::string()) << "\n";
  int level = -1;
  std::string rejected;
  for (const Goal &goal : goalsOf(spectrum, book)) {
    if (machine && goal.level != level) {
      const composer::Level &here = machine->levels[static_cast<std::size_t>(goal.level)];
      out << "\n" << here.name << (here.title.empty() ? "" : " (" + here.title + ")") << "\n";
      level = goal.level;
    } else if (!machine) {
      out << "\n";
    }
    const composer::RuleSet &set = book.rules(goal);
    for (const ProgramRule &rule : set.rules)
      out << "  " << book.label(rule) << ": " << toString(goal, book.context()) << "  // "
          << comment(rule) << "\n      -> " << joined(rule.steps) << "\n";
    if (set.rules.empty())
      out << "  " << toString(goal, book.context()) << ": no rule\n";
    for (const RejectedRule &rule : set.rejected)
      rejected += "  " + nameOf(rule, book) + " " + rule.refusal.rule + " (" + rule.origin() +
                  ", " + place(rule.refusal.location) + "): " + rule.refusal.reason + "\n";
  }
  if (why)
    out << "\nNot applicable\n" << (rejected.empty() ? "  none\n" : rejected);
}

Json locationJson(const ir::SourceLocation &at) {
  return {{"file", at.file}, {"line", at.line}, {"column", at.column}};
}

Json numberJson(unsigned number) { return number == 0 ? Json(nullptr) : Json(number); }

Json ruleJson(const ProgramRule &rule, const RuleBook &book) {
  Json json;
  json["number"] = numberJson(rule.number);
  json["level"] = book.context().levelName(rule.goal.level);
  json["composes"] = toString(rule.goal, book.context());
  json["origin"] = rule.origin();
  json["location"] = rule.codelet() ? locationJson(rule.codelet()->location) : Json(nullptr);
  json["variant"] = rule.policies.empty() ? Json(nullptr) : Json(book.variant(rule));
  json["steps"] = rule.steps;
  return json;
}

Json rejectedJson(const RejectedRule &rule, const RuleBook &book) {
  Json json;
  json["number"] = numberJson(rule.number);
  json["level"] = book.context().levelName(rule.goal.level);
  json["composes"] = toString(rule.goal, book.context());
  json["origin"] = rule.origin();
  json["rule"] = rule.refusal.rule;
  json["location"] = locationJson(rule.refusal.location);
  json["reason"] = rule.refusal.reason;
  return json;
}

void printJson(const ir::Spectrum &spectrum, const RuleBook &book, std::ostream &out) {
  Json json;
  json["spectrum"] = spectrum.name;
  json["model"] = book.context().machine ? Json(book.context().machine->name) : Json(nullptr);
  json["rules"] = Json::array();
  json["rejected"] = Json::array();
  for (const Goal &goal : goalsOf(spectrum, book)) {
    for (const ProgramRule &rule : book.rules(goal).rules)
      json["rules"].push_back(ruleJson(rule, book));
    for (const RejectedRule &rule : book.rules(goal).rejected)
      json["rejected"].push_back(rejectedJson(rule, book));
  }
  out << json::dumped(json, 2) << "\n";
}

/// The names of codelets to leave out; nothing, after a message, when the options name what is not there.
std::optional<std::vector<std::string>> check(const RulesOptions &options,
                                              const ir::Program &program, std::ostream &err) {
  ir::Diagnostics errors;
  if (!options.spectrum.empty() && !program.spectrum(options.spectrum))
    errors.push_back(composer::unknownSpectrum(program, options.spectrum));
  auto without = composer::leftOut(program, options.without);
  if (auto *unknown = std::get_if<ir::Diagnostics>(&without))
    std::ranges::copy(*unknown, std::back_inserter(errors));
  if (program.spectrums.empty())
    errors.push_back(ir::errorAt({program.file, 0, 0, 1}, "there is no spectrum"));
  err << ir::render(errors);
  if (!errors.empty())
    return std::nullopt;
  return std::get<std::vector<std::string>>(std::move(without));
}

} // namespace

int rulesCommand(const RulesOptions &options, const ir::Program &program,
                 const composer::Machine *machine, std::ostream &out, std::ostream &err) {
  const auto without = check(options, program, err);
  if (!without)
    return 1;
  const RuleBook book(composer::RuleContext{&program, machine, options.target, *without,
                                            options.mapRules, options.nests});
  const ir::Spectrum *only =
      options.spectrum.empty() ? nullptr : program.spectrum(options.spectrum);
  if (!only && program.spectrums.size() == 1)
    only = &program.spectrums.front();
  if (options.format == "json") {
    if (!only) {
      err << "error: " << program.file << " has several spectrums; name one with --spectrum\n";
      return 2;
    }
    printJson(*only, book, out);
    return 0;
  }
  if (only) {
    printText(*only, book, options.why, out);
    return 0;
  }
  for (const ir::Spectrum &spectrum : program.spectrums) {
    if (&spectrum != &program.spectrums.front())
      out << "\n";
    printText(spectrum, book, options.why, out);
  }
  return 0;
}

} // namespace tangram::driver
