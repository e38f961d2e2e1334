#include "ir/conjuncts.h"

namespace tangram::ir {

std::vector<ExprPtr> conjunctsOf(const ExprPtr &condition) {
  if (!isBinary(*condition, "&&"))
    return {condition};
  std::vector<ExprPtr> all = conjunctsOf(condition->args[0]);
  for (const ExprPtr &each : conjunctsOf(condition->args[1]))
    all.push_back(each);
  return all;
}

} // namespace tangram::ir
