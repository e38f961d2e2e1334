// The runs that verification asks for (runtime/data/judge.h), by the backends that run bundles: a plan and its
// reference, both in wider numbers too, with the inputs of a problem as they are and moved.
#pragma once

#include "runtime/session/backend.h"
#include "runtime/session/problem_cache.h"

namespace tangram::runtime {

/// A plan with its tunables, ready to run on the problem that the cache has.
struct JudgedPlan {
  const Manifest &manifest;
  const Manifest &wide; ///< of the plan in wider numbers
  const Problem &problem;
  const TunableValues &tunables;
  Backend &wideBackend;
  SharedValues results; ///< of the plan's run
};

class PlanRuns : public Runs {
public:
  /// `keepsExecutions`: a memory checker must not see buffers released; keptBy() hands them on.
  PlanRuns(const JudgedPlan &plan, ProblemCache &problems, bool keepsExecutions)
      : plan(plan), problems(problems), keepsExecutions(keepsExecutions) {}

  Result<SharedValues> of(Way way, const Move &move) override;

  /// An execution and the problem it refers to.
  struct Kept {
    std::unique_ptr<Problem> problem;
    std::unique_ptr<Execution> execution;
  };
  std::vector<Kept> kept;

private:
  using WideProblem = Problem (*)(const Problem &, const Manifest &wide, const Move &);

  Result<SharedValues> wideReference(const std::map<std::string, std::uint64_t> &definitions,
                                     const Move &move, WideProblem problemFor);
  const Manifest &sampled();
  Result<SharedValues> widePlan(const Manifest &wide, const Move &move, WideProblem problemFor);
  Result<SharedValues> run(const Manifest &manifest, Backend &backend, Problem problem,
                           const TunableValues &tunables);
  Result<SharedValues> resultsOf(Execution &execution) const;
  Result<TunableValues> wideTunables() const;

  JudgedPlan plan;
  ProblemCache &problems;
  bool keepsExecutions;
  std::optional<Manifest> sampledPlan; ///< with results of operations rounded
};

} // namespace tangram::runtime
