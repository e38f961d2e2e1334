#pragma once

#include "ir/stmt.h"

#include <set>

namespace tangram::codegen {

/// The variables that `s` assigns. A name that is declared with a value and is not among them is a constant; elements of
/// arrays are found by writtenIn (codegen/analysis/accesses.h).
std::set<const ir::Var *> assignedIn(const ir::StmtPtr &s);

} // namespace tangram::codegen
