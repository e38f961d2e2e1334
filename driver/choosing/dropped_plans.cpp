#include "driver/choosing/dropped_plans.h"

#include <algorithm>

namespace tangram::driver {

namespace {

constexpr std::size_t mostReasons = 6;

} // namespace

std::string countText(const mpz_class &count) {
  std::string digits = count.get_str();
  if (digits.size() > 15)
    return digits.substr(0, 1) + "." + digits.substr(1, 2) + "e" +
           std::to_string(digits.size() - 1);
  for (std::size_t at = digits.size(); at > 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

DroppedPlans::DroppedPlans(const composer::Planner &planner)
    : planner_(planner), log_(planner.log()) {
  for (const composer::MeasuredPlan &each : log_.refused) {
    auto known = std::ranges::find(reasons_, each.measure.refusal, &Reason::text);
    if (known == reasons_.end())
      known = reasons_.insert(known, {each.measure.refusal, {}});
    known->ids.push_back(planner.describe(each.plan).id);
  }
  std::ranges::stable_sort(reasons_, std::ranges::greater(),
                           [](const Reason &reason) { return reason.ids.size(); });
}

std::string DroppedPlans::text() const {
  std::string text;
  for (const composer::Pruning &each : log_.pruned)
    text += (text.empty() ? "note: dropped, because others are before them in rank: " : ", ") +
            countText(each.candidates - each.kept) + " of " + countText(each.candidates) +
            " candidates in iteration " + std::to_string(each.iteration);
  if (!text.empty())
    text += "; --keep N keeps more than " + std::to_string(planner_.options().keep) + "\n";
  if (log_.refused.empty())
    return text;
  return text + "note: " + std::to_string(log_.refused.size()) + " more plans were tried that " +
         planner_.options().target + " cannot express or that fit no size asked for:\n" + reasons();
}

std::string DroppedPlans::reasons() const {
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons_.size(), mostReasons); ++i)
    text += "note:   " + std::to_string(reasons_[i].ids.size()) + ", as " +
            reasons_[i].ids.front() + ": " + reasons_[i].text + "\n";
  if (reasons_.size() > mostReasons)
    text += "note:   and others for " + std::to_string(reasons_.size() - mostReasons) +
            " more reasons: --format json has all of them\n";
  return text;
}

nlohmann::ordered_json DroppedPlans::json() const {
  using Json = nlohmann::ordered_json;
  Json json{{"pruned", Json::array()}, {"refused", Json::array()}};
  for (const composer::Pruning &each : log_.pruned)
    json["pruned"].push_back({{"iteration", each.iteration},
                              {"candidates", each.candidates.get_str()},
                              {"kept", each.kept}});
  for (const Reason &each : reasons_)
    json["refused"].push_back({{"reason", each.text}, {"plans", each.ids}});
  return json;
}

} // namespace tangram::driver
