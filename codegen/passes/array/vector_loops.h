// Loops whose rounds are independent, and can be done several at a time as vectors.
#pragma once

#include "ir/stmt.h"

namespace tangram::codegen {

/// Statements of a loop over elements side by side, as they can be done by vectors: assignments alone. Null where they
/// cannot be said so.
ir::StmtPtr bodyOfVectors(const ir::Stmt &loop);

/// Whether these are sums, differences, products and quotients of this type or others of its size, and choices among them,
/// whose elements lie side by side along the loop or are the same for all its rounds, and no round sees what another one writes.
bool goesByVectors(const ir::Stmt &loop, ir::Scalar type);

} // namespace tangram::codegen
