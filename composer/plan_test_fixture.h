// What the planner's tests plan: figure 4.3's sum, and machines, built by hand so that
// the tests need neither the frontend nor the model loader.
#pragma once

#include "composer/machine.h"
#include "ir/program.h"

namespace tangram::composer::fixture {

/// The four codelets of figure 4.3: sum#1, kog, asso_tiled, stride_tiled.
ir::Program sumProgram();

/// Figure 5.2: process and thread; grid, block and thread. Maps are distributed.
Machine simpleCpu();
Machine simpleGpu();
/// Grid, block, warp, thread, ILP; every level offers all its capability allows.
Machine fiveLevelGpu();

} // namespace tangram::composer::fixture
