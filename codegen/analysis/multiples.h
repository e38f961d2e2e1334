// Of which numbers a subscript is a multiple, whatever sizes are.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <cstdint>
#include <map>
#include <optional>

namespace tangram::codegen {

/// Whether all values that a tunable may have are multiples of `n`.
bool takesMultiplesOf(const Tunable &tunable, std::int64_t n);

/// Whether literals in `e` show it: `4 * i + 8` is a multiple of 4.
bool isMultipleOf(const ir::Expr &e, std::int64_t n);

/// The same with what a plan says: of which numbers all values of a tunable are multiples, and what variables that never
/// change are declared as.
class Multiples {
public:
  explicit Multiples(const LoweredPlan &plan);

  /// The sizes of containers that have to be multiples of `n` for `e` to be one; nothing where it need not be one even then.
  std::optional<ir::VariableSet> sizesFor(const ir::Expr &e, std::int64_t n) const;

private:
  std::optional<ir::VariableSet> sizesFor(const ir::VarPtr &var, std::int64_t n) const;

  const LoweredPlan &plan_;
  std::map<const ir::Var *, ir::ExprPtr> constants_;
};

} // namespace tangram::codegen
