// A plan as a picture, as in dissertation figures 5.6 to 5.8: a row for each level, time from left to right.
//
//   triangle   distributes, by the codelet that it names; doubled: some parts each
//   house      takes parts in turn, in a loop
//   circle     computes alone        cross    computes with all workers below
//   frame      what a worker does; three, one behind the other: what each worker does
//   bar        waits until all workers are done
#pragma once

#include "composer/plans/plan_rules.h"

#include <string>

namespace tangram::composer {

/// An <svg> element. Its lines have the colour of text around it; classes are "plan-glyph", "plan-frame",
/// "plan-wait", "plan-name", "plan-level"; what stands for steps says which ones: data-steps="1 2".
/// `alone`: with a title and colours of its own, to be a file.
std::string planToSvg(const ir::PlanPtr &plan, const RuleBook &book, const std::string &title,
                      bool alone);

} // namespace tangram::composer
