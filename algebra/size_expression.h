// Expressions that say how large something is: worker counts of a hardware model, launch sizes,
// byte counts and constraints of a bundle. They are written into files, read back, evaluated when
// sizes and device are known, and printed into emitted hosts; this is their only language.
//
//   primary:  number | name | ( e ) | min(e, e) | max(e, e) | even_parts(e, e, e)
//             | u8(e) ... u64(e) | i8(e) ... i64(e) | bool(e)
//   operators, tightest first:
//             ! -   * / %   + -   << >>   < <= > >=   == !=   &   ^   |   &&   ||   ?:
//
// Values are exact integers from -2^63 to 2^64 - 1. Nothing wraps: what leaves that range, and a
// difference of two sizes that is below 0, has no value but a reason, so that a launch size or a
// byte count is either right or refused. u8(e) to bool(e) are what C converts e to; division cuts
// off, as in C; comparisons and logic give 0 or 1; && || ?: evaluate only what they need.
//
// even_parts(n, p, m) is p, or a little less, so that parts of ceil(n / p) elements each begin at
// multiples of m: the largest q from p down to p - p / 8, over at most 256 numbers, of which
// ceil(n / q) is a multiple of m; p where there is none. Where p or m is 0, it is p.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tangram::algebra {

/// What the names of an expression stand for.
struct SizeBindings {
  std::map<std::string, __int128> values; ///< from -2^63 to 2^64 - 1
  /// Names that have no usable value, and why: {"threads", "is not a fact of this device"}.
  std::map<std::string, std::string> unusable;
};

/// factor * x + offset, exact.
struct LinearSize {
  __int128 factor = 0;
  __int128 offset = 0;
};

/// Why a text is no expression.
struct SizeSyntaxError {
  std::string expected;   ///< "a number, a name or '('"; empty: `problem` says it all
  std::string found;      ///< "'*'", "the end"
  std::size_t column = 0; ///< from 1
  std::string problem;    ///< "is nested more than 200 deep"
  /// "expected a number, a name or '(' at column 6, found the end"
  std::string text() const;
};

/// One parsed expression; immutable, cheap to copy.
class SizeExpression {
public:
  struct Node;
  template <typename T> using OrReason = std::variant<T, std::string>;

  /// A text that is longer is no expression.
  static constexpr std::size_t mostCharacters = 10000;

  /// The number 0.
  SizeExpression();

  static std::variant<SizeExpression, SizeSyntaxError> parse(const std::string &text);

  /// The value, or why there is none: "division by 0 (p is 0)", "3 - 4 is below 0",
  /// "4611686018427387904 * 8 is above 2^64 - 1", "unknown name n".
  OrReason<__int128> evaluate(const SizeBindings &bindings) const;

  /// This expression as a linear function of `name`, the other names as `bindings` have them.
  /// Nothing when it is not linear in it (a quotient, a product with itself, a condition), or a
  /// part without `name` cannot be evaluated.
  std::optional<LinearSize> linearIn(const std::string &name, const SizeBindings &bindings) const;

  /// As C of type size_t with only the parentheses it needs, min and max as conditions. `spelling`
  /// says what a name is there.
  std::string inC(const std::function<std::string(const std::string &name)> &spelling) const;

  /// As it was written.
  const std::string &text() const { return source_; }
  struct Name {
    std::string text;
    std::size_t column; ///< of its first use, from 1
  };
  /// The names it uses, each once, in order of appearance.
  const std::vector<Name> &names() const { return names_; }

  /// For what else is done with the tree (size_expression_node.h).
  const Node &root() const { return *root_; }

private:
  std::string source_;
  std::vector<Name> names_;
  std::shared_ptr<const Node> root_;
};

/// What even_parts is in C: the function tangram_even_parts(elements, parts, multiple) of numbers of type
/// size_t. inC() calls it by this name.
std::string evenPartsInC();

/// "-12"; std::to_string of what SizeExpression computes with.
std::string decimal(__int128 value);

} // namespace tangram::algebra
