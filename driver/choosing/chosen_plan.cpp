#include "driver/choosing/chosen_plan.h"

#include "composer/plans/plan_json.h"
#include "files/read_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

namespace tangram::driver {

using composer::RankedPlan;
namespace fs = std::filesystem;

namespace {

std::variant<RankedPlan, ir::Diagnostics> savedPlan(const composer::Planner &planner,
                                                    const std::string &name) {
  const auto text = files::readFile(name);
  if (const auto *why = std::get_if<files::Unreadable>(&text))
    return ir::Diagnostics{ir::errorAt({name, 0, 0, 1}, "cannot be read: " + why->reason)};
  auto plan = composer::planFromJson(std::get<std::string>(text), name, planner.program(),
                                     planner.machine(), composer::PlanInterner());
  if (auto *errors = std::get_if<ir::Diagnostics>(&plan))
    return std::move(*errors);
  return planner.describe(std::get<ir::PlanPtr>(plan));
}

} // namespace

bool isPlanId(const std::string &text) {
  return text.size() == 8 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::variant<std::vector<NamedSketch>, ir::Diagnostics> sketchesOf(const std::string &source) {
  const fs::path file = fs::path(source).replace_extension(".sketches");
  std::vector<NamedSketch> sketches;
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return sketches;
  const auto text = files::readFile(file);
  if (const auto *why = std::get_if<files::Unreadable>(&text))
    return ir::Diagnostics{ir::errorAt({file.string(), 0, 0, 1}, "cannot be read: " + why->reason)};
  std::istringstream lines(std::get<std::string>(text));
  std::string about;
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) {
      about.clear();
    } else if (line[0] == '#') {
      about += (about.empty() ? "" : " ") + line.substr(std::min<std::size_t>(2, line.size()));
    } else if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
      sketches.push_back({line.substr(0, colon), line.substr(colon + 2), about});
      about.clear();
    } else {
      return ir::Diagnostics{ir::errorAt({file.string(), number, 1, 1}, "expected NAME: SKETCH")};
    }
  }
  return sketches;
}

std::variant<std::vector<composer::Sketch>, ir::Diagnostics>
knownSketches(const std::string &source) {
  const auto named = sketchesOf(source);
  if (const auto *errors = std::get_if<ir::Diagnostics>(&named))
    return *errors;
  std::vector<composer::Sketch> known;
  for (const NamedSketch &each : std::get<std::vector<NamedSketch>>(named)) {
    auto sketch = composer::Sketch::parse(each.sketch);
    if (auto *errors = std::get_if<ir::Diagnostics>(&sketch)) {
      errors->back().notes.push_back(
          ir::noteAt({}, "in sketch " + each.name + ", beside " + source));
      return *errors;
    }
    known.push_back(std::get<composer::Sketch>(std::move(sketch)));
  }
  return known;
}

namespace {

bool isWord(const std::string &text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

std::variant<RankedPlan, ir::Diagnostics> completed(const composer::Planner &planner,
                                                    const std::string &text) {
  auto sketch = composer::Sketch::parse(text);
  if (auto *errors = std::get_if<ir::Diagnostics>(&sketch))
    return *errors;
  return planner.complete(std::get<composer::Sketch>(sketch));
}

/// Of the source's sketch with this name.
std::variant<RankedPlan, ir::Diagnostics> ofNamedSketch(const composer::Planner &planner,
                                                        const std::string &name) {
  auto known = sketchesOf(planner.program().file);
  if (auto *errors = std::get_if<ir::Diagnostics>(&known))
    return *errors;
  ir::Diagnostic error = ir::errorAt(
      {}, "'" + name + "' is neither the id of a plan (8 hexadecimal digits) nor a file nor a " +
              "sketch of " + planner.program().file);
  for (const NamedSketch &each : std::get<std::vector<NamedSketch>>(known)) {
    if (each.name == name)
      return completed(planner, each.sketch);
    error.notes.push_back(ir::noteAt({}, "sketch " + each.name + ": " + each.about));
  }
  return ir::Diagnostics{error};
}

/// Whether a file has this name; a sketch may be longer than any name.
bool isFile(const std::string &name) {
  std::error_code error;
  return fs::exists(name, error);
}

} // namespace

bool isSketch(const std::string &plan) {
  return !isPlanId(plan) && !plan.ends_with(".json") && !isFile(plan) && plan != "best" &&
         plan != "auto" && plan != "all" && !plan.empty();
}

std::variant<RankedPlan, ir::Diagnostics> chosenPlan(const composer::Planner &planner,
                                                     const std::string &plan, Among among) {
  if (isPlanId(plan) && !isFile(plan))
    return among == Among::All ? planner.findAnywhere(plan) : planner.find(plan);
  if (isFile(plan) || plan.ends_with(".json"))
    return savedPlan(planner, plan);
  return isWord(plan) && !plan.starts_with("S_") ? ofNamedSketch(planner, plan)
                                                 : completed(planner, plan);
}

} // namespace tangram::driver
