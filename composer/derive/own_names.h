// Names of a codelet that derived source cannot use.
#pragma once

#include "ir/program.h"

#include <map>

namespace tangram::composer {

/// The codelet with other names for variables that its source could not be written with: those called as primitives of the
/// language are (`rows`, `all`), which a map over rows(x, p) needs, and those that hide another one, as parameters of
/// functions do that were inlined: `long y = y + d - 1;` would read itself.
ir::Codelet withWritableNames(const ir::Codelet &codelet);

/// `s` with other variables in the place of some.
ir::StmtPtr withVariables(const ir::StmtPtr &s,
                          const std::map<const ir::Var *, ir::VarPtr> &others);

/// A copy of `s` that declares variables of its own.
ir::StmtPtr withOwnLocals(const ir::StmtPtr &s);

} // namespace tangram::composer
