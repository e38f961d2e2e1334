// Operators of expressions, statements, atomic operations and ordered maps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tangram::ir {

/// A number behind a spelling that is checked when this code is compiled: `e.op == "+"` compares
/// two bytes, and `e.op == "=+"` is an error.
class Operator {
public:
  enum class Code : std::uint8_t {
    None,
    // Unary and Binary, as C has them.
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Not,
    Complement,
    // Assign.
    Assign,
    MultiplyAssign,
    DivideAssign,
    RemainderAssign,
    AddAssign,
    SubtractAssign,
    ShiftLeftAssign,
    ShiftRightAssign,
    BitAndAssign,
    BitXorAssign,
    BitOrAssign,
    // Atomic.
    AtomicAdd,
    AtomicAwait,
    AtomicCompareExchange,
    AtomicExchange,
    AtomicLoad,
    AtomicMax,
    AtomicMin,
    AtomicPublish,
    AtomicStore,
    // Map.
    Fold,
    Chain,
  };

  constexpr Operator() = default;
  constexpr Operator(Code code) : code_(code) {}
  consteval Operator(const char *spelling) : code_(Code::None) {
    if (std::optional<Operator> known = named(spelling))
      code_ = known->code_;
    else
      throw "no such operator";
  }

  /// The operator of this spelling, if there is one.
  static constexpr std::optional<Operator> named(std::string_view spelling) {
    for (std::size_t i = 0; i < spellings.size(); ++i) {
      if (spellings[i] == spelling)
        return Operator(static_cast<Code>(i));
    }
    return std::nullopt;
  }

  constexpr Code code() const { return code_; }
  constexpr bool empty() const { return code_ == Code::None; }
  constexpr std::string_view spelling() const { return spellings[static_cast<std::size_t>(code_)]; }
  std::string text() const { return std::string(spelling()); }

  /// How strongly a binary operator binds, as in C: 10 of `*`, 1 of `||`.
  constexpr int precedence() const {
    switch (code_) {
    case Code::Multiply:
    case Code::Divide:
    case Code::Remainder:
      return 10;
    case Code::Add:
    case Code::Subtract:
      return 9;
    case Code::ShiftLeft:
    case Code::ShiftRight:
      return 8;
    case Code::Less:
    case Code::LessOrEqual:
    case Code::Greater:
    case Code::GreaterOrEqual:
      return 7;
    case Code::Equal:
    case Code::NotEqual:
      return 6;
    case Code::BitAnd:
      return 5;
    case Code::BitXor:
      return 4;
    case Code::BitOr:
      return 3;
    case Code::And:
      return 2;
    case Code::Or:
      return 1;
    default:
      return 11;
    }
  }

  constexpr bool isComparison() const { return code_ >= Code::Less && code_ <= Code::NotEqual; }
  constexpr bool isLogic() const {
    return code_ == Code::And || code_ == Code::Or || code_ == Code::Not;
  }
  constexpr bool isShift() const { return code_ == Code::ShiftLeft || code_ == Code::ShiftRight; }
  constexpr bool isBitwise() const { return code_ >= Code::BitAnd && code_ <= Code::BitOr; }
  /// What `+=` does besides assigning: `+`; none of `=`.
  constexpr Operator withoutAssignment() const {
    if (code_ <= Code::Assign || code_ > Code::BitOrAssign)
      return {};
    if (code_ >= Code::BitAndAssign)
      return shifted(Code::BitAndAssign, Code::BitAnd);
    return shifted(Code::MultiplyAssign, Code::Multiply);
  }

  constexpr bool operator==(const Operator &) const = default;
  constexpr auto operator<=>(const Operator &) const = default;

private:
  constexpr Operator shifted(Code from, Code to) const {
    return static_cast<Code>(static_cast<int>(code_) - static_cast<int>(from) +
                             static_cast<int>(to));
  }

  static constexpr std::array<std::string_view, 43> spellings{
      "",      "*",   "/",        "%",    "+",   "-",   "<<",      ">>",    "<",    "<=",   ">",
      ">=",    "==",  "!=",       "&",    "^",   "|",   "&&",      "||",    "!",    "~",    "=",
      "*=",    "/=",  "%=",       "+=",   "-=",  "<<=", ">>=",     "&=",    "^=",   "|=",   "add",
      "await", "cas", "exchange", "load", "max", "min", "publish", "store", "fold", "chain"};

  Code code_ = Code::None;
};

} // namespace tangram::ir
