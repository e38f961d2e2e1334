// Maps over sequences alone have as many elements as numbers are below an end.
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

namespace tangram::frontend {

/// Reports maps, folds and chains that go over sequences alone, have no container for their results, and
/// whose first sequence with an end has an increment that is negative, 0, or not known before they begin: how
/// many elements they have is not known.
void checkNumbers(const ir::Program &program, ir::Diagnostics &diagnostics);

} // namespace tangram::frontend
