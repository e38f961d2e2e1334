// Plans of one spectrum are compared on the same inputs: generate them, and
// compute the truth, once.
#pragma once

#include "runtime/data/reference.h"
#include "runtime/session/result_cache.h"

#include <functional>

namespace tangram::runtime {

/// A problem that is made of another one: its inputs moved, or in wider numbers.
using Derived = std::function<Problem(const Problem &)>;

/// Keeps the last problem and results of it. A large problem fills the memory, so there is never more than one.
class ProblemCache {
public:
  ProblemCache(const GivenInputs &given, std::uint64_t seed, const ReferenceHost &host)
      : given(given), seed(seed), host(host) {}

  /// The problem of this signature at these sizes, measured; valid until the next call.
  Result<const Problem *> problem(const Signature &signature, const SizeChoice &sizes);

  /// Fill the problem asked for last, if it is not filled yet.
  Status fill() { return fillProblem(*current); }

  /// The results of a bundle's reference for the problem asked for last.
  Result<SharedValues> reference(const Manifest &manifest,
                                 const std::map<std::string, std::uint64_t> &definitions) {
    return reference(manifest, definitions, "", nullptr);
  }
  /// The same for a problem derived from that one; `name` tells derived problems apart.
  Result<SharedValues> reference(const Manifest &manifest,
                                 const std::map<std::string, std::uint64_t> &definitions,
                                 const std::string &name, const Derived &derived);

  /// Other results of the problem asked for last.
  ResultCache &results() { return known; }

private:
  const GivenInputs &given;
  std::uint64_t seed;
  ReferenceHost host;
  std::string problemKey;
  std::optional<Problem> current;
  ResultCache known;
};

} // namespace tangram::runtime
