// Whether compilers may round a product together with the sum that it goes into (a fused
// multiply-add: C11 6.5, "contracted"; FP_CONTRACT of OpenCL C).
#pragma once

#include "ir/program.h"

#include <string>

namespace tangram::codegen {

enum class Contraction {
  Nothing, ///< there is no product that could go into a sum
  Allowed,
  Refused,
};

/// Refused where the spectrum, with all that it calls, has floating-point products and sums and something
/// decides by floating-point numbers: a comparison, a conversion to integers, floor and its kin.
/// There another rounding may send a plan another way than the reference, which rounds each operation.
/// Conditions that choose the smaller or larger of what they compare decide nothing, and those of numbers that no other
/// rounding changes, made of integers without a product in a sum, decide the same.
Contraction contractionOf(const ir::Program &program, const std::string &spectrum);

} // namespace tangram::codegen
