// Names of a codelet that derived source cannot use.
#pragma once

#include "ir/program.h"

#include <map>

namespace tangram::composer {

/// The codelet with new names for variables whose names cannot be used in derived source. Some are names of primitives (`rows`,
/// `all`), which a map over rows(x, p) needs. Others hide another variable, as parameters of inlined functions may: in
/// `long y = y + d - 1;` the new y would read itself.
ir::Codelet withWritableNames(const ir::Codelet &codelet);

/// `s` with other variables in the place of some.
ir::StmtPtr withVariables(const ir::StmtPtr &s,
                          const std::map<const ir::Var *, ir::VarPtr> &others);

/// A copy of `s` that declares variables of its own.
ir::StmtPtr withOwnLocals(const ir::StmtPtr &s);

} // namespace tangram::composer
