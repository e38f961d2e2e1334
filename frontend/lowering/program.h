// The program of a file, once Clang has accepted it.
#pragma once

#include "frontend/codelet_pragma.h"
#include "ir/program.h"

namespace tangram::frontend {

class Places;

/// Lowers every spectrum and codelet of `declarations`. What is wrong goes to
/// `diagnostics`, in source order; the program is of use only when that has no error.
/// `file` and `contentHash` are left to the caller.
ir::Program lowerProgram(clang::ASTContext &ast, const Places &places,
                         const CodeletDeclarations &declarations, Qualifiers &qualifiers,
                         ir::Diagnostics &diagnostics);

} // namespace tangram::frontend
