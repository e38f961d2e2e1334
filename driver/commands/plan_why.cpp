#include "driver/commands/plan_why.h"

#include "composer/plans/notation.h"
#include "driver/choosing/chosen_plan.h"
#include "driver/choosing/dropped_plans.h"
#include "driver/choosing/plan_account.h"
#include "driver/choosing/plan_bundle.h"
#include "driver/choosing/why_slow.h"
#include "driver/text/line_difference.h"
#include "driver/text/text_table.h"
#include "json/reader.h"

#include <algorithm>
#include <cmath>

namespace tangram::driver {

namespace {

using composer::Planner;
using composer::RankedPlan;
using composer::Standing;
using Json = nlohmann::ordered_json;

/// The rule by which a plan goes on where it parts from another.
std::string ruleText(const composer::ProgramRule &rule, const composer::RuleBook &book) {
  return book.label(rule) + ": " + composer::linear(rule.steps);
}

class Explanation {
public:
  Explanation(const Planner &planner, const Predictor *predictor)
      : planner_(planner), predictor_(predictor) {}

  PlanAccount account(const RankedPlan &plan) const {
    return accountOf(planner_, plan, predictor_);
  }

  // ------------------------------------------------------------------------
  // One plan
  // ------------------------------------------------------------------------

  std::string text(const PlanAccount &it) const {
    std::string text = heading(it) + "\n" + story(it);
    if (predictor_)
      text += "\n" + predicted(it);
    if (const std::string reasons = whySlowText(reasonsOf(it)); !reasons.empty())
      text += "\n" + reasons;
    return text + "\n" + stands(it);
  }

  Json json(const PlanAccount &it) const {
    Json json{{"id", it.plan.id}, {"steps", it.plan.steps}, {"story", toJson(it.story)}};
    if (!it.refusal.empty())
      json["refused"] = it.refusal;
    json["sizes"] = Json::array();
    for (const PredictedSize &size : it.sizes)
      json["sizes"].push_back(toJson(size));
    if (const auto seconds = it.seconds())
      json["seconds"] = *seconds;
    if (predictor_)
      json["limits"] = reasonsOf(it);
    const Standing standing = planner_.standing(it.plan.plan);
    static const std::map<Standing::Place, const char *> names{
        {Standing::Place::Listed, "listed"},
        {Standing::Place::Refused, "refused"},
        {Standing::Place::Unlisted, "not listed"}};
    json["standing"] = {{"place", names.at(standing.place)},
                        {"position", standing.position},
                        {"rank", standing.rank.get_str()},
                        {"of", standing.count.get_str()},
                        {"sentences", standingSentences(it, standing)}};
    return json;
  }

  // ------------------------------------------------------------------------
  // Two plans
  // ------------------------------------------------------------------------

  std::string text(const PlanAccount &a, const PlanAccount &b) const {
    std::string text = heading(a) + heading(b);
    if (a.plan.id == b.plan.id)
      return text + "\nThey are the same plan.\n";
    text += "\n" + parting(a, b, a.plan.id, b.plan.id);
    text += "\nWhat they do (-: " + a.plan.id + ", +: " + b.plan.id + ")\n";
    for (const std::string &line : lineDifference(sentences(a), sentences(b), sentences(a).size()))
      text += "  " + line + "\n";
    if (predictor_)
      text += "\n" + predicted(a, b) + "\n" + codeDifference(a, b);
    return text;
  }

  Json json(const PlanAccount &a, const PlanAccount &b) const {
    const composer::Difference parted = planner_.difference(a.plan.plan, b.plan.plan);
    Json json{{"same", a.plan.id == b.plan.id}};
    if (parted.first) {
      json["iteration"] = parted.iteration;
      json["goal"] = composer::toString(parted.goal, planner_.rules().context());
      json["rules"] = {ruleText(*parted.first, planner_.rules()),
                       ruleText(*parted.second, planner_.rules())};
    }
    json["story"] = lineDifference(sentences(a), sentences(b), sentences(a).size());
    if (predictor_)
      json["code"] = lineDifference(linesOf(code(a)), linesOf(code(b)), 3);
    return json;
  }

private:
  /// Why it takes so long, line by line; empty: nothing is predicted.
  std::vector<std::string> reasonsOf(const PlanAccount &it) const {
    return predictor_ && it.refusal.empty() ? whySlow(planner_, it.plan, *predictor_)
                                            : std::vector<std::string>{};
  }

