// How C and OpenCL C spell the language's scalar types, and small pieces of text
// that several printers need.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <set>
#include <string>

namespace tangram::codegen {

/// "int", "size_t", ... ; Index is size_t.
std::string cName(ir::Scalar type);
/// "int", "ulong", ...
std::string openclName(ir::Scalar type);

/// `wanted`, or with a number behind it where that is taken; it is taken from then on.
std::string claimName(const std::string &wanted, std::set<std::string> &taken);

/// #ifndef NAME / #define NAME default / #endif for every compile-time tunable.
std::string tunableMacros(const LoweredPlan &plan);

/// A tunable's default where it is a whole number, the first one allowed where it is an expression.
std::string numericDefault(const Tunable &tunable);

/// The plan in one comment block at the top of a file.
std::string fileComment(const std::string &what, const std::string &spectrum,
                        const std::string &model, const std::vector<std::string> &steps);

} // namespace tangram::codegen
