#include "codegen/pipeline/pipeline.h"

#include "codegen/lowering/lower.h"
#include "codegen/pipeline/pass_table.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

std::vector<std::string> optionalPasses() {
  std::vector<std::string> names{resultsInPlaceStep};
  for (const Pass &pass : passTable()) {
    if (pass.optional && std::ranges::find(names, pass.name) == names.end())
      names.emplace_back(pass.name);
  }
  return names;
}

LoweredPlan optimize(LoweredPlan plan, const std::set<std::string> &without,
                     const PassObserver &observer) {
  if (observer)
    observer("lowering", plan, passTable().front().before);
  for (const Pass &pass : passTable()) {
    if (!isFor(pass, plan) || (pass.optional && without.contains(pass.name)))
      continue;
    plan = pass.run(std::move(plan));
    if (observer)
      observer(pass.name, plan, pass.after);
  }
  return plan;
}

LoweredPlan optimizeForPrediction(LoweredPlan plan, const std::set<std::string> &without) {
  for (const Pass &pass : passTable()) {
    const auto run = pass.unpredicted ? pass.predicted : pass.run;
    if (run && isFor(pass, plan) && !(pass.optional && without.contains(pass.name)))
      plan = run(std::move(plan));
  }
  return plan;
}

} // namespace tangram::codegen
