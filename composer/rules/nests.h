// Nested maps: which programs have them, and the levels that they may share.
#pragma once

#include "composer/machine/machine.h"
#include "composer/rules/rule.h"
#include "ir/program.h"

namespace tangram::composer {

/// Whether some map applies a spectrum that has a codelet which is one map and nothing else
/// (composer/analysis/sites.h, isMapAlone), both in any order: two maps that may share workers.
bool hasNests(const ir::Program &program);

/// The machine with all levels that nested maps of the program may share: two dimensions of each level that
/// has them, and flattened workers (composer/machine/machine.h). Of a program without such maps the machine
/// as it is.
Machine withNests(const Machine &machine, const ir::Program &program);

/// Why the map is no part of maps that are flattened; empty where it may be. A map with a part for each
/// worker has no elements of its own to count.
std::string whyNotFlat(const Term &term, const RuleContext &context);

} // namespace tangram::composer
