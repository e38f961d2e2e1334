// Atomic operations as the targets spell them: a call where there is one, else a
// function of our own around compare-and-exchange.
#pragma once

#include "codegen/kernel_ir.h"

#include <set>
#include <string>

namespace tangram::codegen {

/// One operation on one type of element in one memory.
struct AtomicUse {
  std::string op; ///< as Expr::op
  ir::Scalar type = ir::Scalar::I32;
  Space space = Space::Global;
  auto operator<=>(const AtomicUse &) const = default;
};

/// Every atomic operation below `body`.
std::set<AtomicUse> atomicUses(const LoweredPlan &plan, const ir::StmtPtr &body);

/// Name of what is called with a pointer to the element and the operands.
std::string openclAtomicName(const AtomicUse &use);
std::string cAtomicName(const AtomicUse &use);

/// Definitions, and extensions to enable, for these uses; empty when the target has them all.
std::string openclAtomics(const std::set<AtomicUse> &uses);
std::string cAtomics(const std::set<AtomicUse> &uses);

/// `body` for one thread: each atomic operation as the assignments it amounts to.
ir::StmtPtr withoutAtomics(const ir::StmtPtr &body);

} // namespace tangram::codegen
