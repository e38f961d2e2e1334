// Statements and expressions as the C++ of a codelet, which the frontend reads again and understands as the same.
#pragma once

#include "ir/stmt.h"

#include <string>
#include <vector>

namespace tangram::composer {

/// The blanks that a line begins with: two for each step.
std::string indentation(unsigned indent);

/// `e` as source. Literals have the suffix of their type, conversions to Index are not written.
std::string sourceOf(const ir::ExprPtr &e);

/// `s` in lines that begin with `indent` times two blanks. `require` statements are left out.
std::string sourceOf(const ir::StmtPtr &s, unsigned indent);

/// The type of a local: "unsigned" for Index.
std::string sourceType(const ir::Type &type);

/// "in, out": the arguments of a call that hands the parameters on.
std::string argumentsOf(const std::vector<ir::VarPtr> &params);

/// "const Array<2, float> in, Array<1, float> out"
std::string parametersOf(const std::vector<ir::VarPtr> &params);

} // namespace tangram::composer
