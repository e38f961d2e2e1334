// Sizes of a kernel that follow from its tunables, as pitches of tiles, become constants at its top.
#pragma once

#include "codegen/form/launch.h"

namespace tangram::codegen {

/// before: for (part < parts) { index pitch = (TILE + 7) / 8 * 8;  ...tile[row * pitch + column]... }
/// after:  sizes: pitch = (TILE + 7) / 8 * 8
///         for (part < parts) { ...tile[row * pitch + column]... }
/// Where several declarations have one value, the first names it.
void nameSizes(const LoweredPlan &plan, Launch &launch);

} // namespace tangram::codegen
