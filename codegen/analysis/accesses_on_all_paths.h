// Elements that code reads, or writes, whichever branches it takes: what a branch reads of them can be read before the
// branch is decided.
#pragma once

#include "ir/stmt.h"

#include <vector>

namespace tangram::codegen {

/// Elements of arrays, as expressions (ExprKind::Index); each one once.
struct AccessedElements {
  std::vector<ir::ExprPtr> read;
  std::vector<ir::ExprPtr> written;
};

/// The elements that `s`, blocks, declarations, assignments and branches, accesses on all its paths. A loop may have no
/// rounds and counts as accessing nothing.
AccessedElements accessedOnAllPaths(const ir::StmtPtr &s);

} // namespace tangram::codegen
