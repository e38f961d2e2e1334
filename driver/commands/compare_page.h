// The page of a comparison: one file that needs nothing else, neither a network nor a server. Its parts
// stand in driver/compare_page/, its data is the JSON of the comparison.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace tangram::driver {

std::string comparePage(const nlohmann::ordered_json &comparison);

} // namespace tangram::driver
