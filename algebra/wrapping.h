// Which unsigned values may have wrapped around below 0.
//
// Such a value is a large number, and sums and products of it are not those of whole numbers: with
// d = i - 1 of an i that may be 0, n + d may be less than n, and d / 2 * 2 + 2 may be 0. Algebra
// takes sums for exact where none of their terms may have wrapped around. Everybody asks here, and
// says what is known of the parts of an expression.
#pragma once

#include "ir/stmt.h"

#include <functional>
#include <map>

namespace tangram::algebra {

/// What is known of the parts of an expression: whether their values may have wrapped around.
struct KnownToWrap {
  std::function<bool(const ir::Expr &variable)> variable;
  /// a - b of an unsigned type: whether b may be more than a.
  std::function<bool(const ir::Expr &difference)> difference;
  /// A conversion to an unsigned type of a signed number, which may be below 0, or of one of less than 64 bits.
  std::function<bool(const ir::Expr &cast)> conversion;
};

/// Whether the value of `e` may have wrapped around, or one that it compares. Numbers of 64 bits without a sign that are
/// no indexes may be of any size.
bool mayWrap(const ir::ExprPtr &e, const KnownToWrap &known);

/// The same for all that the form of `e` says, and its variables (ir::Var::wraps).
bool mayWrap(const ir::ExprPtr &e);

/// Whether indexes are kept in this variable, or in the elements of this array.
bool keepsIndexes(const ir::Var &var);

/// Of the index variables that `s` gives a value to: whether one may have wrapped around, by the form of all that they
/// are given. Of those that are declared elsewhere also what they say themselves.
using WrappingVariables = std::map<const ir::Var *, bool>;
WrappingVariables wrappingVariables(const ir::StmtPtr &s);

} // namespace tangram::algebra
