#include "runtime/session/case_list.h"

#include "runtime/data/text_file.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tangram::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const Case &each) {
  Json json = {{"size", each.sizes.named},
               {"set", each.setting},
               {"data", name(each.sizes.data)},
               {"seed", each.sizes.seed}};
  if (each.sizes.all)
    json["all"] = *each.sizes.all;
  return json;
}

/// Throws nlohmann::json::exception where it is none.
Case caseOf(const Json &json) {
  Case read;
  read.sizes.named = json.at("size").get<decltype(read.sizes.named)>();
  read.setting = json.at("set").get<TunableValues>();
  if (json.contains("all"))
    read.sizes.all = json.at("all").get<std::uint64_t>();
  read.sizes.seed = json.at("seed").get<std::uint64_t>();
  const Result<std::vector<DataKind>> kinds = parseKinds(json.at("data").get<std::string>());
  if (!kinds)
    throw Json::other_error::create(501, kinds.error().message, nullptr);
  read.sizes.data = kinds->front();
  return read;
}

} // namespace

std::string casesText(const CaseList &list) {
  Json json;
  if (std::isfinite(list.budget))
    json["budget"] = list.budget;
  if (list.referenceTimeLimit > 0)
    json["reference_time_limit"] = list.referenceTimeLimit;
  json["cases"] = Json::array();
  for (const Case &each : list.cases)
    json["cases"].push_back(jsonOf(each));
  return json.dump() + "\n";
}

Result<CaseList> readCases(const std::filesystem::path &file) {
  Result<std::string> text = readTextFile(file);
  if (!text)
    return text.error();
  try {
    const Json json = Json::parse(*text);
    CaseList list;
    list.budget = json.value("budget", list.budget);
    list.referenceTimeLimit = json.value("reference_time_limit", 0.0);
    for (const Json &each : json.at("cases"))
      list.cases.push_back(caseOf(each));
    return list;
  } catch (const Json::exception &problem) {
    return inputError(file.string() + ": expected a list of cases, found " + problem.what());
  }
}

} // namespace tangram::runtime
