// Plans as pictures, in Graphviz's language: the diagrams of dissertation
// figures 5.6 to 5.8. A triangle distributes by the codelet it names (a double one
// splits, a house is a serial loop), a circle computes with scalars, a cross with
// vectors. A frame is a level, entered by every worker or by one (devolve).
// An edge out of a frame is labelled with how the level around it makes its
// workers meet before what follows.
#pragma once

#include "composer/machine/machine.h"
#include "ir/plan.h"
#include "ir/program.h"

#include <string>

namespace tangram::composer {

/// One digraph; `title` is drawn above it. Ends in a newline.
std::string planToDot(const ir::PlanPtr &plan, const ir::Program &program, const Machine &machine,
                      const std::string &title);

} // namespace tangram::composer
