// Numbers that callers choose, kept within what a call can be made with: numbers of workers, and sizes of
// workspaces that are products of these.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <string>
#include <vector>

namespace tangram::codegen {

/// C that goes before anything looks at numbers of workers.
struct LimitedWorkers {
  std::string functions;
  std::string statements; ///< return 1 for a number outside the domain of its tunable
};

/// `launched`: the names of the plan's launch tunables, in order; `elements`: C of what none need exceed, where
/// a number of groups above 65,536 ends.
LimitedWorkers limitedWorkers(const LoweredPlan &plan, const std::vector<std::string> &launched,
                              const std::string &elements);

/// The same number as a double, or one that is not less; null: it is made of what has no such.
ir::ExprPtr inReals(const ir::ExprPtr &count);

} // namespace tangram::codegen
