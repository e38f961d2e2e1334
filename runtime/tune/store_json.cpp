#include "runtime/tune/store_json.h"

namespace tangram::runtime {

namespace {

using Json = nlohmann::ordered_json;

Json caseJson(const TuningCase &of) {
  return {{"spectrum", of.spectrum},
          {"plan", of.plan},
          {"target", of.target},
          {"model", of.model},
          {"source", of.source},
          {"code", of.code},
          {"device", of.device},
          {"driver", of.driver},
          {"extents", of.extents},
          {"inputs", of.inputs},
          {"caches", of.caches == Caches::Cold ? "cold" : "warm"}};
}

} // namespace

Json measurementJson(const Measurement &m) {
  Json json = caseJson(m.of);
  json["tunables"] = m.tunables;
  json["default"] = m.standard;
  json["status"] = name(m.verdict);
  if (m.verdict == Verdict::Measured) {
    json["seconds"] = {{"median", m.times.median},
                       {"min", m.times.min},
                       {"quartiles", {m.times.lowerQuartile, m.times.upperQuartile}}};
    json["repeat"] = m.times.repeat;
  } else {
    json["reason"] = m.reason;
  }
  json["time"] = m.when;
  return json;
}

Json choiceJson(const Choice &c) {
  Json json = caseJson(c.of);
  json["tunables"] = c.tunables;
  json["seconds"] = c.seconds;
  json["default_seconds"] = c.standardSeconds > 0 ? Json(c.standardSeconds) : Json(nullptr);
  json["candidates"] = c.candidates;
  json["exhaustive"] = c.exhaustive;
  json["time"] = c.when;
  return json;
}

Result<Json> storeJson(const Store &store, const StoreQuery &query) {
  Result<std::vector<Measurement>> measurements = store.measurements(query);
  Result<std::vector<Choice>> choices = store.choices(query);
  if (!measurements || !choices)
    return measurements ? choices.error() : measurements.error();
  Json document{{"format", "tangram-tuning"},
                {"version", storeVersion},
                {"measurements", Json::array()},
                {"choices", Json::array()}};
  for (const Measurement &m : *measurements)
    document["measurements"].push_back(measurementJson(m));
  for (const Choice &c : *choices)
    document["choices"].push_back(choiceJson(c));
  return document;
}

} // namespace tangram::runtime
