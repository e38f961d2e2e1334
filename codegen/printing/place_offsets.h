// Subscripts of a group's arrays in two parts: a place, and what is a number when loops are unrolled.
#pragma once

#include "algebra/wrapping.h"
#include "codegen/form/kernel_ir.h"

#include <optional>
#include <set>

namespace tangram::codegen {

/// in_tile[(i + k) * 80 + j] of an unrolled loop over k is (in_tile + (i * 80 + j))[k * 80]. Sums of 32 bits without a sign
/// may wrap around, so compilers compute each of them; in a sum of two addresses the second one is part of a load.
class PlaceOffsets {
public:
  /// Of a kernel's `body`.
  PlaceOffsets(const LoweredPlan &plan, const ir::StmtPtr &body);

  struct Parts {
    ir::ExprPtr place;
    ir::ExprPtr offset;
  };
  /// Nothing: it is not an element of a group's array, has no such parts, or one that may have wrapped around.
  std::optional<Parts> of(const ir::Expr &element) const;

private:
  Parts split(const ir::ExprPtr &e) const;
  bool isOffset(const ir::ExprPtr &e) const;
  bool mayHaveWrapped(const ir::ExprPtr &e) const;

  const LoweredPlan &plan_;
  std::set<const ir::Var *> counters_; ///< of loops that are unrolled
  algebra::WrappingVariables wrapping_;
};

} // namespace tangram::codegen
