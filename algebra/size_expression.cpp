#include "algebra/size_expression.h"

#include "algebra/size_expression_node.h"

#include <algorithm>
#include <map>

namespace tangram::algebra {

namespace {

using Node = SizeExpression::Node;
using Number = SizeNumber;

constexpr Number mostEvenTries = 256;

class Evaluator {
public:
  explicit Evaluator(const SizeBindings &bindings) : bindings(bindings) {}

  std::optional<Number> value(const Node &e) {
    using enum SizeOp;
    switch (e.code) {
    case Number:
      return e.number;
    case Name:
      return named(e.name);
    case Choice:
    case And:
    case Or:
      return lazy(e);
    default:
      break;
    }
    const auto a = value(*e.operands[0]);
    if (!a)
      return std::nullopt;
    if (e.operands.size() == 1)
      return unary(e.op, *a);
    const auto b = value(*e.operands[1]);
    if (!b || e.operands.size() == 2)
      return b ? apply(e, *a, *b) : std::nullopt;
    const auto c = value(*e.operands[2]);
    return c ? std::optional(evenParts(*a, *b, *c)) : std::nullopt;
  }

  std::string reason;

private:
  std::optional<Number> named(const std::string &name) {
    if (auto found = bindings.values.find(name); found != bindings.values.end())
      return found->second;
    auto why = bindings.unusable.find(name);
    return fail(why != bindings.unusable.end() ? name + " " + why->second : "unknown name " + name);
  }

  std::optional<Number> lazy(const Node &e) {
    const std::optional<Number> first = value(*e.operands[0]);
    if (!first)
      return std::nullopt;
    if (e.code == SizeOp::Choice)
      return value(*e.operands[*first != 0 ? 1 : 2]);
    if ((*first != 0) == (e.code == SizeOp::Or))
      return *first != 0;
    const std::optional<Number> second = value(*e.operands[1]);
    return second ? std::optional<Number>(*second != 0) : std::nullopt;
  }

  std::optional<Number> unary(const std::string &op, Number a) {
    if (op == "!")
      return a == 0;
    if (op == "negate")
      return inRange(-a, [&] { return "-" + decimal(a); });
    if (op == "bool")
      return a != 0;
    const auto bits = static_cast<unsigned>(std::stoul(op.substr(1)));
    const Number modulus = static_cast<Number>(1) << bits;
    Number wrapped = a % modulus;
    if (wrapped < 0)
      wrapped += modulus;
    return op[0] == 'i' && wrapped >= modulus / 2 ? wrapped - modulus : wrapped;
  }

  std::optional<Number> apply(const Node &e, Number a, Number b) {
    const auto what = [&] { return decimal(a) + " " + e.op + " " + decimal(b); };
    switch (e.code) {
    case SizeOp::Add:
      return inRange(a + b, what);
    case SizeOp::Multiply: {
      Number result = 0;
      return __builtin_mul_overflow(a, b, &result) ? fail(what() + " is above 2^64 - 1")
                                                   : inRange(result, what);
    }
    case SizeOp::Subtract:
      return a >= 0 && b >= 0 && a < b ? fail(what() + " is below 0") : inRange(a - b, what);
    case SizeOp::Divide:
      return b == 0 ? divisionByZero(*e.operands[1]) : std::optional(a / b);
    case SizeOp::Remainder:
      return b == 0 ? divisionByZero(*e.operands[1]) : std::optional(a % b);
    case SizeOp::Min:
      return std::min(a, b);
    case SizeOp::Max:
      return std::max(a, b);
    case SizeOp::ShiftLeft:
      return shift(true, a, b, what);
    case SizeOp::ShiftRight:
      return shift(false, a, b, what);
    case SizeOp::BitAnd:
      return a & b;
    case SizeOp::BitOr:
      return a | b;
    case SizeOp::BitXor:
      return a ^ b;
    case SizeOp::Equal:
      return a == b;
    case SizeOp::NotEqual:
      return a != b;
    case SizeOp::Less:
      return a < b;
    case SizeOp::GreaterOrEqual:
      return a >= b;
    case SizeOp::Greater:
      return a > b;
    default:
      return a <= b;
    }
  }

