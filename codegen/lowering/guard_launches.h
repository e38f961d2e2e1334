// A host that can only launch kernels does not choose between them: all are launched, and each finds
// out for itself whether there is something to do.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <vector>

namespace tangram::codegen {

/// before: if (c) { index t = n / k; parallel group g < p { ... } }
/// after:  index t = c ? n / k : 0; parallel group g < p { if (c) { ... } }
///
/// `condition` is the same whenever a kernel asks; `otherwise` may be null. Of `plan` the roles of
/// levels and the tunables are known.
std::vector<ir::StmtPtr> guardLaunches(const ir::ExprPtr &condition, const ir::StmtPtr &then,
                                       const ir::StmtPtr &otherwise, const LoweredPlan &plan);

} // namespace tangram::codegen
