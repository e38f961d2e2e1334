// Worker counts are size expressions (algebra/size_expression.h) over what is known of a device
// before a launch (algebra/device_facts.h). They are evaluated when the device is known; a model is
// refused when one could never be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tangram::composer {

/// What is wrong with a worker count ("expected ..., found ... at column N of ..."),
/// or nothing. Columns count from 1.
std::optional<std::string> workerExpressionError(const std::string &text);

/// The value when the text is a plain number that fits 64 bits.
std::optional<std::uint64_t> plainNumber(const std::string &text);

/// `a * b`, folded when both are plain numbers.
std::string productOf(const std::string &a, const std::string &b);

} // namespace tangram::composer
