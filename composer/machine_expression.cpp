#include "composer/machine_expression.h"

#include "composer/machine_vocabulary.h"
#include "ir/diagnostic.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

namespace tangram::composer {
namespace {

/// Deep enough for anything a person writes, shallow enough for the stack.
constexpr unsigned maxDepth = 200;

bool isWordStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

/// Recursive descent over the text; keeps the first thing that is wrong.
class Checker {
public:
  explicit Checker(const std::string &text) : text(text) { next(); }

  std::optional<std::string> check() {
    conditional();
    if (!error && !token.empty())
      expected("an operator or the end");
    return error;
  }

private:
  const std::string &text;
  std::size_t end = 0;   ///< of the current token
  std::size_t begin = 0; ///< of the current token
  std::string_view token;
  unsigned depth = 0;
  std::optional<std::string> error;

  void next() {
    begin = end;
    while (begin < text.size() && std::isspace(static_cast<unsigned char>(text[begin])))
      ++begin;
    end = begin;
    if (begin < text.size())
      end += tokenLength();
    token = std::string_view(text).substr(begin, end - begin);
  }

  std::size_t tokenLength() const {
    static constexpr std::array<std::string_view, 6> pairs = {"<=", ">=", "==", "!=", "&&", "||"};
    std::string_view rest = std::string_view(text).substr(begin);
    if (std::find(pairs.begin(), pairs.end(), rest.substr(0, 2)) != pairs.end())
      return 2;
    std::size_t length = 1;
    if (isWordStart(rest[0]) || isDigit(rest[0]))
      while (length < rest.size() && (isWordStart(rest[length]) || isDigit(rest[length])))
        ++length;
    return length;
  }

  void fail(std::string message) {
    if (!error)
      error = std::move(message);
    // Nothing after the first mistake is looked at.
    end = begin = text.size();
    token = {};
  }

  void expected(const std::string &what) {
    std::string found = token.empty() ? "the end" : inQuotes(std::string(token));
    fail("expected " + what + ", found " + found + place());
  }

  std::string place() const {
    std::string column = " at column " + std::to_string(begin + 1);
    return text.size() <= 60 ? column + " of " + inQuotes(text) : column;
  }

  bool accept(std::string_view symbol) {
    if (error || token != symbol)
      return false;
    next();
    return true;
  }

  void require(std::string_view symbol) {
    if (!accept(symbol) && !error)
      expected(inQuotes(std::string(symbol)));
  }

  void conditional() {
    if (++depth > maxDepth)
      return fail("expected at most " + std::to_string(maxDepth) + " nested operands");
    binary(0);
    if (accept("?")) {
      conditional();
      require(":");
      conditional();
    }
    --depth;
  }

  void binary(std::size_t precedence) {
    static const std::array<std::vector<std::string_view>, 6> operators = {
        {{"||"}, {"&&"}, {"==", "!="}, {"<", "<=", ">", ">="}, {"+", "-"}, {"*", "/", "%"}}};
    if (precedence == operators.size())
      return unary();
    binary(precedence + 1);
    const auto &mine = operators[precedence];
    while (!error && std::find(mine.begin(), mine.end(), token) != mine.end()) {
      next();
      binary(precedence + 1);
    }
  }

  void unary() {
    while (accept("!")) {
    }
    if (error)
      return;
    if (accept("(")) {
      conditional();
      require(")");
    } else if (!token.empty() && isDigit(token[0])) {
      number();
    } else if (!token.empty() && isWordStart(token[0])) {
      name();
    } else {
      expected("a number, a name or \"(\"");
    }
  }

  void number() {
    if (!std::all_of(token.begin(), token.end(), isDigit))
      return expected("a whole decimal number");
    if (!plainNumber(std::string(token)))
      return expected("a number below 2^64");
    next();
  }

  void name() {
    std::string word(token);
    if (word == "min" || word == "max") {
      next();
      require("(");
      conditional();
      require(",");
      conditional();
      return require(")");
    }
    const std::vector<std::string> &facts = deviceFacts();
    if (std::find(facts.begin(), facts.end(), word) == facts.end()) {
      std::string near = ir::nearest(word, facts);
      std::string message =
          "expected one of " + commaList(facts) + ", found " + inQuotes(word) + place();
      return fail(near.empty() ? message : message + "; did you mean " + inQuotes(near) + "?");
    }
    next();
  }
};

} // namespace

const std::vector<std::string> &deviceFacts() {
  static const std::vector<std::string> facts = {"compute_units", "max_group_size", "local_memory",
                                                 "threads"};
  return facts;
}

std::optional<std::string> workerExpressionError(const std::string &text) {
  return Checker(text).check();
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
