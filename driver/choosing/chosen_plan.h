// The plan that a user names on the command line.
#pragma once

#include "composer/plans/planner.h"

#include <string>
#include <variant>

namespace tangram::driver {

/// Where a plan is looked for by its id.
enum class Among {
  Listed, ///< what the planner's strategy lists
  All,    ///< whatever can be found (composer::Planner::findAnywhere)
};

/// "17ebc08c".
bool isPlanId(const std::string &text);

/// A sketch that the library has, by its name.
struct NamedSketch {
  std::string name;
  std::string sketch;
  std::string about; ///< when it is good
};

/// Those beside a source: `gemv.sketches` for `gemv.cpp`. Each is a line "NAME: SKETCH" below a comment, lines
/// that begin with '#'. Error: of a line that is neither.
std::variant<std::vector<NamedSketch>, ir::Diagnostics> sketchesOf(const std::string &source);

/// The same, read (composer::PlanOptions::known). Or what is wrong with one of them.
std::variant<std::vector<composer::Sketch>, ir::Diagnostics>
knownSketches(const std::string &source);

/// Whether `plan` is a sketch or the name of one: neither an id, nor a file, nor "best" or "all".
bool isSketch(const std::string &plan);

/// `plan`: an id, a file that `plans --save` wrote, a sketch (composer/plans/sketch.h) or the name of one of the
/// source's. Errors: of looking for it, reading it and completing it.
std::variant<composer::RankedPlan, ir::Diagnostics>
chosenPlan(const composer::Planner &planner, const std::string &plan, Among among = Among::Listed);

} // namespace tangram::driver
