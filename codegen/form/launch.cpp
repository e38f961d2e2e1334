#include "codegen/form/launch.h"

namespace tangram::codegen {

using namespace ir;

bool isRowOfItems(const LoweredPlan &plan, const Stmt &s) {
  const Role role = plan.role(s.level);
  return role == Role::Warp ||
         (role == Role::Item &&
          plan.machine->levels[static_cast<std::size_t>(s.level)].dimension > 0);
}

} // namespace tangram::codegen
