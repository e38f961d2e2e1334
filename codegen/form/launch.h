// Kernels: what a host that only launches does with a plan. Made by the pass splitKernels, and
// printed as it stands by every target whose groups run in kernels.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <set>
#include <string>
#include <variant>
#include <vector>

namespace tangram::codegen {

struct KernelArgument {
  enum class Kind { Buffer, Size, Scalar, Counter };
  Kind kind;
  /// The buffer, the extent, launch tunable or counted round of type Index, the scalar parameter, or
  /// the counted round of another type.
  ir::VarPtr var;
};

/// One launch of a kernel: a Parallel of groups with what it needs of the code around it.
struct Launch {
  ir::StmtPtr groups;                 ///< the Parallel; one of rows of groups has two dimensions
  std::vector<ir::StmtPtr> constants; ///< declarations of the grid level it uses, in order
  std::vector<ir::StmtPtr> sizes;     ///< declarations over compile-time tunables alone, in order
  std::vector<std::string> comments;  ///< steps of the plan that stand before it
  std::vector<ir::VarPtr> counters;   ///< of the rounds around it that the host counts

  // Geometry, over extents, tunables and counters.
  ir::ExprPtr gridX;  ///< groups to start
  ir::ExprPtr gridY;  ///< rows of groups; null: the launch has one dimension
  ir::ExprPtr groupX; ///< items of a group, over compile-time tunables
  ir::ExprPtr groupY; ///< rows of items in a group; null: one

  std::vector<KernelArgument> arguments;
  std::vector<ir::VarPtr> locals; ///< buffers of a group
  std::set<const ir::Var *> written;
  /// The launch tunable that says how many groups were started: the kernel knows it without an
  /// argument. Null: none is used.
  ir::VarPtr count;
  bool globalBetweenItems = false; ///< items of a group see each other's writes to global memory
  bool indexesItems = false;       ///< some code is not the same for all items
  int itemLevel = -1;              ///< deepest level of items; -1: there are none
  int rowLevel = -1;               ///< level of rows of items; -1: none
};

/// Whether the workers of `s`, items or groups, are rows of such.
bool isRowOfItems(const LoweredPlan &plan, const ir::Stmt &s);

} // namespace tangram::codegen
