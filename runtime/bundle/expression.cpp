#include "runtime/bundle/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

namespace tangram::runtime {

/// A number, a name, or an operator with its operands ("?:", "min" and "max" included).
struct Expression::Node {
  std::string op; ///< "number", "name", or the operator
  std::uint64_t number = 0;
  std::string name;
  std::vector<std::shared_ptr<const Node>> operands;
};

namespace {

using Node = Expression::Node;
using NodePtr = std::shared_ptr<const Node>;

NodePtr number(std::uint64_t value) {
  return std::make_shared<const Node>(Node{"number", value, {}, {}});
}

NodePtr operation(std::string op, std::vector<NodePtr> operands) {
  return std::make_shared<const Node>(Node{std::move(op), 0, {}, std::move(operands)});
}

/// Binary operators by precedence, loosest first.
const std::array<std::vector<std::string>, 10> binaryLevels{{{"||"},
                                                             {"&&"},
                                                             {"|"},
                                                             {"^"},
                                                             {"&"},
                                                             {"==", "!="},
                                                             {"<=", ">=", "<", ">"},
                                                             {"<<", ">>"},
                                                             {"+", "-"},
                                                             {"*", "/", "%"}}};

/// What C converts to, by the name of the type.
const std::set<std::string> conversions{"bool", "u8",  "u16", "u32", "u64",
                                        "i8",   "i16", "i32", "i64"};

/// Deep enough for any manifest, shallow enough for the stack.
constexpr unsigned maxDepth = 200;
constexpr std::size_t maxLength = 10000;

class Parser {
public:
  Parser(const std::string &text, std::vector<std::string> &names) : text(text), names(names) {}

  /// Null when there was an error.
  NodePtr whole() {
    NodePtr e = conditional();
    if (e && !atEnd())
      return expected("an operator or the end");
    return e;
  }

  std::string error;

private:
  NodePtr conditional() {
    if (depth >= maxDepth)
      return fail("is nested more than " + std::to_string(maxDepth) + " deep");
    ++depth;
    NodePtr e = conditionalBody();
    --depth;
    return e;
  }

  NodePtr conditionalBody() {
    NodePtr condition = binary(0);
    if (!condition || !take("?"))
      return condition;
    NodePtr yes = conditional();
    if (!yes)
      return nullptr;
    if (!take(":"))
      return expected("':'");
    NodePtr no = conditional();
    return no ? operation("?:", {condition, yes, no}) : nullptr;
  }

  NodePtr binary(std::size_t level) {
    if (level == binaryLevels.size())
      return unary();
    NodePtr left = binary(level + 1);
    while (left) {
      std::optional<std::string> op = takeAny(binaryLevels[level]);
      if (!op)
        break;
      NodePtr right = binary(level + 1);
      left = right ? operation(*op, {left, right}) : nullptr;
    }
    return left;
  }

  NodePtr unary() {
    const char op = peek();
    if (op != '-' && (op != '!' || next(1) == '='))
      return primary();
    if (depth >= maxDepth)
      return fail("is nested more than " + std::to_string(maxDepth) + " deep");
    ++at;
    ++depth;
    NodePtr e = unary();
    --depth;
    return e ? operation(op == '!' ? "!" : "negate", {e}) : nullptr;
  }

  NodePtr primary() {
    char c = peek();
    if (std::isdigit(static_cast<unsigned char>(c)))
      return literal();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_')
      return nameOrCall();
    if (!take("("))
      return expected("a number, a name or '('");
    NodePtr e = conditional();
    if (e && !take(")"))
      return expected("')'");
    return e;
  }

  NodePtr literal() {
    std::uint64_t value = 0;
    std::size_t start = at;
    while (std::isdigit(static_cast<unsigned char>(next(0)))) {
      auto digit = static_cast<std::uint64_t>(next(0) - '0');
      if (value > (UINT64_MAX - digit) / 10) {
        while (std::isdigit(static_cast<unsigned char>(next(0))))
          ++at;
        return fail(text.substr(start, at - start) + " is above 2^64 - 1");
      }
      value = value * 10 + digit;
      ++at;
    }
    return number(value);
  }

