#include "runtime/tune/tune_report.h"

#include "runtime/session/report.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <numeric>

namespace tangram::runtime {

namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::array bad{Verdict::Wrong,   Verdict::NotComparable, Verdict::Refused,
                         Verdict::Crashed, Verdict::TimedOut,      Verdict::Failed};

std::string ratioText(double than, double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", than / seconds);
  return text;
}

std::size_t countOf(const TunedPlan &plan, Verdict verdict) {
  auto found = plan.verdicts.find(verdict);
  return found == plan.verdicts.end() ? 0 : found->second;
}

std::size_t triedOf(const TunedPlan &plan) {
  return std::accumulate(plan.verdicts.begin(), plan.verdicts.end(), std::size_t{0},
                         [](std::size_t sum, const auto &verdict) { return sum + verdict.second; });
}

double secondsOf(const TunedPlan &plan) {
  return plan.best ? plan.best->times.median : std::numeric_limits<double>::infinity();
}

/// "40 of 180", and what was not right: "2 wrong, 1 crashed".
std::string triedText(const TunedPlan &plan) {
  std::string text = std::to_string(triedOf(plan)) + " of " +
                     (plan.settings == mostCounted ? "over " : "") + std::to_string(plan.settings);
  if (plan.inaccurate > 0)
    text += ", " + std::to_string(plan.inaccurate) + " inaccurate";
  for (Verdict each : bad) {
    if (std::size_t count = countOf(plan, each); count > 0)
      text += ", " + std::to_string(count) + " " + name(each);
  }
  return text;
}

std::vector<std::string> rowOf(const TunedPlan &plan) {
  if (!plan.refusal.empty())
    return {plan.of.plan, plan.of.target, "-", "-", "-", "refused: " + plan.refusal,
            "",           plan.bundle};
  const bool ratio = plan.best && plan.standard;
  return {plan.of.plan,
          plan.of.target,
          plan.best ? secondsText(plan.best->times.median) : "-",
          plan.standard ? secondsText(plan.standard->times.median) : "-",
          ratio ? ratioText(plan.standard->times.median, plan.best->times.median) : "-",
          plan.best ? assignmentsText(plan.best->tunables) : "",
          triedText(plan),
          plan.bundle};
}

/// What to take, and what that is worth beside the first bundle as it comes.
std::string conclusionText(const TuneReport &report) {
  if (!report.winner)
    return "nothing could be measured\n";
  const TunedPlan &winner = report.plans[*report.winner];
  std::string text = "best: " + winner.of.plan;
  if (!winner.best->tunables.empty())
    text += "  " + assignmentsText(winner.best->tunables);
  text += "  " + secondsText(winner.best->times.median);
  text += winner.inaccuracy.empty() ? "" : " (inaccurate)";
  const std::optional<TunedPlan::Timed> &asItComes = report.plans.front().standard;
  if (!asItComes)
    return text + "\n";
  const bool isDefault = *report.winner == 0 && winner.best->tunables == asItComes->tunables;
  const std::optional<TuneReport::Decision> &decided = report.decision;
  const double ratioTo = decided ? decided->asItComes : asItComes->times.median;
  const double ratioOf = decided ? decided->fastest : winner.best->times.median;
  text += isDefault
              ? ", the default: nothing else is really faster"
              : ", " + ratioText(ratioTo, ratioOf) + " times as fast as " +
                    (report.plans.size() > 1 ? "the first bundle as it comes" : "the default");
  if (decided)
    text += "; in turns " + secondsText(decided->fastest) + " beside " +
            secondsText(decided->asItComes) + ", faster in " + std::to_string(decided->faster) +
            " of " + std::to_string(decided->turns);
  return text + "\n";
}

std::string disturbedText(const TuneReport &report) {
  return report.disturbed == 0 ? ""
                               : "measured again, because other work disturbed them: " +
                                     std::to_string(report.disturbed) +
                                     (report.disturbed == 1 ? " time\n" : " times\n");
}

Json decisionJson(const TuneReport &report) {
  const std::optional<TuneReport::Decision> &decided = report.decision;
  if (!decided)
    return nullptr;
  return {{"seconds", decided->fastest},
          {"default_seconds", decided->asItComes},
          {"faster", decided->faster},
          {"turns", decided->turns}};
}

Json timedJson(const std::optional<TunedPlan::Timed> &timed) {
  if (!timed)
    return nullptr;
  return {{"tunables", timed->tunables},
          {"seconds",
           {{"median", timed->times.median},
            {"min", timed->times.min},
            {"quartiles", {timed->times.lowerQuartile, timed->times.upperQuartile}}}},
          {"repeat", timed->times.repeat}};
}

Json planJson(const TunedPlan &plan) {
  Json json{{"bundle", plan.bundle}, {"plan", plan.of.plan}, {"target", plan.of.target}};
  if (!plan.refusal.empty()) {
    json["refusal"] = plan.refusal;
    return json;
  }
  json["device"] = plan.of.device;
  json["driver"] = plan.of.driver;
  json["settings"] = plan.settings;
  json["tried"] = triedOf(plan);
  json["from_store"] = plan.reused;
  json["measured"] = countOf(plan, Verdict::Measured);
  json["inaccurate"] = plan.inaccurate;
  for (Verdict each : bad) {
    std::string key = name(each);
    std::replace(key.begin(), key.end(), ' ', '_');
    json[key] = countOf(plan, each);
  }
  json["default"] = timedJson(plan.standard);
  json["best"] = timedJson(plan.best);
  json["compared"] = plan.compared;
  return json;
}

} // namespace

