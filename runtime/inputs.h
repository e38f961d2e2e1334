// What a bundle is run on: extents, and values for every input, from .npy
// files or generated. The same signature, sizes and seed always give the same
// values, on every machine.
#pragma once

#include "runtime/host_array.h"
#include "runtime/manifest.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// One choice of sizes. A name is a container's (a list: all its extents) or an extent's.
struct SizeChoice {
  std::optional<std::uint64_t> all; ///< for every extent nothing else fixes
  std::map<std::string, std::vector<std::uint64_t>> named;
};

/// Without any --size: extents of 1-D containers, and of others.
inline constexpr std::uint64_t defaultSize = 1000003;
inline constexpr std::uint64_t defaultSizeOfMany = 1000;

/// Inputs given by the user; read once, whatever number of bundles use them.
struct GivenInputs {
  struct Value {
    std::string text;               ///< as given: a file name, or a number for a scalar parameter
    std::optional<HostArray> array; ///< the file's content, when it is a file
  };
  std::map<std::string, Value> values;
};

/// `name=text` pairs; what ends in .npy is read, anything else is a number for a scalar.
Result<GivenInputs> readInputs(const std::map<std::string, std::string> &texts);

/// The values of one run. Parallel to Signature::parameters.
struct Problem {
  Signature signature;
  std::map<std::string, std::uint64_t> extents;
  /// Inputs and scalars hold values; a container only written to has its shape and no memory.
  std::vector<HostArray> arguments;

  /// Extents and integer scalars as names of expressions.
  Bindings bindings() const;
  std::vector<std::uint64_t> shapeOf(const Parameter &parameter) const;
};

/// Errors: Fault::Input for a file of the wrong element type
/// ("in: expected int32, file values.npy holds float64"), rank or extent, Fault::Usage for
/// a name the signature has not, Fault::Refused when it does not fit in memory.
Result<Problem> makeProblem(const Signature &signature, const GivenInputs &given,
                            const SizeChoice &sizes, std::uint64_t seed);

/// Fill `array` from stream `stream` of `seed` (SplitMix64, Steele et al. 2014, used
/// as a counter): signed integers uniform in [-1000, 1000], unsigned in [0, 1000],
/// 8-bit ones over their whole range, bool 0 or 1, floating point in [-1, 1).
void generate(HostArray &array, std::uint64_t seed, std::uint64_t stream);

} // namespace tangram::runtime
