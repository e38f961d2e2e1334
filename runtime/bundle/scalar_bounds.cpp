#include "runtime/bundle/scalar_bounds.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

namespace tangram::runtime {

namespace {

using Number = std::uint64_t;

Number largest(ir::Scalar type) {
  const Number bits = 8 * ir::byteSize(type) - (ir::isSigned(type) ? 1 : 0);
  return std::numeric_limits<Number>::max() >> (64 - bits);
}

/// The constraints that name one scalar and nothing else.
class Conditions {
public:
  Conditions(const Manifest &manifest, const Parameter &scalar)
      : name_(scalar.name), most_(largest(scalar.element)) {
    for (const Constraint &each : manifest.constraints) {
      if (each.require.names() == std::vector<std::string>{name_})
        conditions_.push_back(&each.require);
    }
  }

  bool empty() const { return conditions_.empty(); }

  bool hold(Number value) const {
    return value <= most_ && std::ranges::all_of(conditions_, [&](const Expression *condition) {
             const Result<Number> holds = condition->evaluate(Bindings{{{name_, value}}, {}});
             return holds && *holds != 0;
           });
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
        numbers.push_back(std::stoull(word));
      at = end == at ? at + 1 : end;
    }
    return numbers;
  }

  const std::string &name_;
  Number most_;
  std::vector<const Expression *> conditions_;
};

} // namespace

void boundScalars(Manifest &manifest) {
  for (Parameter &p : manifest.signature.parameters) {
    if (p.container || !ir::isInteger(p.element) || p.element == ir::Scalar::Bool)
      continue;
    const Conditions conditions(manifest, p);
    if (conditions.empty())
      continue;
    const std::set<Number> beginnings = conditions.beginnings();
    const auto low =
        std::ranges::find_if(beginnings, [&](Number value) { return conditions.hold(value); });
    if (low == beginnings.end())
      continue;
    p.low = p.high = *low;
    while (p.high - p.low < usualScalarLimit && conditions.hold(p.high))
      ++p.high;
  }
}

} // namespace tangram::runtime
