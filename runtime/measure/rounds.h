// Figures that are measured in several rounds, on a machine that may be doing other work, too.
#pragma once

#include "runtime/measure/figures.h"

#include <functional>
#include <string>

namespace tangram::runtime {

/// How often a machine is measured: at least, and at most while figures of the two best rounds differ.
inline constexpr unsigned fewestRounds = 2, mostRounds = 4;

/// Of each figure the best of the rounds, since other work can only make it worse, and in `spreads` how far the second best is
/// from it. No core reads more bytes a second than the machine has: where one seems to, the machine gets its figure, and the
/// spread says that it is not known.
Result<DeviceFigures> measureInRounds(const std::function<Result<DeviceFigures>()> &once);

/// What is unsure of the figures, in words, a line each: those that rounds differ on.
std::string doubtsOf(const DeviceFigures &figures);

} // namespace tangram::runtime
