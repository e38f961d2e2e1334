// Arithmetic on numbers that know their error.
#pragma once

#include "codegen/interpreter/meaning.h"

#include <string>

namespace tangram::codegen::interpreting {

MeaningNumber integerNumber(std::int64_t value, ir::Scalar type);
MeaningNumber floatingNumber(double value, ir::Scalar type);

bool isTrue(const MeaningNumber &x);
/// Both have the type `type` already, which is what C computes in. `problem`: what is undefined.
MeaningNumber combine(ir::Operator op, const MeaningNumber &a, const MeaningNumber &b,
                      ir::Scalar type, std::string &problem);
MeaningNumber convert(const MeaningNumber &x, ir::Scalar type);
MeaningNumber negated(const MeaningNumber &x);
/// A library function; nothing when there is none of that name for the type.
std::optional<MeaningNumber> apply(const std::string &function,
                                   const std::vector<MeaningNumber> &args, ir::Scalar type);

} // namespace tangram::codegen::interpreting
