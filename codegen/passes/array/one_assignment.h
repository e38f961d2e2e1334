// Bodies of loops without branches, so that their rounds go side by side.
#pragma once

#include "ir/stmt.h"

#include <vector>

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

/// The same of several elements: an assignment each, in an order in which none of them asks for what one before it has
/// changed. None where there is no such order, or something else stands in the way.
///
///   before: if (d < c[i][j]) { c[i][j] = d; over[i][j] = k; }
///   after:  over[i][j] = d < c[i][j] ? k : over[i][j]; c[i][j] = d < c[i][j] ? d : c[i][j];
std::vector<ir::StmtPtr> assignmentsOf(const ir::StmtPtr &body);

} // namespace tangram::codegen
