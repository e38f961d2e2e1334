// Window statements (ir/array.h), for the passes that move what codelets work on: which accesses go
// through a window, and where in it.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

/// What a sum of several is made of, without zeros.
std::vector<ir::ExprPtr> summandsOf(const ir::ExprPtr &e);

/// a - b where b's summands are among those of a; null otherwise.
ir::ExprPtr difference(const ir::ExprPtr &a, const ir::ExprPtr &b);

/// Where in `window`, by its dimensions, the element is that subscripts of its array name; nothing
/// where that cannot be told, or steps are not 1.
std::optional<std::vector<ir::ExprPtr>> positionIn(const ir::Window &window,
                                                   const std::vector<ir::ExprPtr> &subscripts);
/// The same for a window with steps, such as every second element of an array. Two dimensions of the window may run along one
/// dimension of the array with different steps: a matrix that is stored in one dimension, row by row.
std::optional<std::vector<ir::ExprPtr>> positionInSteps(const ir::Window &window,
                                                        const std::vector<ir::ExprPtr> &subscripts);

/// The extent of one dimension of a parameter; null if `array` is no parameter.
ir::ExprPtr extentAlong(const LoweredPlan &plan, const ir::VarPtr &array, std::size_t dimension);

/// Whether windows are as large, and known to be at most as large.
bool areAsLarge(const ir::Window &a, const ir::Window &b);

/// Arrays that groups share: of the caller or the host, in memory that all of them read.
class SharedArrays {
public:
  explicit SharedArrays(const LoweredPlan &plan);
  bool contains(const ir::VarPtr &array) const;

private:
  const LoweredPlan &plan_;
  std::set<const ir::Var *> ofHost_; ///< besides buffers
};

/// What `s` does with the elements of an array.
struct ArrayUse {
  bool reads = false;
  bool writes = false;
  bool atomic = false;
};
ArrayUse useOf(const ir::StmtPtr &s, const ir::Var *array);

/// Every access of `s` to `array`, with the loops and workers around it, outermost first.
struct WindowAccess {
  const ir::Expr *element;
  std::vector<const ir::Stmt *> around; ///< For and Parallel statements
};
std::vector<WindowAccess> accessesTo(const ir::StmtPtr &s, const ir::Var *array);

/// The variable that a For counts from 0 up by one, below the other side of its condition, or null.
ir::VarPtr counterOf(const ir::Stmt &loop);

/// `s` without Window statements, or those that are `meant`: their bodies stand in their places.
ir::StmtPtr withoutWindows(const ir::StmtPtr &s,
                           const std::function<bool(const ir::Window &)> &meant = nullptr);

/// The product of compile-time bounds of a window's extents.
ir::ExprPtr mostElements(const ir::Window &window);

/// Bytes of a copy of a window where tunables have their least values; a bound that is no number then counts as 1.
std::uint64_t leastBytes(const LoweredPlan &plan, const ir::Window &window);

} // namespace tangram::codegen
