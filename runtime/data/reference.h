// The truth: the bundle's reference.c, compiled without re-association or
// contraction and run on the host. Floating-point outputs are computed in wider cells
// (float -> double, double -> long double).
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/data/inputs.h"
#include "runtime/openmp/compiler.h"
#include "runtime/session/worker.h"

#include <map>
#include <vector>

namespace tangram::runtime {

/// One output: a container that is written, or the scalar result (always last).
struct Output {
  std::string name; ///< the parameter's, or "result"
  ir::Scalar element = ir::Scalar::I32;
  std::vector<std::uint64_t> shape; ///< empty for the scalar result
  std::uint64_t count = 1;
};

/// Outputs of a problem in the order of the signature.
Result<std::vector<Output>> outputsOf(const Problem &problem);

/// What was computed of a problem: one memory an output.
using Values = std::vector<HostMemory>;

/// Bytes of one cell of the reference: wider for floating point.
std::size_t referenceCellBytes(ir::Scalar element);

/// What the reference computed. Parallel to the outputs.
struct ReferenceValues {
  std::vector<HostMemory> values;
  /// Sums of magnitudes for the error bound; empty when rounding does not matter.
  std::vector<HostMemory> magnitudes;
  /// On the longest path to any of the outputs of a type, in roundings of this type; counted where the
  /// manifest's depth asks for it.
  std::map<ir::Scalar, std::uint64_t> roundings;
};

/// The name of that number in the depth's expression.
inline const std::string referenceRoundings = "reference_roundings";

/// Whether the roundings are counted: the bound of errors goes by them.
bool asksForRoundings(const Manifest &manifest);

/// Runs in a Worker, `timeLimit` seconds for each of its functions.
/// Errors: Fault::Failed when it does not compile, crashes, takes too long or returns a status that
/// is not known, Fault::Refused when it refuses (1) or runs out of memory (2).
Result<ReferenceValues> computeReference(const Manifest &manifest, const Problem &problem,
                                         const std::map<std::string, std::uint64_t> &definitions,
                                         Compiler &compiler, double timeLimit);

} // namespace tangram::runtime
