// Values for the tunables of a plan: what the user fixed, else the default for
// the device, else, when the defaults break a constraint, what a small search finds.
//
// The search tries launch tunables first, as emitted hosts do (codegen/printing/launch_defaults.h): the
// default, the manifest's "tries", powers of two from the nearest below the default down to 1 and
// then up, the bounds; or, where only some values are allowed, those. Of several the last
// one varies fastest. Where nothing helps, compile tunables change too (a recompilation), as few
// of them as possible, to listed values, bounds and powers of two, near the default first.
#pragma once

#include "runtime/bundle/requirements.h"

namespace tangram::runtime {

using TunableValues = std::map<std::string, std::uint64_t>;

/// Names and domains of what the user fixed. Errors (Fault::Usage):
/// "--set q: expected a tunable (p, NUM_THREADS)", "--set p=0: expected a value in [1, 65535]",
/// "--set NUM_THREADS=7: expected one of 32, 64".
Status checkFixed(const Manifest &manifest, const TunableValues &fixed);

/// The default, moved to the nearest allowed value below it, or the smallest one. `bindings`: for a
/// launch tunable also compile tunables.
Result<std::uint64_t> defaultOf(const Tunable &tunable, const Bindings &bindings);

/// A value for every tunable of `manifest`. `bindings` holds extents, scalars
/// and device facts; `fixed` passed checkFixed.
/// Error (Fault::Refused): a requirement that no free tunable has a say in, or else the first
/// requirement that the defaults violate, and that no other values help.
Result<TunableValues> chooseTunables(const Manifest &manifest, const Bindings &bindings,
                                     const std::vector<Requirement> &requirements,
                                     const TunableValues &fixed);

} // namespace tangram::runtime
