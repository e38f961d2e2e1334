// Chains whose elements append to one container: element i writes out[carry, next) alone, `next` being what
// it hands on, so that no two of them write the same.
#pragma once

#include "ir/program.h"

namespace tangram::codegen {

/// Whether all that `codelet`, applied by a chain, does to its parameter `out` happens in parts of it from
/// its first parameter, the carry, to what it returns, which is no less:
///   unsigned next = start + total;
///   map(f, ..., partition(out, 1, sequence(start), sequence(1), sequence(next)));
///   return next;
bool appendsFromCarry(const ir::Codelet &codelet, const ir::Var *out);

} // namespace tangram::codegen