  NodePtr nameOrCall() {
    std::size_t start = at;
    while (std::isalnum(static_cast<unsigned char>(next(0))) || next(0) == '_')
      ++at;
    std::string name = text.substr(start, at - start);
    if ((name == "min" || name == "max") && peek() == '(')
      return call(name);
    if (conversions.contains(name) && peek() == '(') {
      take("(");
      NodePtr e = conditional();
      if (e && !take(")"))
        return expected("')'");
      return e ? operation(name, {e}) : nullptr;
    }
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
    return std::make_shared<const Node>(Node{"name", 0, name, {}});
  }

  NodePtr call(const std::string &name) {
    take("(");
    NodePtr a = conditional();
    if (a && !take(","))
      return expected("','");
    NodePtr b = a ? conditional() : nullptr;
    if (b && !take(")"))
      return expected("')'");
    return b ? operation(name, {a, b}) : nullptr;
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

  NodePtr expected(const std::string &what) {
    std::string found = atEnd() ? "the end" : "'" + std::string(1, text[at]) + "'";
    return fail("expected " + what + " at column " + std::to_string(at + 1) + ", found " + found);
  }

  /// The first error counts; the ones it causes are not news.
  NodePtr fail(const std::string &message) {
    if (error.empty())
      error = message;
    return nullptr;
  }

  const std::string &text;
  std::vector<std::string> &names;
  std::size_t at = 0;
  unsigned depth = 0;
};

std::string decimal(__int128 value) {
  return value < 0 ? "-" + std::to_string(static_cast<std::uint64_t>(-value))
                   : std::to_string(static_cast<std::uint64_t>(value));
}

class Evaluator {
public:
  using Number = __int128;
  static constexpr Number least = INT64_MIN;
  static constexpr Number most = UINT64_MAX;

  explicit Evaluator(const Bindings &bindings) : bindings(bindings) {}

  std::optional<Number> value(const Node &e) {
    if (e.op == "number")
      return e.number;
    if (e.op == "name")
      return named(e.name);
    if (e.op == "?:" || e.op == "&&" || e.op == "||")
      return lazy(e);
    std::optional<Number> a = value(*e.operands[0]);
    if (!a)
      return std::nullopt;
    if (e.operands.size() == 1)
      return unary(e.op, *a);
    std::optional<Number> b = value(*e.operands[1]);
    return b ? apply(e, *a, *b) : std::nullopt;
  }

  std::string error;

private:
  std::optional<Number> named(const std::string &name) {
    if (auto found = bindings.values.find(name); found != bindings.values.end())
      return found->second;
    auto reason = bindings.unusable.find(name);
    return fail(reason != bindings.unusable.end() ? name + " " + reason->second
                                                  : "unknown name " + name);
  }

  std::optional<Number> lazy(const Node &e) {
    std::optional<Number> first = value(*e.operands[0]);
    if (!first)
      return std::nullopt;
    if (e.op == "?:")
      return value(*e.operands[*first != 0 ? 1 : 2]);
    if ((*first != 0) == (e.op == "||"))
      return *first != 0;
    std::optional<Number> second = value(*e.operands[1]);
    return second ? std::optional<Number>(*second != 0) : std::nullopt;
  }

  std::optional<Number> unary(const std::string &op, Number a) {
    if (op == "!")
      return a == 0;
    if (op == "negate")
      return inRange(-a, "-" + decimal(a));
    if (op == "bool")
      return a != 0;
    const unsigned bits = static_cast<unsigned>(std::stoul(op.substr(1)));
    const Number modulus = static_cast<Number>(1) << bits;
    Number wrapped = a % modulus;
    if (wrapped < 0)
      wrapped += modulus;
    return op[0] == 'i' && wrapped >= modulus / 2 ? wrapped - modulus : wrapped;
  }

  std::optional<Number> apply(const Node &e, Number a, Number b) {
    const std::string &op = e.op;
    auto what = [&] { return decimal(a) + " " + op + " " + decimal(b); };
    if (op == "+")
      return inRange(a + b, what());
    if (op == "*") {
      Number result = 0;
      return __builtin_mul_overflow(a, b, &result) ? fail(what() + " is above 2^64 - 1")
                                                   : inRange(result, what());
    }
    if (op == "-")
      return a >= 0 && b >= 0 && a < b ? fail(what() + " is below 0") : inRange(a - b, what());
    if (op == "/" || op == "%")
      return b == 0 ? divisionByZero(*e.operands[1]) : std::optional(op == "/" ? a / b : a % b);
    if (op == "min" || op == "max")
      return op == "min" ? std::min(a, b) : std::max(a, b);
    if (op == "<<" || op == ">>")
      return b < 0 || b > 63 ? fail(what() + " does not shift by 0 to 63")
             : op == "<<"    ? inRange(a * (static_cast<Number>(1) << b), what())
                             : std::optional(a >> b);
    if (op == "&" || op == "|" || op == "^")
      return op == "&" ? a & b : op == "|" ? a | b : a ^ b;
    if (op == "==" || op == "!=")
      return (a == b) == (op == "==");
    if (op == "<" || op == ">=")
      return (a < b) == (op == "<");
    return (a > b) == (op == ">");
  }

