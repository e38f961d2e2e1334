// What the codelets of a spectrum must be for composition: told apart by their tags,
// and atomic where they are cooperative.
#pragma once

#include "frontend/codelet_pragma.h"
#include "ir/program.h"

namespace tangram::frontend {

class Places;

/// Reports tags used twice in one spectrum, and `__coop` on a compound codelet.
void checkComposition(const ir::Program &program, const CodeletDeclarations &declarations,
                      const Places &places, ir::Diagnostics &diagnostics);

} // namespace tangram::frontend
