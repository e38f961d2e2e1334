// Names of parts of containers, written out.
#pragma once

#include "ir/stmt.h"

namespace tangram::codegen {

/// before: auto row = a[i];          row[j] += a[0][j];
/// after:  const size_t row_at = i;  a[row_at][j] += a[0][j];
/// So that a container has one name, and the subscripts of all accesses to it can be compared. What
/// a view was made with is kept where it may change later.
ir::StmtPtr resolveViews(const ir::StmtPtr &body);

} // namespace tangram::codegen
