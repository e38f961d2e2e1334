// Functions of a program in wider numbers that round a result to the numbers of a narrow type around it, up or down at
// random (codegen/wide/roundings.h). A text that is compiled without TANGRAM_SAMPLE_ROUNDINGS has macros in their place,
// which give the result as it is.
//
//   sum_f32_in_f64(a, b)        a + b
//   difference_f32_in_f64(a, b) a - b
//   result_f32_in_f64(x, ulps)  x, of a function that may be off by so many ulps
#pragma once

#include "codegen/printing/number_functions.h"

namespace tangram::codegen {

/// The callee of a call that the printers write as one of these: "sum f32".
std::string roundingName(const std::string &what, ir::Scalar narrow);

/// Whether it is one of them.
bool isRounding(const std::string &callee);
/// The type that it rounds to.
ir::Scalar roundedType(const std::string &callee);

/// The name in C, for results of type `wide`.
std::string roundingFunction(const std::string &callee, ir::Scalar wide);

/// The definition of all three, for the type that `callee` says.
std::string roundingDefinitions(const std::string &callee, ir::Scalar wide,
                                const TypeNames &typeName);

} // namespace tangram::codegen
