#include "driver/commands/comparison_json.h"

#include "codegen/timing/launch_times.h"
#include "composer/plans/plan_svg.h"
#include "driver/choosing/plan_bundle.h"
#include "driver/commands/code_steps.h"
#include "driver/text/line_difference.h"

namespace tangram::driver {

using Json = nlohmann::ordered_json;

namespace {

Json levelJson(const composer::Level &level) {
  Json json{{"name", level.name},
            {"title", level.title.empty() ? level.name : level.title},
            {"compute", composer::nameOf(level.compute)},
            {"sync", composer::nameOf(level.sync)},
            {"workers", level.workers.defaultCount},
            {"units", level.workers.units},
            {"memory", Json::array()}};
  for (const composer::Memory &memory : level.memory)
    json["memory"].push_back({{"space", memory.space},
                              {"title", memory.title},
                              {"bytes", memory.bytes},
                              {"bytes_per_second", memory.bytesPerSecond}});
  return json;
}

Json machineJson(const ComparedMachine &machine) {
  const codegen::MachineFigures figures = codegen::figuresOf(machine.machine());
  Json json{{"name", machine.name()},
            {"model", machine.machine().name},
            {"target", machine.target()},
            {"description", machine.machine().description},
            {"bytes_per_second", figures.bandwidth},
            {"operations_per_second",
             figures.units * figures.costs.operationsPerCycle * figures.costs.cyclesPerSecond},
            {"levels", Json::array()}};
  for (const composer::Level &level : machine.machine().levels)
    json["levels"].push_back(levelJson(level));
  return json;
}

Json measuredJson(const MeasuredTime &measured) {
  return {{"device", measured.device},
          {"extents", measured.extents},
          {"tunables", measured.tunables},
          {"seconds", measured.times.median},
          {"quartiles", {measured.times.lowerQuartile, measured.times.upperQuartile}},
          {"min", measured.times.min},
          {"repeat", measured.times.repeat}};
}

/// The kernels, each line with the steps that it is of, and what they can be tuned by.
void addCode(Json &json, const ComparedMachine &machine, const PlanAccount &account) {
  auto files = bundleOf(machine.planner(), account.plan, machine.target());
  if (const auto *refusal = std::get_if<codegen::Refusal>(&files)) {
    json["refused"] = textOf(*refusal);
    return;
  }
  const auto &made = std::get<codegen::BundleFiles>(files);
  const KernelSource source = sourceOf(made);
  const std::vector<std::string> lines = linesOf(source.text);
  json["code"] = {
      {"file", source.name}, {"lines", lines}, {"steps", stepsOfLines(lines, account.plan.steps)}};
  json["tunables"] = Json::array();
  const Json manifest = Json::parse(made.at("manifest.json"));
  for (const Json &each : manifest.at("tunables"))
    json["tunables"].push_back(each);
}

Json cellJson(const ComparedMachine &machine, const ComparedCell &cell) {
  Json json{{"machine", machine.name()}};
  if (!cell.missing.empty()) {
    json["missing"] = cell.missing;
    return json;
  }
  json["id"] = cell.account.plan.id;
  json["position"] = cell.position == 0 ? Json(nullptr) : Json(cell.position);
  if (!cell.account.refusal.empty()) {
    json["refused"] = cell.account.refusal;
    return json;
  }
  const auto seconds = cell.account.seconds();
  json["seconds"] = seconds ? Json(*seconds) : Json(nullptr);
  json["sizes"] = Json::array();
  for (const PredictedSize &size : cell.account.sizes) {
    json["sizes"].push_back(toJson(size));
    json["sizes"].back()["name"] = extentsText(size);
  }
  json["measured"] = Json::array();
  for (const MeasuredTime &each : cell.measured)
    json["measured"].push_back(measuredJson(each));
  addCode(json, machine, cell.account);
  return json;
}

Json planJson(const ComparedPlan &plan, const ComparedMachines &machines) {
  Json json{{"id", plan.id},
            {"top", plan.outline.top},
            {"distributed", plan.outline.distributed},
            {"levels", plan.levels},
            {"leaves", plan.outline.leaves},
            {"apart", plan.apart}};
  for (std::size_t m = 0; m < machines.size(); ++m) {
    const ComparedCell &cell = plan.on[m];
    if (!cell.missing.empty() || json.contains("steps"))
      continue;
    json["steps"] = cell.account.plan.steps;
    json["story"] = toJson(cell.account.story);
    json["picture"] = composer::planToSvg(cell.account.plan.plan, machines[m]->planner().rules(),
                                          "plan " + plan.id, false);
  }
  json["on"] = Json::array();
  for (std::size_t m = 0; m < machines.size(); ++m) {
    Json cell = cellJson(*machines[m], plan.on[m]);
    const composer::RankedPlan &own = plan.on[m].account.plan;
    if (plan.on[m].missing.empty() && json["steps"] != Json(own.steps)) {
      cell["steps"] = own.steps;
      cell["story"] = toJson(plan.on[m].account.story);
      cell["picture"] =
          composer::planToSvg(own.plan, machines[m]->planner().rules(), "plan " + own.id, false);
    }
    json["on"].push_back(std::move(cell));
  }
  return json;
}

} // namespace

Json comparisonJson(const Comparison &comparison) {
  const composer::Planner &first = comparison.machines.front()->planner();
  Json json{{"format", "tangram-comparison"},
            {"version", 1},
            {"spectrum", first.order().root().spectrum->name},
            {"source", first.program().file},
            {"by", comparison.byWay ? "way" : "plan"},
            {"for_all", nullptr},
            {"machines", Json::array()},
            {"plans", Json::array()}};
  if (const auto one = planForAll(comparison))
    json["for_all"] = {{"plan", comparison.plans[one->row].id}, {"ratios", one->ratios}};
  for (const auto &machine : comparison.machines)
    json["machines"].push_back(machineJson(*machine));
  for (const ComparedPlan &plan : comparison.plans)
    json["plans"].push_back(planJson(plan, comparison.machines));
  return json;
}

} // namespace tangram::driver
