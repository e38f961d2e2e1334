// Statements and expressions as the C++ of a codelet, which the frontend reads again and understands as the same.
//
// Containers of vectors have components in programs, along a dimension of their own behind the others. While codelets are
// derived, the type of such a container says how many, Type::lanes, and sources have the vectors again: `Array<1, float4> x`
// and x[i].w for x[i][3].
#pragma once

#include "ir/stmt.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// The blanks that a line begins with: two for each step.
std::string indentation(unsigned indent);

/// `e` as source. Literals have the suffix of their type, conversions to Index are not written.
std::string sourceOf(const ir::ExprPtr &e);

/// The text of a number as a factor of a product: in parentheses where it is more than one word.
std::string asFactor(const std::string &text);

/// `s` in lines that begin with `indent` times two blanks. `require` statements are left out.
std::string sourceOf(const ir::StmtPtr &s, unsigned indent);

/// The type of a local or a parameter: "unsigned" for Index.
std::string sourceType(const ir::Type &type);

/// The dimensions that a container has in sources: all but that of the components of vectors.
unsigned sourceRank(const ir::Type &type);

/// Component number `k` of `vector`, which is a call that returns a vector.
ir::ExprPtr componentOfCall(const ir::ExprPtr &vector, unsigned k);

/// "in, out": the arguments of a call that hands the parameters on.
std::string argumentsOf(const std::vector<ir::VarPtr> &params);

/// "const Array<2, float> in, Array<1, float> out"
std::string parametersOf(const std::vector<ir::VarPtr> &params);

} // namespace tangram::composer
