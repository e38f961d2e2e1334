// What a bundle is run on: extents, and values for every input, from files
// or generated. The same signature, sizes and seed always give the same
// values, on every machine.
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/data/generate.h"
#include "runtime/data/given_inputs.h"
#include "runtime/data/host_array.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// One choice of sizes. A name is a container's (a list: all its extents) or an extent's. With it goes what is made
/// up at these sizes.
struct SizeChoice {
  std::optional<std::uint64_t> all; ///< for every extent nothing else fixes
  std::map<std::string, std::vector<std::uint64_t>> named;
  DataKind data = DataKind::Ordinary;
  std::uint64_t seed = 0; ///< added to the seed of the call
  /// For messages: the option that gave the sizes, and its words as they were written, by name.
  std::string option = "--size";
  std::map<std::string, std::string> words = {};
  /// The largest default of an extent; not used where `all` is given.
  std::optional<std::uint64_t> most = {};
};

/// Whether a container takes a shape of so many extents, of which the last ones may be known: the message "--size
/// a=4096,4096: expected 2 extents, found 1; an x joins the extents of a shape: --size a=4096x4096", or empty.
std::string problemOfShape(const SizeChoice &sizes, const std::string &name, std::size_t fewest,
                           std::size_t most);

/// Without any --size: extents of 1-D containers, and of others and what equations tie to them.
inline constexpr std::uint64_t defaultSize = 1000003;
inline constexpr std::uint64_t defaultSizeOfMany = 1000;
/// Where three and more of those are free, the product of them: work grows with it.
inline constexpr double defaultProduct = 1e7;

/// The values of one run. Parallel to Signature::parameters.
struct Problem {
  Signature signature;
  std::map<std::string, std::uint64_t> extents;
  /// Inputs and scalars hold values; a container only written to has its shape and no memory.
  std::vector<HostArray> arguments;

  /// What files give of containers. The array may belong to the GivenInputs.
  struct Given {
    std::string source; ///< the file
    std::shared_ptr<const HostArray> array;
  };
  std::map<std::string, Given> files; ///< by parameter; until it is filled
  bool filled = false;
  DataKind data = DataKind::Ordinary; ///< of values that are made up
  std::uint64_t seed = 1;

  /// Extents and integer scalars as names of expressions.
  Bindings bindings() const;
  std::vector<std::uint64_t> shapeOf(const Parameter &parameter) const;
  /// The number of elements of all containers and scalars.
  std::uint64_t elements() const;
};

/// Sizes are those of files and of `sizes`, what the equations of the signature derive from them,
/// and usual ones; generated elements obey the signature's data contracts, given ones are checked.
/// Errors: Fault::Input for a file of the wrong element type
/// ("in: expected int32, file values.npy holds float64"), rank or extent, for
/// sizes that contradict each other (extents.h) and elements that break a contract
/// (data_contract.h); Fault::Usage for a name the signature has not; Fault::Refused when it does not
/// fit in memory, or no element would obey.
/// `given` must outlive the problem until it is filled.
Result<Problem> makeProblem(const Signature &signature, const GivenInputs &given,
                            const SizeChoice &sizes, std::uint64_t seed);

/// The first half of makeProblem: shapes and scalars. Containers have no memory yet.
Result<Problem> measureProblem(const Signature &signature, const GivenInputs &given,
                               const SizeChoice &sizes, std::uint64_t seed);

/// The second half: the values of containers. Nothing happens to a problem that is filled.
/// Error (Fault::Refused): "the containers of this problem take 64 GiB, this machine has 5.8 GiB of
/// memory", before anything is allocated.
Status fillProblem(Problem &problem);

} // namespace tangram::runtime
