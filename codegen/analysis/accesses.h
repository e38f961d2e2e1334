// Which memory a piece of a kernel touches, and whether two pieces may be run by
// items at different speeds.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tangram::codegen {

struct Access {
  const ir::Var *buffer = nullptr;
  bool write = false;
  enum class By {
    Own,    ///< each item its own element: indexed by exactly the worker's number
    First,  ///< item 0 alone
    Anyone, ///< any item any element
  };
  By by = By::Anyone;
  /// The atomic operation it is made by, when nobody looks at the value before: others of the
  /// same kind do not disturb it, in any order. Else empty.
  ir::Operator atomic;
  const ir::Expr *site = nullptr;  ///< the Index
  const ir::Stmt *piece = nullptr; ///< of all items, in one row of them, that it is in; or null
};
using Accesses = std::vector<Access>;

/// Accesses to buffers of a statement at group level: a Parallel of items, or code
/// that all items execute.
Accesses accessesOf(const LoweredPlan &plan, const ir::StmtPtr &s);
/// Reads in one expression that all items evaluate.
Accesses readsOf(const ir::ExprPtr &e);

/// The first buffer through which an item running `later` may see, or spoil, what
/// another one does in `earlier`; null when they are independent.
/// `differ`: whether two accesses by different items are surely of different elements.
const ir::Var *
conflict(const Accesses &earlier, const Accesses &later,
         const std::function<bool(const Access &, const Access &)> &differ = nullptr);

/// Arrays that `s` may write, also by atomic operations and in functions that get them.
std::set<const ir::Var *> writtenIn(const ir::StmtPtr &s);

/// Whether some expression below `s` names the variable.
bool mentions(const ir::StmtPtr &s, const ir::Var *variable);
bool mentions(const ir::ExprPtr &e, const ir::Var *variable);

/// A Parallel of all items of a group (not of one, and not of a varying number).
bool isPieceOfAllItems(const LoweredPlan &plan, const ir::Stmt &s);

} // namespace tangram::codegen
