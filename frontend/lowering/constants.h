// Literals, and what Clang can compute at compile time.
#pragma once

#include "frontend/clang.h"
#include "ir/expr.h"

#include <optional>

namespace tangram::frontend {

/// A literal with a place.
ir::ExprPtr integerAt(std::int64_t value, ir::Scalar type, ir::SourceLocation at);
ir::ExprPtr realAt(double value, ir::Scalar type, ir::SourceLocation at);

/// `e` as a value of type `to`, as C++ converts it. A literal becomes another literal;
/// a conversion between integers that changes no value is left to the context; the
/// rest is a Cast (to bool: a comparison with 0).
ir::ExprPtr convert(const ir::ExprPtr &e, ir::Scalar to);

/// Of two numbers of elements, an index; a literal where both are.
ir::ExprPtr product(const ir::ExprPtr &a, const ir::ExprPtr &b, ir::SourceLocation at);

/// Value of an integer constant expression.
std::optional<std::int64_t> integerConstant(const clang::ASTContext &ast, const clang::Expr *e);

/// The literal an expression without side effects folds to; null when it does not.
ir::ExprPtr foldConstant(const clang::ASTContext &ast, const clang::Expr *e, ir::SourceLocation at);

} // namespace tangram::frontend
