// Views whose subscripts are subscripts of the container that they are views of.
#pragma once

#include "ir/expr.h"

#include <string>
#include <vector>

namespace tangram::frontend {

/// Whether it is reverse, diagonal, flatten, reshape or broadcast.
bool isNamedView(const std::string &name);

/// Whether `e` is what one of these gives.
bool isIndexFunction(const ir::Expr &e);

/// Whether subscripts see through it: one of these, or a slice.
bool isSeenThrough(const ir::ExprPtr &e);

/// Whether it is a row of a container that has a name: `a[i]`.
bool isRow(const ir::ExprPtr &e);

/// `container[subscripts...]`, of what the container is a view of as far as it has enough subscripts.
ir::ExprPtr elementIn(const ir::ExprPtr &container, std::vector<ir::ExprPtr> subscripts,
                      const ir::SourceLocation &place);

/// The size of such a view along a dimension; null where `view` is none.
ir::ExprPtr sizeOfView(const ir::ExprPtr &view, std::int64_t dimension,
                       const ir::SourceLocation &place);

} // namespace tangram::frontend