  static std::string heading(const PlanAccount &it) {
    return it.plan.id + "  " + composer::linear(it.plan.steps) + "\n";
  }

  static std::vector<std::string> sentences(const PlanAccount &it) {
    std::vector<std::string> lines;
    for (const composer::StoryLine &line : it.story)
      lines.push_back(std::string(2UL * line.depth, ' ') + line.text);
    return lines;
  }

  static std::string story(const PlanAccount &it) {
    std::string text = "What it does\n";
    for (const std::string &line : sentences(it))
      text += "  " + line + "\n";
    return text;
  }

  std::string title() const {
    return "What is predicted on " + planner_.machine().name + " for " + predictor_->target();
  }

  std::string predicted(const PlanAccount &it) const {
    if (!it.refusal.empty())
      return title() + "\n  nothing: there is no code of it: " + it.refusal + "\n";
    std::vector<std::vector<std::string>> rows{{"", "groups", "items", "ms", "limited by"}};
    for (const CostPart &part : costParts())
      rows.front().emplace_back(part.name);
    rows.front().emplace_back("MB");
    std::string notes;
    for (const PredictedSize &size : it.sizes) {
      if (!size.refusal.empty()) {
        notes += "  cannot serve " + extentsText(size) + ": " + size.refusal + "\n";
        continue;
      }
      rows.push_back(row(size.prediction, extentsText(size)));
      const auto &launches = size.prediction.launches;
      for (std::size_t i = 0; launches.size() > 1 && i < launches.size(); ++i)
        rows.push_back(row({{launches[i]}}, "  launch " + std::to_string(i + 1)));
    }
    std::string text = title() + "\n" + table(rows, "  ") + notes;
    if (const auto seconds = it.seconds(); seconds && it.sizes.size() > 1)
      text +=
          "  the mean of all sizes, by which plans are compared: " + milliseconds(*seconds) + "\n";
    return text;
  }

  static std::vector<std::string> row(const codegen::Prediction &prediction,
                                      const std::string &name) {
    std::vector<std::string> cells{name, "", "", figures(prediction.seconds() * 1e3),
                                   limitOf(prediction)};
    if (prediction.launches.size() == 1) {
      cells[1] = figures(prediction.launches[0].groups);
      cells[2] = figures(prediction.launches[0].items);
    }
    for (const CostPart &part : costParts())
      cells.push_back(figures(total(prediction, part.seconds) * 1e3));
    cells.push_back(figures(total(prediction, &codegen::PredictedLaunch::bytes) / 1e6));
    return cells;
  }

  std::string stands(const PlanAccount &it) const {
    std::string text = "Where it stands\n";
    const Standing standing = planner_.standing(it.plan.plan);
    for (const std::string &sentence : standingSentences(it, standing))
      text += "  " + sentence + "\n";
    if (standing.place != Standing::Place::Listed)
      return text;
    const std::vector<RankedPlan> near = neighbours(standing.position);
    for (const RankedPlan &other : near) {
      if (other.id != it.plan.id)
        text += beside(it, account(other), other.rank < standing.position);
    }
    return text;
  }

  bool predicts() const {
    return predictor_ && planner_.options().strategy == composer::PlanStrategy::Predict;
  }

  std::vector<std::string> standingSentences(const PlanAccount &it,
                                             const Standing &standing) const {
    std::vector<std::string> sentences;
    const composer::SearchLog log = planner_.log();
    const std::string listed = std::to_string(log.listed);
    switch (standing.place) {
    case Standing::Place::Listed:
      sentences.push_back("Number " + std::to_string(standing.position) +
                          (log.listed == 0 ? std::string(".")
                           : predicts()    ? " of " + listed + " by what is predicted."
                                           : " of " + listed + " by rank."));
      break;
    case Standing::Place::Refused:
      sentences.push_back("It was tried, but cannot be made: " + standing.refusal);
      break;
    case Standing::Place::Unlisted:
      sentences.push_back(predicts() ? notTried(it, log) : notKept(log));
      break;
    }
    if (standing.rank != 0)
      sentences.push_back("Number " + countText(standing.rank) + " of " +
                          countText(standing.count) + " by rank, of all plans within " +
                          std::to_string(planner_.iterations()) + " iterations.");
    else if (standing.count != 0)
      sentences.push_back("None of the " + countText(standing.count) + " plans within " +
                          std::to_string(planner_.iterations()) +
                          " iterations with these options.");
    return sentences;
  }

