// Which variables of a codelet hold nothing but sizes and positions
// (see composer/analysis/index_variables.h for the rules).
#pragma once

#include "ir/program.h"

#include <map>
#include <set>

namespace tangram::composer {

/// The variables to widen and their new types, Index or I64.
using IndexVariables = std::map<const ir::Var *, ir::Scalar>;

IndexVariables chooseIndexVariables(const ir::Codelet &codelet);

/// Whether it is a `__positional` parameter, whose type is Index.
bool isPositionalParameter(const ir::Expr &e);

/// Whether `e` is computed from sizes, lanes, `__positional` parameters, literals and `variables`
/// alone, by arithmetic that positions are computed with.
template <typename Variables> bool isPositional(const ir::ExprPtr &e, const Variables &variables);

extern template bool isPositional(const ir::ExprPtr &, const std::set<const ir::Var *> &);
extern template bool isPositional(const ir::ExprPtr &, const IndexVariables &);

/// Whether the value of a positional expression may be below zero in signed arithmetic.
bool mayBeNegative(const ir::ExprPtr &e, const IndexVariables &variables);

} // namespace tangram::composer
