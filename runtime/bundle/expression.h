// The expressions of a manifest: those of algebra/size_expression.h, with results as the runtime has
// them. Nothing wraps: what leaves 64 bits, and a difference of sizes below 0, is an error, so that a
// launch size or a byte count is either right or refused.
#pragma once

#include "algebra/size_bounds.h"
#include "algebra/size_expression.h"
#include "runtime/session/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// What the names of an expression stand for.
using Bindings = algebra::SizeBindings;
using Linear = algebra::LinearSize;
/// What they may stand for, and what an expression can then be.
using Ranges = algebra::SizeRanges;
using Interval = algebra::SizeInterval;

/// One parsed expression; immutable, cheap to copy.
class Expression {
public:
  /// The number 0.
  Expression() = default;

  /// Errors (Fault::Input): "'(a + ': expected a number, a name or '(' at column 6, found the end".
  static Result<Expression> parse(const std::string &text);

  /// Errors (Fault::Refused) quote the expression and the values that did it:
  /// "'n / p': division by 0 (p is 0)", "'n - 4': 3 - 4 is below 0",
  /// "'n * 8': 4611686018427387904 * 8 is above 2^64 - 1", "'n': unknown name n".
  Result<std::uint64_t> evaluate(const Bindings &bindings) const;
  /// The same of an expression that may be negative.
  Result<__int128> evaluateSigned(const Bindings &bindings) const;

  /// See algebra::SizeExpression::linearIn.
  std::optional<Linear> linearIn(const std::string &name, const Bindings &bindings) const {
    return size_.linearIn(name, bindings);
  }

  /// See algebra::boundsOf.
  std::optional<Interval> bounds(const Ranges &ranges) const {
    return algebra::boundsOf(size_, ranges);
  }

  /// As it was written.
  const std::string &text() const { return size_.text(); }
  /// The names it uses, each once, in order of appearance.
  const std::vector<std::string> &names() const { return names_; }

private:
  algebra::SizeExpression size_;
  std::vector<std::string> names_;
};

} // namespace tangram::runtime