  std::string notTried(const PlanAccount &it, const composer::SearchLog &log) const {
    std::string text = "Not among the " + std::to_string(log.listed + log.refused.size()) +
                       " plans that the search tried: no exchange of one rule led to it from one " +
                       "of the best.";
    const auto seconds = it.seconds();
    if (!seconds)
      return text;
    std::size_t before = 0;
    planner_.forEach([&](const RankedPlan &plan) {
      before += account(plan).seconds().value_or(INFINITY) <= *seconds ? 1 : 0;
      return true;
    });
    return text + " By its prediction, " + milliseconds(*seconds) + ", it would be number " +
           std::to_string(before + 1) + ".";
  }

  static std::string notKept(const composer::SearchLog &log) {
    std::string text = "Not listed:";
    for (const composer::Pruning &each : log.pruned)
      text += " iteration " + std::to_string(each.iteration) + " kept the first " +
              std::to_string(each.kept) + " in rank of " + countText(each.candidates) +
              " candidates;";
    text.back() = '.';
    return text;
  }

  /// The first plan of the list, the one before and the one after.
  std::vector<RankedPlan> neighbours(std::size_t position) const {
    std::vector<RankedPlan> found;
    planner_.forEach([&](const RankedPlan &plan) {
      const std::size_t here = plan.rank.get_ui();
      if (here == 1 || here + 1 == position || here == position + 1)
        found.push_back(plan);
      return here <= position;
    });
    return found;
  }

  std::string beside(const PlanAccount &it, const PlanAccount &other, bool better) const {
    std::string text = std::string("\n  ") + (better ? "Behind " : "Preferred to ") +
                       other.plan.id + ", number " + other.plan.rank.get_str();
    const auto mine = it.seconds();
    const auto theirs = other.seconds();
    if (mine && theirs)
      text += ": predicted are " + milliseconds(*mine) + " and " + milliseconds(*theirs) +
              ", a factor of " + figures(better ? *mine / *theirs : *theirs / *mine) +
              (better ? decided(other, it) : decided(it, other));
    return text + ".\n" + parting(it, other, "this one", other.plan.id);
  }

  /// Why the first comes before the second where predictions are none.
  std::string decided(const PlanAccount &first, const PlanAccount &second) const {
    const double resolution = planner_.options().improving.resolution;
    if (!composer::areAlike(*second.seconds(), *first.seconds(), resolution) ||
        !composer::areAlike(*first.seconds(), *second.seconds(), resolution))
      return "";
    const bool ranked = planner_.difference(first.plan.plan, second.plan.plan).preference.order < 0;
    return ranked ? "; these are alike, and ranks decide" : "";
  }

  /// The first place in which two plans differ.
  std::string parting(const PlanAccount &a, const PlanAccount &b, const std::string &first,
                      const std::string &second) const {
    const composer::Difference parted = planner_.difference(a.plan.plan, b.plan.plan);
    if (!parted.first)
      return "  They part where these options leave no choice.\n";
    const auto &book = planner_.rules();
    return "  They part in iteration " + std::to_string(parted.iteration) + ", " +
           composer::toString(parted.goal, book.context()) + ":\n" + "    " + first + " takes " +
           ruleText(*parted.first, book) + "\n    " + second + " takes " +
           ruleText(*parted.second, book) + "\n";
  }

