// A plan in sentences: what is done where, what is handed down, what is waited for.
#pragma once

#include "composer/plans/plan_rules.h"

namespace tangram::composer {

/// What one step of a plan does; steps that do nothing have none.
struct StoryLine {
  std::size_t step = 0; ///< its place in the notation
  unsigned depth = 0;   ///< one more inside what a level hands down
  std::string text;     ///< a sentence
};

/// The story of a complete plan, in the order of its steps.
std::vector<StoryLine> planStory(const ir::PlanPtr &plan, const RuleBook &book);

} // namespace tangram::composer
