// Worker counts are expressions of the manifest language: integers, names,
// + - * / %, comparisons, && || !, ?:, min(a, b), max(a, b), parentheses.
// They are evaluated when the device is known; a model is refused when one
// could never be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tangram::composer {

/// Names a worker count may use: what is known about a device before a launch.
const std::vector<std::string> &deviceFacts();

/// What is wrong with a worker count ("expected ..., found ... at column N of ..."),
/// or nothing. Columns count from 1.
std::optional<std::string> workerExpressionError(const std::string &text);

/// The value when the text is a plain number that fits 64 bits.
std::optional<std::uint64_t> plainNumber(const std::string &text);

/// `a * b`, folded when both are plain numbers.
std::string productOf(const std::string &a, const std::string &b);

} // namespace tangram::composer