  std::string predicted(const PlanAccount &a, const PlanAccount &b) const {
    std::string text = title() + "\n";
    for (const PlanAccount *each : {&a, &b}) {
      if (!each->refusal.empty())
        text += "  " + each->plan.id + ": nothing: there is no code of it: " + each->refusal + "\n";
    }
    std::vector<std::vector<std::string>> rows{{"", a.plan.id, b.plan.id, "ratio"}};
    for (std::size_t i = 0; i < std::min(a.sizes.size(), b.sizes.size()); ++i)
      sideBySide(a.sizes[i], b.sizes[i], rows);
    const auto first = a.seconds();
    const auto second = b.seconds();
    if (first && second && a.sizes.size() > 1)
      rows.push_back({"mean of all sizes, ms", figures(*first * 1e3), figures(*second * 1e3),
                      figures(*second / *first)});
    return rows.size() == 1 ? text : text + table(rows, "  ");
  }

  /// Of one size: the times, and the parts in which they differ.
  static void sideBySide(const PredictedSize &a, const PredictedSize &b,
                         std::vector<std::vector<std::string>> &rows) {
    auto shown = [](const PredictedSize &size) {
      return size.refusal.empty()
                 ? figures(size.prediction.seconds() * 1e3) + " (" + limitOf(size.prediction) + ")"
                 : std::string("cannot");
    };
    const bool both = a.refusal.empty() && b.refusal.empty();
    rows.push_back(
        {extentsText(a) + ", ms", shown(a), shown(b),
         both ? figures(b.prediction.seconds() / a.prediction.seconds()) : std::string()});
    for (const CostPart &part : both ? costParts() : std::vector<CostPart>{}) {
      const double first = total(a.prediction, part.seconds);
      const double second = total(b.prediction, part.seconds);
      if (std::abs(first - second) > 0.01 * std::max(first, second))
        rows.push_back({std::string("  ") + part.name, figures(first * 1e3), figures(second * 1e3),
                        first > 0 ? figures(second / first) : ""});
    }
    if (both)
      rows.push_back({"  MB", figures(total(a.prediction, &codegen::PredictedLaunch::bytes) / 1e6),
                      figures(total(b.prediction, &codegen::PredictedLaunch::bytes) / 1e6), ""});
  }

  /// What its bundle runs; empty where there is none.
  std::string code(const PlanAccount &it) const {
    auto files = bundleOf(planner_, it.plan, predictor_->target());
    if (std::holds_alternative<codegen::Refusal>(files))
      return "";
    return sourceOf(std::get<codegen::BundleFiles>(files)).text;
  }

  std::string codeDifference(const PlanAccount &a, const PlanAccount &b) const {
    std::string text = "The code (-: " + a.plan.id + ", +: " + b.plan.id + ")\n";
    for (const std::string &line : lineDifference(linesOf(code(a)), linesOf(code(b)), 3))
      text += "  " + line + "\n";
    return text;
  }

  const Planner &planner_;
  const Predictor *predictor_;
};

} // namespace

int explainPlans(const WhyOptions &options, const Planner &planner, const Predictor *predictor,
                 std::ostream &out, std::ostream &err) {
  const Explanation explanation(planner, predictor);
  std::vector<PlanAccount> accounts;
  for (const std::string &name : options.plans) {
    auto found = chosenPlan(planner, name, Among::All);
    if (auto *errors = std::get_if<ir::Diagnostics>(&found)) {
      err << ir::render(*errors);
      return 1;
    }
    accounts.push_back(explanation.account(std::get<RankedPlan>(found)));
  }
  const bool two = accounts.size() == 2;
  if (options.format == "text") {
    for (const std::string &note : options.fusion)
      out << (&note == options.fusion.data() ? "What is fused\n  " : "  ") << note << "\n";
    out << (options.fusion.empty() ? "" : "\n");
    out << (two ? explanation.text(accounts[0], accounts[1]) : explanation.text(accounts[0]));
    return 0;
  }
  Json json{{"spectrum", planner.order().root().spectrum->name},
            {"model", planner.machine().name},
            {"target", predictor ? Json(predictor->target()) : Json(nullptr)},
            {"fusion", options.fusion},
            {"plans", Json::array()}};
  for (const PlanAccount &each : accounts)
    json["plans"].push_back(explanation.json(each));
  if (two)
    json["difference"] = explanation.json(accounts[0], accounts[1]);
  out << json::dumped(json, 2) << "\n";
  return 0;
}

} // namespace tangram::driver
