// What a spectrum requires of its caller: the sizes that must agree, and the elements that
// must be positions.
#pragma once

#include "codegen/lowering/scope.h"

namespace tangram::codegen {

/// "(file:line:column)", for what is said of a plan long after its source was read.
std::string inParentheses(const ir::SourceLocation &place);

/// Whether a `require` is about the shape of arguments: the size of one is some value.
bool isShape(const ir::ExprPtr &condition);

/// Whether a condition is an equation between sums of sizes that can be solved for one of them:
/// `in.size() + 1 == out.size() + filter.size()`.
bool isEquationOfSizes(const ir::ExprPtr &condition);

/// Notes in `plan`, whose parameters are known, what `spectrum` requires: as the codelet states it that
/// says what the spectrum means, its first autonomous one.
void recordContracts(LoweredPlan &plan, const ir::Spectrum &spectrum, const Scope &scope);

} // namespace tangram::codegen
