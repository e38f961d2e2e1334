#include "runtime/bundle/expression.h"

#include <variant>

namespace tangram::runtime {

Result<Expression> Expression::parse(const std::string &text) {
  auto parsed = algebra::SizeExpression::parse(text);
  if (const auto *error = std::get_if<algebra::SizeSyntaxError>(&parsed)) {
    const bool isLong = text.size() > algebra::SizeExpression::mostCharacters;
    return inputError("'" + (isLong ? text.substr(0, 20) + "..." : text) + "': " + error->text());
  }
  Expression expression;
  expression.size_ = std::get<algebra::SizeExpression>(std::move(parsed));
  for (const algebra::SizeExpression::Name &name : expression.size_.names())
    expression.names_.push_back(name.text);
  return expression;
}

Result<std::uint64_t> Expression::evaluate(const Bindings &bindings) const {
  Result<__int128> value = evaluateSigned(bindings);
  if (!value)
    return value.error();
  if (*value < 0)
    return refusal("'" + text() + "': " + algebra::decimal(*value) + " is below 0");
  return static_cast<std::uint64_t>(*value);
}

Result<__int128> Expression::evaluateSigned(const Bindings &bindings) const {
  const auto value = size_.evaluate(bindings);
  if (const auto *reason = std::get_if<std::string>(&value))
    return refusal("'" + text() + "': " + *reason);
  return std::get<__int128>(value);
}

} // namespace tangram::runtime
