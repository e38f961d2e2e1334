// A comparison as JSON (docs/compare.md): all that its page shows.
#pragma once

#include "driver/commands/comparison.h"

#include <nlohmann/json.hpp>

namespace tangram::driver {

nlohmann::ordered_json comparisonJson(const Comparison &comparison);

} // namespace tangram::driver
