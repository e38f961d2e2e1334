#include "driver/choosing/tune_set.h"

#include "runtime/data/text_file.h"
#include "runtime/tune/bundle_set.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <set>

namespace tangram::driver {

namespace {

std::set<std::string> classOf(const composer::RankedPlan &plan) {
  std::set<std::string> steps;
  bool begun = false;
  for (const std::string &step : plan.steps) {
    const bool chooses = step.starts_with("regroup(") || step.starts_with("select(");
    if (step.starts_with("compute(") || (chooses && !begun))
      steps.insert(step);
    begun = begun || chooses;
  }
  return steps;
}

} // namespace

std::vector<std::size_t> differentFirst(const std::vector<composer::RankedPlan> &ranked) {
  std::set<std::set<std::string>> classes;
  std::vector<std::size_t> first, others;
  for (std::size_t i = 0; i < ranked.size(); ++i)
    (classes.insert(classOf(ranked[i])).second ? first : others).push_back(i);
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

std::string writeTuneSet(const std::filesystem::path &folder,
                         const std::vector<std::string> &bundles) {
  const nlohmann::ordered_json set{
      {"format", "tangram-tune-set"}, {"version", 1}, {"bundles", bundles}};
  const runtime::Status status =
      runtime::writeFile(folder / runtime::bundleSetFile,
                         [&](std::ostream &out) { out << json::dumped(set, 2) << "\n"; });
  return status ? "" : status.error().message;
}

} // namespace tangram::driver
