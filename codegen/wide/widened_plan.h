// A lowered plan in wider numbers (codegen/wide/widening.h): after all passes, so that the order of its
// operations, its parts and its tunables are the plan's own.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/wide/widening.h"

namespace tangram::codegen {

/// Whether the plan takes numbers for the bits that they are made of (codegen/passes/array/decoupled_look_back.cpp), so that
/// it has to be lowered in wider numbers from the beginning.
bool readsBits(const LoweredPlan &plan);

/// `program`: the widened one, which is to outlive the plan, whose helper functions are that program's. Vectors of the
/// compiler's become loops over their elements: not all of the types have vectors, nor vectors of so many elements.
LoweredPlan widened(LoweredPlan plan, const ir::Program &program, const WiderTypes &types);

/// The plan with the helper functions that another program has by their names.
LoweredPlan withFunctionsOf(const ir::Program &program, LoweredPlan plan);

/// A machine that OpenCL drives, driven by OpenMP: each of its levels is spelled as the word of the same role.
composer::Machine drivenBy(const std::string &target, composer::Machine machine,
                           const TargetTraits &before);

} // namespace tangram::codegen
