// Do the windows that a map gives a spectrum fit it? Tiles of a stencil are windows of windows: as many
// of them as there are tiles of results, each of as many elements as the results need. For windows
// of n elements every s they are windows of u elements every v where u - v == n - s (the condition
// that the rule slide n s = join . map (slide n s) . slide u v needs; Hagedorn 2016, rule 3). What the
// spectrum requires of the sizes of its containers says what is needed.
#pragma once

#include "ir/diagnostic.h"
#include "ir/program.h"

#include <vector>

namespace tangram::composer {

/// A warning for each map over windows that, for some small sizes and tunables, has different numbers
/// of parts, or an element whose parts break an equation that its spectrum requires; elements that
/// write nothing aside. `contracts`: as of checkPartitions.
ir::Diagnostics windowWarnings(const ir::Program &program, const ir::Codelet &codelet,
                               const std::vector<ir::ExprPtr> &contracts);

} // namespace tangram::composer