  static Number evenParts(Number elements, Number parts, Number multiple) {
    if (parts <= 0 || multiple <= 0)
      return parts;
    const Number fewest = parts - std::min(parts / 8, mostEvenTries - 1);
    for (Number fewer = parts; fewer >= fewest; --fewer) {
      if ((elements + fewer - 1) / fewer % multiple == 0)
        return fewer;
    }
    return parts;
  }

  template <typename Text>
  std::optional<Number> shift(bool left, Number a, Number b, const Text &what) {
    if (b < 0 || b > 63)
      return fail(what() + " does not shift by 0 to 63");
    if (!left)
      return a >> b;
    Number result = 0;
    return __builtin_mul_overflow(a, static_cast<Number>(1) << b, &result)
               ? fail(what() + " is above 2^64 - 1")
               : inRange(result, what);
  }

  /// `what`: the text of the operation, which nobody needs where it succeeds.
  template <typename Text> std::optional<Number> inRange(Number result, const Text &what) {
    if (result > mostSize)
      return fail(what() + " is above 2^64 - 1");
    return result < leastSize ? fail(what() + " is below -2^63") : std::optional(result);
  }

  std::optional<Number> divisionByZero(const Node &divisor) {
    return fail("division by 0" + (divisor.op == "name" ? " (" + divisor.name + " is 0)" : ""));
  }

  std::optional<Number> fail(const std::string &message) {
    reason = message;
    return std::nullopt;
  }

  const SizeBindings &bindings;
};

bool uses(const Node &e, const std::string &name) {
  return (e.op == "name" && e.name == name) ||
         std::any_of(e.operands.begin(), e.operands.end(),
                     [&](const SizeNode &operand) { return uses(*operand, name); });
}

std::optional<LinearSize> product(const LinearSize &a, const LinearSize &b) {
  if (a.factor != 0 && b.factor != 0)
    return std::nullopt;
  const LinearSize &line = a.factor != 0 ? a : b;
  const Number by = (a.factor != 0 ? b : a).offset;
  LinearSize result;
  if (__builtin_mul_overflow(line.factor, by, &result.factor) ||
      __builtin_mul_overflow(line.offset, by, &result.offset))
    return std::nullopt;
  return result;
}

std::optional<LinearSize> linear(const Node &e, const std::string &name,
                                 const SizeBindings &bindings) {
  if (!uses(e, name)) {
    const std::optional<Number> value = Evaluator(bindings).value(e);
    return value ? std::optional(LinearSize{0, *value}) : std::nullopt;
  }
  if (e.op == "name")
    return LinearSize{1, 0};
  if (e.op != "+" && e.op != "-" && e.op != "*")
    return std::nullopt;
  const std::optional<LinearSize> a = linear(*e.operands[0], name, bindings);
  const std::optional<LinearSize> b = linear(*e.operands[1], name, bindings);
  if (!a || !b)
    return std::nullopt;
  if (e.op == "*")
    return product(*a, *b);
  LinearSize result;
  const bool plus = e.op == "+";
  auto combine = [plus](Number x, Number y, Number *z) {
    return plus ? __builtin_add_overflow(x, y, z) : __builtin_sub_overflow(x, y, z);
  };
  if (combine(a->factor, b->factor, &result.factor) ||
      combine(a->offset, b->offset, &result.offset))
    return std::nullopt;
  return result;
}

class Printer {
public:
  using Spelling = std::function<std::string(const std::string &)>;
  explicit Printer(const Spelling &spelling) : spelling(spelling) {}

  /// In parentheses when it binds looser than `context`.
  std::string text(const Node &e, std::size_t context) const {
    std::size_t precedence = 0;
    const std::string bare = this->bare(e, precedence);
    return precedence < context ? "(" + bare + ")" : bare;
  }

private:
  static constexpr std::size_t conditional = 0;
  static std::size_t unary() { return binarySizeOperators().size() + 1; }

