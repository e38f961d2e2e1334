// C that allocates what calls of OpenMP libraries keep between their steps.
#pragma once

#include <string>

namespace tangram::codegen {

/// The function `tangram_allocate`(bytes) for memory that may be large and is freed with `free`; null where there is none.
/// With large pages, where the system lends them: memory that is new to a process costs a fault for each page, which for
/// small ones takes longer than many a kernel that fills it.
std::string allocatingFunction();

/// What it includes besides stdlib.h.
std::string allocatingIncludes();

} // namespace tangram::codegen
