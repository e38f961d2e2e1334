#include "runtime/bundle/scalar_bounds.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

namespace tangram::runtime {

namespace {

using Number = std::int64_t;

Number largest(ir::Scalar type) {
  const std::size_t bits = 8 * ir::byteSize(type) - (ir::isSigned(type) ? 1 : 0);
  return std::numeric_limits<Number>::max() >> (bits < 63 ? 63 - bits : 0);
}

/// The constraints that name one scalar and nothing else.
class Conditions {
public:
  Conditions(const Manifest &manifest, const Parameter &scalar)
      : name_(scalar.name), least_(ir::isSigned(scalar.element) ? -largest(scalar.element) - 1 : 0),
        most_(largest(scalar.element)) {
    for (const Constraint &each : manifest.constraints) {
      if (each.require.names() == std::vector<std::string>{name_})
        conditions_.push_back(&each.require);
    }
  }

  bool empty() const { return conditions_.empty(); }

  bool hold(Number value) const {
    return value >= least_ && value <= most_ &&
           std::ranges::all_of(conditions_, [&](const Expression *condition) {
             const auto holds = condition->evaluate(Bindings{{{name_, value}}, {}});
             return holds && *holds != 0;
           });
  }

  std::optional<Number> firstOf(const std::set<Number> &values) const {
    const auto found = std::ranges::find_if(values, [&](Number value) { return hold(value); });
    return found == values.end() ? std::nullopt : std::optional(*found);
  }

  /// Where what holds may begin: 0, and the numbers of the conditions and those beside them.
  std::set<Number> beginnings() const {
    std::set<Number> found{0, 1};
    for (const Expression *condition : conditions_) {
      for (const Number number : numbersIn(condition->text()))
        found.insert({number - (number > 0 ? 1 : 0), number, number + 1});
    }
    return found;
  }

  /// The smallest and the largest value that meets them: the type's, or near a number of a condition.
  std::pair<Number, Number> extremes(Number known) const {
    std::set<Number> candidates = beginnings();
    for (const Number number : beginnings())
      candidates.insert(-number);
    candidates.insert({least_, most_, known});
    std::pair<Number, Number> found{known, known};
    for (const Number each : candidates) {
      if (hold(each))
        found = {std::min(found.first, each), std::max(found.second, each)};
    }
    return found;
  }

  /// The same below 0.
  std::set<Number> beginningsBelowZero() const {
    std::set<Number> found{-usualScalarLimit};
    for (const Number number : beginnings())
      found.insert(-number);
    return found;
  }

private:
  static std::vector<Number> numbersIn(const std::string &text) {
    auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    auto isOfName = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    std::vector<Number> numbers;
    for (auto at = text.begin(); at != text.end();) {
      const auto end = std::find_if_not(at, text.end(), isOfName);
      const std::string word(at, end);
      // Longer ones may not fit, and no scalar is made up near them.
      if (!word.empty() && word.size() < 19 && std::ranges::all_of(word, isDigit))
        numbers.push_back(std::stoll(word));
      at = end == at ? at + 1 : end;
    }
    return numbers;
  }

  const std::string &name_;
  Number least_, most_;
  std::vector<const Expression *> conditions_;
};

} // namespace

void boundScalars(Manifest &manifest) {
  for (Parameter &p : manifest.signature.parameters) {
    if (p.container || !ir::isInteger(p.element) || p.element == ir::Scalar::Bool)
      continue;
    const Conditions conditions(manifest, p);
    std::tie(p.least, p.most) = conditions.extremes(p.low);
    if (conditions.empty())
      continue;
    const std::optional<Number> low = conditions.firstOf(conditions.beginnings());
    const std::optional<Number> lowest =
        low ? low : conditions.firstOf(conditions.beginningsBelowZero());
    if (!lowest)
      continue;
    p.low = p.high = *lowest;
    while (p.high - p.low < usualScalarLimit && conditions.hold(p.high))
      ++p.high;
    std::tie(p.least, p.most) = conditions.extremes(p.low);
  }
}

} // namespace tangram::runtime