std::string progressText(const TuneProgress &progress, std::size_t width) {
  std::string text = "[" + std::to_string(std::min(progress.done + 1, progress.total)) + "/" +
                     std::to_string(progress.total) + "] ";
  text += progress.comparing ? "comparing, " : "";
  if (progress.best)
    text += "best " + secondsText(*progress.best);
  if (progress.best && progress.standard)
    text += ", " + ratioText(*progress.standard, *progress.best) + " x";
  text += "  " + progress.plan + " " + assignmentsText(progress.tunables);
  return text.substr(0, width);
}

std::string reportText(const TuneReport &report) {
  std::string text = report.spectrum;
  if (!report.extents.empty())
    text += "  " + assignmentsText(report.extents);
  for (const TunedPlan &plan : report.plans) {
    if (plan.refusal.empty()) {
      text += "  on " + plan.of.device + (plan.of.caches == Caches::Cold ? ", cold caches" : "");
      break;
    }
  }
  text += "\n";
  std::vector<const TunedPlan *> plans;
  for (const TunedPlan &plan : report.plans)
    plans.push_back(&plan);
  std::stable_sort(plans.begin(), plans.end(), [](const TunedPlan *a, const TunedPlan *b) {
    return secondsOf(*a) < secondsOf(*b);
  });
  Rows rows{{"plan", "target", "best", "default", "ratio", "tunables", "tried", "bundle"}};
  for (const TunedPlan *plan : plans)
    rows.push_back(rowOf(*plan));
  return text + alignedTable(rows) + disturbedText(report) + conclusionText(report);
}

Json reportsJson(const std::vector<TuneReport> &reports) {
  Json results = Json::array();
  for (const TuneReport &report : reports) {
    Json plans = Json::array();
    for (const TunedPlan &plan : report.plans)
      plans.push_back(planJson(plan));
    results.push_back(
        {{"spectrum", report.spectrum},
         {"extents", report.extents},
         {"exhaustive", report.exhaustive},
         {"disturbed", report.disturbed},
         {"decision", decisionJson(report)},
         {"best", report.winner ? Json(report.plans[*report.winner].of.plan) : Json(nullptr)},
         {"plans", plans}});
  }
  return {{"command", "tune"}, {"results", results}};
}

std::string measurementsText(const std::vector<Measurement> &measurements) {
  if (measurements.empty())
    return "nothing is stored\n";
  Rows rows{
      {"spectrum", "plan", "target", "status", "median", "runs", "sizes", "tunables", "device"}};
  for (const Measurement &m : measurements) {
    const bool timed = m.verdict == Verdict::Measured;
    rows.push_back({m.of.spectrum, m.of.plan, m.of.target, name(m.verdict),
                    timed ? secondsText(m.times.median) : "-",
                    timed ? std::to_string(m.times.repeat) : "-", assignmentsText(m.of.extents),
                    assignmentsText(m.tunables) + (m.standard ? " (default)" : ""), m.of.device});
  }
  return alignedTable(rows);
}

std::string choicesText(const std::vector<Choice> &choices) {
  if (choices.empty())
    return "nothing is stored\n";
  Rows rows{
      {"spectrum", "plan", "target", "best", "default", "ratio", "sizes", "tunables", "device"}};
  for (const Choice &c : choices) {
    const bool ratio = c.standardSeconds > 0;
    rows.push_back({c.of.spectrum, c.of.plan, c.of.target, secondsText(c.seconds),
                    ratio ? secondsText(c.standardSeconds) : "-",
                    ratio ? ratioText(c.standardSeconds, c.seconds) : "-",
                    assignmentsText(c.of.extents), assignmentsText(c.tunables), c.of.device});
  }
  return alignedTable(rows);
}

} // namespace tangram::runtime
