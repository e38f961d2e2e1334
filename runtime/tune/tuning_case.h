// What a store calls a bundle at a problem on a device.
#pragma once

#include "runtime/session/runner.h"
#include "runtime/tune/store.h"

#include <map>
#include <string>

namespace tangram::runtime {

/// Of what was given to a session (its inputs, NAME -> file or number) and its seed: "n=5 seed=1
/// x=9fb2..."; a file counts by its content. Error (Fault::Input): it cannot be read.
Result<std::string> inputsText(const std::map<std::string, std::string> &inputs,
                               std::uint64_t seed);

/// 16 hex digits of what the bundle runs: its sources, launches and compiler flags.
/// Error (Fault::Input): a file cannot be read.
Result<std::string> codeHash(const Manifest &manifest);

/// All of it; `inputs`: inputsText.
Result<TuningCase> tuningCaseOf(const Manifest &manifest, const Runner::Place &place,
                                const std::string &inputs, Caches caches);

} // namespace tangram::runtime
