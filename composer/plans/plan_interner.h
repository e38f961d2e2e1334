// Hash consing of plans: equal subplans are one object, so that plans share
// most of their nodes and comparing two is comparing pointers.
#pragma once

#include "ir/plan.h"

#include <cstddef>

namespace tangram::composer {

/// Makes plan nodes. A node dies with the last plan that holds it, which may be after the
/// interner. Not for use by several threads at once, nor may its plans be dropped by several.
class PlanInterner {
public:
  PlanInterner();
  /// The node equal to `node`; its children must come from this interner.
  ir::PlanPtr intern(ir::PlanNode node) const;
  /// Number of distinct nodes alive.
  std::size_t size() const;

private:
  struct Table;
  std::shared_ptr<Table> table;
};

} // namespace tangram::composer
