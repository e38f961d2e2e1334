// Atomic operations of a plan: which there are, and code that does without them.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <functional>
#include <set>
#include <string>

namespace tangram::codegen {

/// One operation on one type of element in one memory.
struct AtomicUse {
  ir::Operator op; ///< as Expr::op
  ir::Scalar type = ir::Scalar::I32;
  Space space = Space::Global;
  bool looks = false;        ///< changes nothing: adds 0
  bool countsGroups = false; ///< see Buffer::countsGroups
  auto operator<=>(const AtomicUse &) const = default;
};

/// Of an Atomic of the memory; a null buffer is a container of a codelet.
AtomicUse atomicUse(const ir::Expr &atomic, const Buffer *buffer);

/// Whether it waits for a flag or sets one.
bool isFlag(const AtomicUse &use);
/// Whether it reads or writes what one group hands to another.
bool isCarry(const AtomicUse &use);

/// Every atomic operation below `body`.
std::set<AtomicUse> atomicUses(const LoweredPlan &plan, const ir::StmtPtr &body);

/// Arrays that nothing but atomic stores writes: what groups leave for the last one.
std::set<const ir::Var *> atomicallyStored(const LoweredPlan &plan);

/// The atomic operation whose value, perhaps converted, `e` is; null when it is none.
ir::ExprPtr atomicIn(const ir::ExprPtr &e);

/// `body` with the atomic operations that `which` selects as the assignments they amount to for
/// one thread; by default all of them.
ir::StmtPtr withoutAtomics(const ir::StmtPtr &body,
                           const std::function<bool(const ir::Expr &)> &which = nullptr);

} // namespace tangram::codegen
