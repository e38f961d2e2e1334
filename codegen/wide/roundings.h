// Random rounding (Vignes's stochastic arithmetic): how far roundings of intermediate results carry is measured by a
// run of the program in wider numbers in which each result of an operation is rounded to the type that the program has
// there, up or down at random (docs/verification.md). Here the operations are marked: each becomes a call, which the
// printers write as a function of codegen/printing/rounding_functions.h.
//
//   s += a * b      s = sum(s, result(a * b))
//
// Without the macro that asks for it, such a call is the operation.
#pragma once

#include "codegen/wide/widening.h"

#include <functional>
#include <set>
#include <string>

namespace tangram::codegen {

/// The type that results of `type` are rounded to; Void: they are not.
using NarrowType = std::function<ir::Scalar(ir::Scalar type)>;

/// For code that is yet to be widened: those whose type becomes another one.
NarrowType rounded(const WiderTypes &types);
/// For code in wider numbers: their types before, float where double stands for both.
NarrowType roundedInWide(const WiderTypes &types);

/// `s` with its floating-point operations marked: sums, products, quotients, conversions and calls of math functions.
/// Calls of `helpers` are the program's own functions.
ir::StmtPtr withRoundings(const ir::StmtPtr &s, const NarrowType &narrow,
                          const std::set<std::string> &helpers);

/// The same of all codelets and functions of a program.
ir::Program withRoundings(ir::Program program, const NarrowType &narrow);

/// Names of the functions of a program.
std::set<std::string> functionNames(const ir::Program &program);

} // namespace tangram::codegen
