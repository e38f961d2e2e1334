#include "codegen/kernel_ir.h"

#include <algorithm>

namespace tangram::codegen {

const Buffer *LoweredPlan::bufferOf(const ir::VarPtr &var) const {
  auto found =
      std::find_if(buffers.begin(), buffers.end(), [&](const Buffer &b) { return b.var == var; });
  return found == buffers.end() ? nullptr : &*found;
}

const Tunable *LoweredPlan::tunableOf(const ir::VarPtr &var) const {
  auto found = std::find_if(tunables.begin(), tunables.end(),
                            [&](const Tunable &t) { return t.var == var; });
  return found == tunables.end() ? nullptr : &*found;
}

bool isTunable(const LoweredPlan &plan, const ir::ExprPtr &e) {
  return e && e->kind == ir::ExprKind::Var && plan.tunableOf(e->var) != nullptr;
}

} // namespace tangram::codegen
