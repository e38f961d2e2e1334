// Values for the tunables of a plan: what the user fixed, else the default for
// the device, else, when the defaults break a constraint, what a small search finds.
//
// The search changes as few tunables as it can, launch tunables (free) before
// compile tunables (a recompilation), and tries values near the default first.
// Candidates: the listed values; without a list the default, the bounds, the powers of two
// in [min, max], and for launch tunables ceil(extent / value of a compile
// tunable), because most constraints say that tiles fit a group.
#pragma once

#include "runtime/requirements.h"

namespace tangram::runtime {

using TunableValues = std::map<std::string, std::uint64_t>;

/// Names and domains of what the user fixed. Errors (Fault::Usage):
/// "--set q: expected a tunable (p, NUM_THREADS)", "--set p=0: expected a value in [1, 65535]",
/// "--set NUM_THREADS=7: expected one of 32, 64".
Status checkFixed(const Manifest &manifest, const TunableValues &fixed);

/// A value for every tunable of `manifest`. `bindings` holds extents, scalars
/// and device facts; `fixed` passed checkFixed.
/// Error (Fault::Refused): the first requirement the defaults violate, and that
/// no other values were found if some tunable was free.
Result<TunableValues> chooseTunables(const Manifest &manifest, const Bindings &bindings,
                                     const std::vector<Requirement> &requirements,
                                     const TunableValues &fixed);

} // namespace tangram::runtime
