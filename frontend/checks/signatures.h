// A codelet has the signature of its spectrum.
#pragma once

#include "frontend/lowering/lowering.h"

namespace tangram::frontend {

/// Reports at `declared` where its signature differs from `reference`, that of its
/// spectrum, in the result, the number of parameters, or a parameter's type or
/// constness. Names of parameters may differ.
void checkSignature(LoweredFile &file, const DeclaredFunction &declared, const Signature &signature,
                    const Signature &reference, const SpectrumSource &spectrum);

} // namespace tangram::frontend
