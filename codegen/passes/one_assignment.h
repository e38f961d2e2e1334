// Bodies of loops without branches, so that their rounds go side by side.
#pragma once

#include "ir/stmt.h"

namespace tangram::codegen {

/// What `body` does to the only element that it assigns, as one assignment: its constants stand where they are used,
/// branches are Select expressions, and so are `min`, `max`, `fmin`, `fmax`, `fabs` and `abs`, by comparisons.
///
///   before: by = a[i] - b[j]; if (fabs(by) < c[i][j]) c[i][j] = by;
///   after:  c[i][j] = (by <= 0 ? 0 - by : by) < c[i][j] ? by : c[i][j];   with a[i] - b[j] for `by`
///
/// Null where it does something else, where what a branch guards cannot be computed without asking (elements that
/// are read in it alone, divisions of integers, other calls), and where the text would grow long.
ir::StmtPtr oneAssignment(const ir::StmtPtr &body);

} // namespace tangram::codegen
