// The expressions of a manifest: C syntax over names, in exact integers from -2^63 to 2^64 - 1.
// Nothing wraps: what leaves that range, and a difference of sizes below 0, is an error, so
// that a launch size or a byte count is either right or refused.
//
//   primary:  number | name | ( e ) | min(e, e) | max(e, e) | u8(e) ... u64(e) | i8(e) ... i64(e) | bool(e)
//   operators, tightest first: ! -   * / %   + -   << >>   < <= > >=   == !=   &   ^   |   &&   ||   ?:
//
// u8(e) to bool(e) are what C converts e to. `a - b` below 0 is an error unless one of
// them is negative; `a + -b` may be negative. Division cuts off, as in C. Comparisons and logic give 0 or 1;
// && || ?: evaluate only what they need.
#pragma once

#include "runtime/session/result.h"

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
  /// The same of an expression that may be negative.
  Result<__int128> evaluateSigned(const Bindings &bindings) const;

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
