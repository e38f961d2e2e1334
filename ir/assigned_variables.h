#pragma once

#include "ir/stmt.h"

#include <set>

namespace tangram::ir {

/// The variables that `s` assigns; elements of arrays are none. A name that is declared with a value and is not among them is a constant.
std::set<const Var *> assignedIn(const StmtPtr &s);

} // namespace tangram::ir
