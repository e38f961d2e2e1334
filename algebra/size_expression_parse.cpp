#include "algebra/size_expression_node.h"

#include <algorithm>
#include <cctype>

namespace tangram::algebra {

namespace {

using Node = SizeExpression::Node;

/// Deep enough for anything a person writes, shallow enough for the stack.
constexpr unsigned maxDepth = 200;
/// Operators one after the other nest, too: those who walk the tree recurse.
constexpr unsigned maxOperators = 2000;

SizeNode operation(std::string op, std::vector<SizeNode> operands) {
  return std::make_shared<const Node>(Node{std::move(op), 0, {}, std::move(operands)});
}

/// Recursive descent; keeps the first thing that is wrong.
class Parser {
public:
  Parser(const std::string &text, std::vector<SizeExpression::Name> &names, SizeSyntaxError &error)
      : text(text), names(names), error(error) {}

  SizeNode whole() {
    SizeNode e = conditional();
    if (e && !atEnd())
      return expected("an operator or the end");
    return e;
  }

private:
  SizeNode conditional() {
    if (depth >= maxDepth)
      return fail("is nested more than " + std::to_string(maxDepth) + " deep");
    ++depth;
    SizeNode e = conditionalBody();
    --depth;
    return e;
  }

  SizeNode conditionalBody() {
    SizeNode condition = binary(0);
    if (!condition || !take("?"))
      return condition;
    SizeNode yes = conditional();
    if (!yes)
      return nullptr;
    if (!take(":"))
      return expected("':'");
    SizeNode no = conditional();
    return no ? operation("?:", {condition, yes, no}) : nullptr;
  }

  SizeNode binary(std::size_t level) {
    if (level == binarySizeOperators().size())
      return unary();
    SizeNode left = binary(level + 1);
    while (left) {
      std::optional<std::string> op = takeAny(binarySizeOperators()[level]);
      if (!op)
        break;
      if (++operators > maxOperators)
        return fail("has more than " + std::to_string(maxOperators) + " operators");
      SizeNode right = binary(level + 1);
      left = right ? operation(*op, {left, right}) : nullptr;
    }
    return left;
  }

  SizeNode unary() {
    const char op = peek();
    if (op != '-' && (op != '!' || next(1) == '='))
      return primary();
    if (depth >= maxDepth)
      return fail("is nested more than " + std::to_string(maxDepth) + " deep");
    ++at;
    ++depth;
    SizeNode e = unary();
    --depth;
    return e ? operation(op == '!' ? "!" : "negate", {e}) : nullptr;
  }

  SizeNode primary() {
    const char c = peek();
    if (isDigit(c))
      return literal();
    if (isWordStart(c))
      return nameOrCall();
    if (!take("("))
      return expected("a number, a name or '('");
    SizeNode e = conditional();
    if (e && !take(")"))
      return expected("')'");
    return e;
  }

  SizeNode literal() {
    std::uint64_t value = 0;
    const std::size_t start = at;
    bool fits = true;
    while (isDigit(next(0)) || isWordStart(next(0))) {
      if (!isDigit(next(0))) {
        at = start;
        return expected("a whole decimal number");
      }
      const auto digit = static_cast<std::uint64_t>(next(0) - '0');
      fits &= value <= (UINT64_MAX - digit) / 10;
      value = value * 10 + digit;
      ++at;
    }
    if (!fits) {
      at = start;
      return expected("a number below 2^64");
    }
    return std::make_shared<const Node>(Node{"number", value, {}, {}});
  }

  SizeNode nameOrCall() {
    const std::size_t start = at;
    while (isDigit(next(0)) || isWordStart(next(0)))
      ++at;
    const std::string name = text.substr(start, at - start);
    const bool isCall = peek() == '(';
    if (isCall && (name == "min" || name == "max"))
      return call(name, 2);
    if (isCall && name == "even_parts")
      return call(name, 3);
    if (isCall && sizeConversions().contains(name))
      return call(name, 1);
    if (std::none_of(names.begin(), names.end(), [&](auto &each) { return each.text == name; }))
      names.push_back({name, start + 1});
    return std::make_shared<const Node>(Node{"name", 0, name, {}});
  }

  SizeNode call(const std::string &name, std::size_t arguments) {
    std::vector<SizeNode> operands;
    for (take("("); operands.size() < arguments;) {
      SizeNode e = conditional();
      if (!e)
        return nullptr;
      operands.push_back(e);
      const bool last = operands.size() == arguments;
      if (!take(last ? ")" : ","))
        return expected(last ? "')'" : "','");
    }
    return operation(name, std::move(operands));
  }

  static bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  static bool isWordStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  }

  char next(std::size_t ahead) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  char peek() {
    while (std::isspace(static_cast<unsigned char>(next(0))))
      ++at;
    return next(0);
  }

  bool atEnd() {
    peek();
    return at >= text.size();
  }

  bool take(const std::string &token) {
    peek();
    if (text.compare(at, token.size(), token) != 0)
      return false;
    at += token.size();
    return true;
  }

  std::optional<std::string> takeAny(const std::vector<std::string> &tokens) {
    for (const std::string &token : tokens) {
      const char op = peek();
      // `&` is not half of `&&`, and `<` not half of `<<`.
      const bool doubled = next(1) == op && (op == '&' || op == '|' || op == '<' || op == '>');
      if (!(token.size() == 1 && doubled) && take(token))
        return token;
    }
    return std::nullopt;
  }

  SizeNode expected(const std::string &what) {
    if (!failed)
      error = {what, atEnd() ? "the end" : "'" + token() + "'", at + 1, {}};
    failed = true;
    return nullptr;
  }

  /// The word, number or character at hand.
  std::string token() const {
    std::size_t end = at;
    while (end < text.size() && (isDigit(text[end]) || isWordStart(text[end])))
      ++end;
    return text.substr(at, std::max<std::size_t>(end - at, 1));
  }

  /// The first error counts; the ones it causes are not news.
  SizeNode fail(const std::string &message) {
    if (!failed)
      error = {{}, {}, at + 1, message};
    failed = true;
    return nullptr;
  }

  const std::string &text;
  std::vector<SizeExpression::Name> &names;
  SizeSyntaxError &error;
  bool failed = false;
  std::size_t at = 0;
  unsigned depth = 0;
  unsigned operators = 0;
};

} // namespace

const std::vector<std::vector<std::string>> &binarySizeOperators() {
  static const std::vector<std::vector<std::string>> operators{
      {"||"},       {"&&"},     {"|"},          {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"},
      {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}};
  return operators;
}

const std::map<std::string, std::string> &sizeConversions() {
  static const std::map<std::string, std::string> conversions{
      {"bool", "bool"},    {"u8", "uint8_t"},   {"u16", "uint16_t"},
      {"u32", "uint32_t"}, {"u64", "uint64_t"}, {"i8", "int8_t"},
      {"i16", "int16_t"},  {"i32", "int32_t"},  {"i64", "int64_t"}};
  return conversions;
}

SizeNode parseSize(const std::string &text, std::vector<SizeExpression::Name> &names,
                   SizeSyntaxError &error) {
  if (text.size() > SizeExpression::mostCharacters) {
    error = {{},
             {},
             1,
             "is longer than " + std::to_string(SizeExpression::mostCharacters) + " characters"};
    return nullptr;
  }
  return Parser(text, names, error).whole();
}

} // namespace tangram::algebra
