// From the JSON document of a model to drafts of its levels: field by field,
// nothing that concerns more than one level (composer/machine/machine_hierarchy.h does that).
#pragma once

#include "composer/machine/machine_json.h"

#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

/// A level as it stands in the file. Where a field could not be read, the checks
/// that depend on it are skipped, so that one mistake gives one message.
struct LevelDraft {
  Level level; ///< `subordinate` not resolved, `mapRules` as given
  JsonPointer at;
  std::optional<std::string> subordinate;
  bool nameRead = false;
  bool computeRead = false;
  bool hasSubordinate = false; ///< the field stands there, right or wrong
  bool hasSync = false;
  bool hasMapRules = false;
  bool hasWorkers = false;
};

struct MachineDraft {
  Machine machine;                ///< without levels
  std::vector<LevelDraft> levels; ///< in the order of the file
};

MachineDraft readMachine(const nlohmann::json &document, ErrorSink &sink);

} // namespace tangram::composer
