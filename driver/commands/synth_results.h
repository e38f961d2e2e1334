// The output of tangram synth: the plans it has made, and the rules of a library of several.
#pragma once

#include "driver/commands/synth_command.h"

#include <nlohmann/json_fwd.hpp>

#include <ostream>
#include <string>

namespace tangram::driver {

/// How many times as fast, or how much, in three digits: "1.25".
std::string figure(double value);

nlohmann::ordered_json synthesisJson(const SynthOptions &options, const SynthResult &result,
                                     const std::string &model);
void printSynthesis(const SynthOptions &options, const SynthResult &result, std::ostream &out);

} // namespace tangram::driver
