// Plans of one spectrum are compared on the same inputs: generate them, and
// compute the truth, once.
#pragma once

#include "runtime/data/reference.h"

namespace tangram::runtime {

/// Keeps the last problem and its reference. A large problem fills the memory, so there is never
/// more than one.
class ProblemCache {
public:
  ProblemCache(const GivenInputs &given, std::uint64_t seed, Compiler &compiler, double timeLimit)
      : given(given), seed(seed), compiler(compiler), timeLimit(timeLimit) {}

  /// The problem of this signature at these sizes, measured; valid until the next call.
  Result<const Problem *> problem(const Signature &signature, const SizeChoice &sizes);

  /// Fill the problem asked for last, if it is not filled yet.
  Status fill() { return fillProblem(*current); }

  /// The truth for the problem asked for last.
  Result<const ReferenceValues *>
  reference(const Manifest &manifest, const std::map<std::string, std::uint64_t> &definitions);

private:
  const GivenInputs &given;
  std::uint64_t seed;
  Compiler &compiler;
  double timeLimit; ///< of the reference, in seconds
  std::string problemKey;
  std::optional<Problem> current;
  std::string referenceKey;
  std::optional<ReferenceValues> truth;
};

} // namespace tangram::runtime
