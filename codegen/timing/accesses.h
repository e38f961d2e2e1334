// What expressions of a kernel take: operations, accesses to memory with the way of their addresses along the loops around,
// and atomic operations.
#pragma once

#include "codegen/timing/worker_costs.h"

namespace tangram::codegen {

class AccessCosts {
public:
  /// Both outlive this.
  AccessCosts(WalkState &state, WorkerCosts &worker) : state_(state), worker_(worker) {}

  /// Counts what it takes to find the value of `e`.
  void expression(const ir::ExprPtr &e);
  /// Counts an access to an element. Returns how many loads one after the other it takes.
  unsigned access(const ir::Expr &element, bool writes);
  /// Ends a launch: waits of groups for what the one before them hands over.
  void endLaunch();

private:
  unsigned subscript(const ir::ExprPtr &e);
  void atomic(const ir::Expr &e);
  void update(const ir::Expr &atomic);
  double rowsThatShare(const ir::ExprPtr &e) const;
  Samples whereActive(Samples position) const;
  double readAgain(const Buffer &buffer, const Samples &position, std::vector<Walk> &walks) const;
  AccessSource sourceOf(const ir::Expr &e, const Buffer &buffer, const Samples &position) const;

  WalkState &state_;
  WorkerCosts &worker_;
  bool handedOver_ = false; ///< a group waits for what the one before it publishes
  double inOrder_ = 0;      ///< cycles from where a group awaits until it publishes
};

} // namespace tangram::codegen
