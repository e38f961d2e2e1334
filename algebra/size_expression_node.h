// The tree of a size expression, shared by its parser and what is done with it.
#pragma once

#include "algebra/size_expression.h"

#include <cstdint>
#include <set>

namespace tangram::algebra {

/// What sizes are computed in, and what the smallest and the largest of them are.
using SizeNumber = __int128;
constexpr SizeNumber leastSize = INT64_MIN;
constexpr SizeNumber mostSize = UINT64_MAX;

/// What a node does, told once from its text.
enum class SizeOp {
  Number,
  Name,
  Choice,
  And,
  Or,
  Add,
  Multiply,
  Subtract,
  Divide,
  Remainder,
  Min,
  Max,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
  Equal,
  NotEqual,
  Less,
  GreaterOrEqual,
  Greater,
  LessOrEqual,
  Other, ///< of one operand, or three
};
SizeOp sizeOpOf(const std::string &op);

/// A number, a name, or an operator with its operands ("?:", "min", "max", "negate" and the
/// conversions included).
struct SizeExpression::Node {
  std::string op; ///< "number", "name", or the operator
  std::uint64_t number = 0;
  std::string name;
  std::vector<std::shared_ptr<const Node>> operands;
  SizeOp code = sizeOpOf(op);
};

using SizeNode = std::shared_ptr<const SizeExpression::Node>;

/// Binary operators by precedence, loosest first.
const std::vector<std::vector<std::string>> &binarySizeOperators();
/// What C converts to, by the name of the type.
const std::map<std::string, std::string> &sizeConversions();

/// Null when there was an error.
SizeNode parseSize(const std::string &text, std::vector<SizeExpression::Name> &names,
                   SizeSyntaxError &error);

} // namespace tangram::algebra
