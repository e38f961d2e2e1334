// A store as JSON, for programs that have no SQLite (docs/tuning.md).
#pragma once

#include "runtime/tune/store.h"

#include <nlohmann/json.hpp>

namespace tangram::runtime {

/// {"format": "tangram-tuning", "version": 1, "measurements": [...], "choices": [...]}.
Result<nlohmann::ordered_json> storeJson(const Store &store, const StoreQuery &query = {});

nlohmann::ordered_json measurementJson(const Measurement &measurement);
nlohmann::ordered_json choiceJson(const Choice &choice);

} // namespace tangram::runtime
