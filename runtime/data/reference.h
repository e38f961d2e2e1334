// The truth: the bundle's reference.c, compiled without re-association or contraction and run on the host. It
// computes in the codelet's own numbers, or in those of its program in wider numbers.
#pragma once

#include "runtime/bundle/manifest.h"
#include "runtime/data/inputs.h"
#include "runtime/openmp/compiler.h"

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

/// Results of one computation of a problem: one memory block per output.
using Values = std::vector<HostMemory>;

class HostBench;

/// What compiles references, and where they run.
struct ReferenceHost {
  Compiler &compiler;
  HostBench &bench;
  double timeLimit; ///< of one call, in seconds
};

/// Runs in a Worker.
/// Errors: Fault::Failed when it does not compile, crashes, takes too long or returns a status that
/// is not known, Fault::Refused when it refuses (1) or runs out of memory (2).
Result<Values> computeReference(const Manifest &manifest, const Problem &problem,
                                const std::map<std::string, std::uint64_t> &definitions,
                                const ReferenceHost &host);

} // namespace tangram::runtime
