// What the lowering of the primitives shares.
#pragma once

#include "frontend/clang.h"
#include "frontend/lowering/types.h"
#include "ir/expr.h"

#include <string>

namespace tangram::frontend {

/// `3 arguments`
std::string counted(std::size_t n, const std::string &what);

bool isSequence(const ir::Expr &e);
bool isIntegerScalar(const ir::Expr &e);

/// The size of a container along a dimension, said of what it is a view of.
ir::ExprPtr sizeOf(ir::ExprPtr container, std::int64_t dimension, const ir::SourceLocation &place);

/// Name of the primitive that `e` is a call of, or empty.
std::string primitiveName(const clang::Expr *e);

/// Whether it is one of `atomicAdd` and its kind.
bool isAtomicName(const std::string &name);

} // namespace tangram::frontend
