// A statement in a message: its own text, and the place in the source it was made from.
#pragma once

#include "ir/stmt.h"

#include <string>

namespace tangram::codegen {

/// One line, without the statements below it: "x = a[i];", "if (x > 0)", "parallel lane < N".
std::string statementText(const ir::Stmt &s);

/// The statement's place, else the first that one of its expressions has; may be unknown.
ir::SourceLocation locationOf(const ir::Stmt &s);

} // namespace tangram::codegen
