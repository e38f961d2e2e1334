// The tree of a size expression, shared by its parser and what is done with it.
#pragma once

#include "algebra/size_expression.h"

#include <set>

namespace tangram::algebra {

/// A number, a name, or an operator with its operands ("?:", "min", "max", "negate" and the
/// conversions included).
struct SizeExpression::Node {
  std::string op; ///< "number", "name", or the operator
  std::uint64_t number = 0;
  std::string name;
  std::vector<std::shared_ptr<const Node>> operands;
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
