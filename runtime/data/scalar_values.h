// Scalars that nobody gives, of each kind of data.
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/data/data_kind.h"
#include "runtime/data/host_array.h"

namespace tangram::runtime {

/// Writes a value of `parameter`, a scalar, to `array`. Ordinary ones are in [low, high), floating point in [-1, 1).
/// A scalar that may be any value (Parameter::anyValue) is, in other kinds, 0, 1, -1, one of its extremes, or
/// random, in turn over the seeds; one that decides how much is done, an end of its ordinary range or within it.
/// `constants`: the numbers of DataKind::Constants.
void generateScalar(HostArray &array, const Parameter &parameter, DataKind kind, std::uint64_t seed,
                    std::uint64_t stream, const NamedNumbers &constants = {});

} // namespace tangram::runtime
