// What a codelet's qualifiers say of it.
#pragma once

#include "frontend/lowering/lowering.h"

namespace tangram::frontend {

/// Sets tag, targets and cooperative from `declaration`'s qualifiers.
void applyQualifiers(LoweredFile &file, const CodeletDeclaration &declaration,
                     ir::Codelet &codelet);

} // namespace tangram::frontend
