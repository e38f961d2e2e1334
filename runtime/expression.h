// The expressions of a manifest: C syntax over names, in 64-bit unsigned
// integers. Nothing wraps: a result below 0 or above 2^64 - 1 is an error, so
// that a launch size or a byte count is either right or refused.
//
//   primary:  number | name | ( e ) | min(e, e) | max(e, e)
//   operators, tightest first: !   * / %   + -   < <= > >=   == !=   &&   ||   ?:
//
// Comparisons and logic give 0 or 1; && || ?: evaluate only what they need.
#pragma once

#include "runtime/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// What the names of an expression stand for.
struct Bindings {
  std::map<std::string, std::uint64_t> values;
  /// Names that have no usable value, and why: {"n", "is negative (-3)"}.
  std::map<std::string, std::string> unusable;
};

/// factor * x + offset, exact.
struct Linear {
  __int128 factor = 0;
  __int128 offset = 0;
};

/// One parsed expression; immutable, cheap to copy.
class Expression {
public:
  struct Node;

  /// The number 0.
  Expression();

  /// Errors (Fault::Input): "'(a + ': expected a number, a name or '(' at column 6, found the end".
  static Result<Expression> parse(const std::string &text);

  /// Errors (Fault::Refused) quote the expression and the values that did it:
  /// "'n / p': division by 0 (p is 0)", "'n - 4': 3 - 4 is below 0",
  /// "'n * 8': 4611686018427387904 * 8 is above 2^64 - 1", "'n': unknown name n".
  Result<std::uint64_t> evaluate(const Bindings &bindings) const;

  /// This expression as a linear function of `name`, the other names as `bindings` have them.
  /// Nothing when it is not linear in it (a quotient, a product with itself, a condition), or a part
  /// without `name` cannot be evaluated.
  std::optional<Linear> linearIn(const std::string &name, const Bindings &bindings) const;

  /// As it was written.
  const std::string &text() const { return source; }
  /// The names it uses, each once, in order of appearance.
  const std::vector<std::string> &names() const { return used; }

private:
  std::string source;
  std::vector<std::string> used;
  std::shared_ptr<const Node> root;
};

} // namespace tangram::runtime