  std::string bare(const Node &e, std::size_t &precedence) const {
    precedence = unary() + 1;
    if (e.op == "number")
      return std::to_string(e.number) + (e.number > INT64_MAX ? "u" : "");
    if (e.op == "name")
      return spelling(e.name);
    if (e.operands.size() == 1) {
      precedence = unary();
      const std::string operand = text(*e.operands[0], unary());
      if (e.op == "!" || e.op == "negate")
        return (e.op == "!" ? "!" : "-") + operand;
      return "(" + sizeConversions().at(e.op) + ")" + operand;
    }
    if (e.op == "min" || e.op == "max")
      return extreme(e, precedence);
    if (e.op == "even_parts")
      return "tangram_even_parts(" + text(*e.operands[0], 0) + ", " + text(*e.operands[1], 0) +
             ", " + text(*e.operands[2], 0) + ")";
    if (e.op == "?:") {
      precedence = conditional;
      return text(*e.operands[0], 1) + " ? " + text(*e.operands[1], conditional) + " : " +
             text(*e.operands[2], conditional);
    }
    for (std::size_t level = 0; level < binarySizeOperators().size(); ++level) {
      const auto &operators = binarySizeOperators()[level];
      if (std::find(operators.begin(), operators.end(), e.op) != operators.end())
        precedence = level + 1;
    }
    return text(*e.operands[0], precedence) + " " + e.op + " " +
           text(*e.operands[1], precedence + 1);
  }

  std::string extreme(const Node &e, std::size_t &precedence) const {
    precedence = conditional;
    const std::size_t operand = 8; // tighter than comparisons
    const std::string a = text(*e.operands[0], operand);
    const std::string b = text(*e.operands[1], operand);
    return a + (e.op == "min" ? " < " : " > ") + b + " ? " + a + " : " + b;
  }

  const Spelling &spelling;
};

} // namespace

std::string evenPartsInC() {
  return "/// `parts`, or a few less, of which each has a multiple of so many elements.\n"
         "static size_t tangram_even_parts(size_t elements, size_t parts, size_t multiple) {\n"
         "  if (parts == 0 || multiple == 0)\n"
         "    return parts;\n"
         "  const size_t tries = parts / 8 + 1 < " +
         decimal(mostEvenTries) + " ? parts / 8 + 1 : " + decimal(mostEvenTries) +
         ";\n"
         "  for (size_t fewer = parts; fewer > parts - tries; --fewer) {\n"
         "    const size_t each = elements / fewer + (elements % fewer != 0);\n"
         "    if (each % multiple == 0)\n"
         "      return fewer;\n"
         "  }\n"
         "  return parts;\n"
         "}\n";
}

std::string decimal(__int128 value) {
  return value < 0 ? "-" + std::to_string(static_cast<std::uint64_t>(-value))
                   : std::to_string(static_cast<std::uint64_t>(value));
}

std::string SizeSyntaxError::text() const {
  return expected.empty()
             ? problem
             : "expected " + expected + " at column " + std::to_string(column) + ", found " + found;
}

SizeOp sizeOpOf(const std::string &op) {
  using enum SizeOp;
  static const std::map<std::string, SizeOp> codes{
      {"number", Number}, {"name", Name},     {"?:", Choice},
      {"&&", And},        {"||", Or},         {"+", Add},
      {"*", Multiply},    {"-", Subtract},    {"/", Divide},
      {"%", Remainder},   {"min", Min},       {"max", Max},
      {"<<", ShiftLeft},  {">>", ShiftRight}, {"&", BitAnd},
      {"|", BitOr},       {"^", BitXor},      {"==", Equal},
      {"!=", NotEqual},   {"<", Less},        {">=", GreaterOrEqual},
      {">", Greater},     {"<=", LessOrEqual}};
  const auto found = codes.find(op);
  return found == codes.end() ? Other : found->second;
}

SizeExpression::SizeExpression()
    : source_("0"), root_(std::make_shared<const Node>(Node{"number", 0, {}, {}})) {}

std::variant<SizeExpression, SizeSyntaxError> SizeExpression::parse(const std::string &text) {
  SizeExpression parsed;
  parsed.source_ = text;
  SizeSyntaxError error;
  parsed.root_ = parseSize(text, parsed.names_, error);
  if (!parsed.root_)
    return error;
  return parsed;
}

SizeExpression::OrReason<__int128> SizeExpression::evaluate(const SizeBindings &bindings) const {
  Evaluator evaluator(bindings);
  const std::optional<Number> value = evaluator.value(*root_);
  if (!value)
    return evaluator.reason;
  return *value;
}

std::optional<LinearSize> SizeExpression::linearIn(const std::string &name,
                                                   const SizeBindings &bindings) const {
  return linear(*root_, name, bindings);
}

std::string
SizeExpression::inC(const std::function<std::string(const std::string &)> &spelling) const {
  return Printer(spelling).text(*root_, 0);
}

} // namespace tangram::algebra
