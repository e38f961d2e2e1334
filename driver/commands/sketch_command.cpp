#include "driver/commands/sketch_command.h"

#include "driver/choosing/chosen_plan.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

namespace tangram::driver {

using Json = nlohmann::ordered_json;

int listSketches(const std::string &source, const std::string &format, std::ostream &out,
                 std::ostream &err) {
  const auto known = sketchesOf(source);
  if (const auto *errors = std::get_if<ir::Diagnostics>(&known)) {
    err << ir::render(*errors);
    return 1;
  }
  Json list = Json::array();
  for (const NamedSketch &each : std::get<std::vector<NamedSketch>>(known)) {
    list.push_back({{"name", each.name}, {"sketch", each.sketch}, {"about", each.about}});
    if (format == "text")
      out << each.name << "\n    " << each.sketch << "\n      " << each.about << "\n";
  }
  if (format == "json")
    out << json::dumped(Json{{"source", source}, {"sketches", list}}, 2) << "\n";
  return 0;
}

int sketchCommand(const SketchOptions &options, const ir::Program &program,
                  const composer::Machine &machine, std::ostream &out, std::ostream &err) {
  auto planner = composer::Planner::make(program, machine, options.spectrum, options.planning);
  if (auto *errors = std::get_if<ir::Diagnostics>(&planner)) {
    err << ir::render(*errors);
    return 1;
  }
  const composer::Planner &made = std::get<composer::Planner>(planner);
  auto found = chosenPlan(made, options.plan, Among::All);
  if (auto *errors = std::get_if<ir::Diagnostics>(&found)) {
    err << ir::render(*errors);
    return 1;
  }
  const composer::RankedPlan &plan = std::get<composer::RankedPlan>(found);
  const std::string sketch = composer::sketchOf(plan.plan, made.rules());
  if (options.format == "json")
    out << json::dumped(Json{{"spectrum", options.spectrum},
                             {"model", machine.name},
                             {"id", plan.id},
                             {"steps", plan.steps},
                             {"sketch", sketch}},
                        2)
        << "\n";
  else
    out << sketch << "\n";
  return 0;
}

} // namespace tangram::driver
