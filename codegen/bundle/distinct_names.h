// Buffers and launch tunables are known by name outside of a plan.
#pragma once

#include "codegen/kernel/kernel_ir.h"

#include <map>
#include <set>

namespace tangram::codegen {

/// Gives each of them a name of its own. Memory of a work-group is known in its kernel only, and
/// counts where `localsToo`.
void distinguishNames(LoweredPlan &plan, bool localsToo);

/// Variables in the place of others wherever the plan's expressions mention these, and where it declares them
/// those of `declared`.
void renameVariables(LoweredPlan &plan, const std::map<const ir::Var *, ir::VarPtr> &renamed,
                     const std::set<const ir::Var *> &declared = {});

} // namespace tangram::codegen
