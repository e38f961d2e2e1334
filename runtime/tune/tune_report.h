// What tuning found, and what a store holds, as text for people and JSON for programs (docs/tuning.md).
#pragma once

#include "runtime/tune/store.h"
#include "runtime/tune/tuner.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace tangram::runtime {

/// "[37/100] best 0.251 ms, 1.83 x  3981e87b p=2048", no wider than `width`.
std::string progressText(const TuneProgress &progress, std::size_t width);

/// A heading, a line for each plan, fastest first, and what to take.
std::string reportText(const TuneReport &report);

/// {"command": "tune", "results": [...]}.
nlohmann::ordered_json reportsJson(const std::vector<TuneReport> &reports);

/// Aligned, with a header; of nothing "nothing is stored".
std::string measurementsText(const std::vector<Measurement> &measurements);
std::string choicesText(const std::vector<Choice> &choices);

} // namespace tangram::runtime
