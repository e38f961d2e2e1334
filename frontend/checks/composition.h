// What the codelets of a spectrum must be for composition: told apart by their tags,
// atomic where they are cooperative, compound where they have containers of their own.
#pragma once

#include "frontend/codelet_pragma.h"
#include "ir/program.h"

namespace tangram::frontend {

class Places;

/// Reports tags used twice in one spectrum, `__coop` on a compound codelet, and local
/// containers in one that is not compound.
void checkComposition(const ir::Program &program, const CodeletDeclarations &declarations,
                      const Places &places, ir::Diagnostics &diagnostics);

} // namespace tangram::frontend
