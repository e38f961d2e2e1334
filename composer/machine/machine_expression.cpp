#include "composer/machine/machine_expression.h"

#include "algebra/device_facts.h"
#include "algebra/size_expression.h"
#include "composer/machine/machine_vocabulary.h"
#include "ir/diagnostic.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tangram::composer {
namespace {

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

std::string at(std::size_t column, const std::string &text) {
  std::string place = " at column " + std::to_string(column);
  return text.size() <= 60 ? place + " of " + inQuotes(text) : place;
}

std::string syntaxError(const algebra::SizeSyntaxError &error, const std::string &text) {
  if (error.expected.empty())
    return "expected an expression, found one that " + error.problem;
  return "expected " + error.expected + ", found " + error.found + at(error.column, text);
}

} // namespace

std::optional<std::string> workerExpressionError(const std::string &text) {
  const auto parsed = algebra::SizeExpression::parse(text);
  if (const auto *error = std::get_if<algebra::SizeSyntaxError>(&parsed))
    return syntaxError(*error, text);
  const auto &expression = std::get<algebra::SizeExpression>(parsed);
  const std::vector<std::string> &facts = algebra::deviceFactNames();
  for (const auto &[name, column] : expression.names()) {
    if (std::find(facts.begin(), facts.end(), name) != facts.end())
      continue;
    const std::string near = ir::nearest(name, facts);
    return "expected one of " + commaList(facts) + ", found " + inQuotes(name) + at(column, text) +
           (near.empty() ? "" : "; did you mean " + inQuotes(near) + "?");
  }
  if (!expression.names().empty())
    return std::nullopt;
  const auto value = expression.evaluate({});
  if (const auto *reason = std::get_if<std::string>(&value))
    return "expected a number of workers, found " + inQuotes(text) + ": " + *reason;
  if (std::get<__int128>(value) < 0)
    return "expected a number of workers, found " + inQuotes(text) + ", which is below 0";
  return std::nullopt;
}

std::optional<std::uint64_t> plainNumber(const std::string &text) {
  std::uint64_t value = 0;
  const char *last = text.data() + text.size();
  auto [end, status] = std::from_chars(text.data(), last, value);
  if (status != std::errc() || end != last || text.empty())
    return std::nullopt;
  return value;
}

std::string productOf(const std::string &a, const std::string &b) {
  std::optional<std::uint64_t> x = plainNumber(a);
  std::optional<std::uint64_t> y = plainNumber(b);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  std::uint64_t product = 0;
  if (x && y && !__builtin_mul_overflow(*x, *y, &product))
    return std::to_string(product);
  auto operand = [](const std::string &text) {
    bool atom =
        std::all_of(text.begin(), text.end(), [](char c) { return isWordStart(c) || isDigit(c); });
    return atom ? text : "(" + text + ")";
  };
  return operand(a) + " * " + operand(b);
}

} // namespace tangram::composer
