// How long an expression is. Values that stand for names in expressions share nodes: what is a small graph may be a tree
// of billions, and everything that walks expressions walks trees.
#pragma once

#include "ir/expr.h"

#include <cstddef>

namespace tangram::ir {

/// Nodes that an expression may have in which names have been replaced by what they stand for: more than any that a
/// person writes has, and few enough for everything that is asked of it.
constexpr std::size_t mostNodesOfMeaning = 512;

/// Whether it has more nodes, as a tree.
bool isLongerThan(const ExprPtr &e, std::size_t nodes);

} // namespace tangram::ir
