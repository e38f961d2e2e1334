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

/// Name of the primitive that `e` is a call of, or empty.
std::string primitiveName(const clang::Expr *e);

/// Whether it is one of `atomicAdd` and its kind.
bool isAtomicName(const std::string &name);

} // namespace tangram::frontend
