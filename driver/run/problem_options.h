// What commands of tangram-run that run bundles have in common: which bundles, on what.
#pragma once

#include "runtime/bundle/tunables.h"
#include "runtime/data/inputs.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tangram::driver {

/// As text; parsed() makes sense of it.
struct ProblemOptions {
  std::vector<std::string> bundles;
  std::vector<std::string> inputs, sizes, settings;
};

struct Problems {
  std::map<std::string, std::string> inputs;
  std::vector<runtime::SizeChoice> sizes;
  std::vector<runtime::TunableValues> settings;
};

/// BUNDLE..., --input, --size, --set.
void addProblem(CLI::App &command, ProblemOptions &options, const std::string &bundles);

/// Errors: Fault::Usage.
runtime::Result<Problems> parsed(const ProblemOptions &options);

/// Validators for CLI11: what is wrong with `text`, or nothing.
std::string isPositive(const std::string &text);
std::string isCountFrom(std::uint64_t least, const std::string &text);

/// A number of runs, whose times are all kept.
CLI::Validator countFrom(std::uint64_t least);

} // namespace tangram::driver