  std::optional<Number> inRange(Number result, const std::string &what) {
    if (result > most)
      return fail(what + " is above 2^64 - 1");
    return result < least ? fail(what + " is below -2^63") : std::optional(result);
  }

  std::optional<Number> divisionByZero(const Node &divisor) {
    return fail("division by 0" + (divisor.op == "name" ? " (" + divisor.name + " is 0)" : ""));
  }

  std::optional<Number> fail(const std::string &message) {
    error = message;
    return std::nullopt;
  }

  const Bindings &bindings;
};

bool uses(const Node &e, const std::string &name) {
  return e.name == name ||
         std::any_of(e.operands.begin(), e.operands.end(),
                     [&](const NodePtr &operand) { return uses(*operand, name); });
}

std::optional<Linear> product(const Linear &a, const Linear &b) {
  if (a.factor != 0 && b.factor != 0)
    return std::nullopt;
  const Linear &line = a.factor != 0 ? a : b;
  const __int128 by = (a.factor != 0 ? b : a).offset;
  Linear result;
  if (__builtin_mul_overflow(line.factor, by, &result.factor) ||
      __builtin_mul_overflow(line.offset, by, &result.offset))
    return std::nullopt;
  return result;
}

std::optional<Linear> linear(const Node &e, const std::string &name, const Bindings &bindings) {
  if (!uses(e, name)) {
    std::optional<__int128> value = Evaluator(bindings).value(e);
    return value ? std::optional(Linear{0, *value}) : std::nullopt;
  }
  if (e.op == "name")
    return Linear{1, 0};
  if (e.op != "+" && e.op != "-" && e.op != "*")
    return std::nullopt;
  std::optional<Linear> a = linear(*e.operands[0], name, bindings);
  std::optional<Linear> b = linear(*e.operands[1], name, bindings);
  if (!a || !b)
    return std::nullopt;
  if (e.op == "*")
    return product(*a, *b);
  Linear result;
  const bool plus = e.op == "+";
  auto combine = [plus](__int128 x, __int128 y, __int128 *z) {
    return plus ? __builtin_add_overflow(x, y, z) : __builtin_sub_overflow(x, y, z);
  };
  if (combine(a->factor, b->factor, &result.factor) ||
      combine(a->offset, b->offset, &result.offset))
    return std::nullopt;
  return result;
}

} // namespace

Expression::Expression() : source("0"), root(number(0)) {}

Result<Expression> Expression::parse(const std::string &text) {
  if (text.size() > maxLength)
    return inputError("'" + text.substr(0, 20) + "...': is longer than " +
                      std::to_string(maxLength) + " characters");
  Expression parsed;
  parsed.source = text;
  Parser parser(text, parsed.used);
  parsed.root = parser.whole();
  if (!parsed.root)
    return inputError("'" + text + "': " + parser.error);
  return parsed;
}

Result<std::uint64_t> Expression::evaluate(const Bindings &bindings) const {
  Result<__int128> value = evaluateSigned(bindings);
  if (!value)
    return value.error();
  if (*value < 0)
    return refusal("'" + source + "': " + decimal(*value) + " is below 0");
  return static_cast<std::uint64_t>(*value);
}

Result<__int128> Expression::evaluateSigned(const Bindings &bindings) const {
  Evaluator evaluator(bindings);
  std::optional<__int128> value = evaluator.value(*root);
  if (!value)
    return refusal("'" + source + "': " + evaluator.error);
  return *value;
}

std::optional<Linear> Expression::linearIn(const std::string &name,
                                           const Bindings &bindings) const {
  return linear(*root, name, bindings);
}

} // namespace tangram::runtime
