// How many bytes a computation has to move, whatever the plan: what its meaning, the spectrum's first
// autonomous codelet, reads and writes of its containers.
#pragma once

#include "ir/program.h"

#include <optional>
#include <vector>

namespace tangram::codegen {

struct ContainerUse {
  bool read = false;
  bool written = false;
};

/// Of each parameter of `codelet` that is a container, in order. Nothing where values decide how much
/// of one is read or written: subscripts, conditions, jumps and loops that depend on elements.
std::optional<std::vector<ContainerUse>> containerUses(const ir::Codelet &codelet);

} // namespace tangram::codegen
