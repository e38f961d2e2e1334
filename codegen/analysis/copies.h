// Copy statements (ir/stmt.h): who copies, and the code that they are in the end.
//
//   copy level 1 tile[row][column] = a[first...][0...], rows (<= T) x U;
//
// Items that are threads take the elements in turns, as many as the window can have: 0 is in the
// place of those past its ends, unless its array is continued there.
//
//   parallel element < T * U { row = element / U;  column = element % U;
//                              tile[row][column] = row < rows ? a[first + row][column] : 0; }
//
// Where items are loops, their thread copies the elements that there are.
//
//   for (row < rows) for (column < U) tile[row][column] = a[first + row][column];
#pragma once

#include "codegen/form/kernel_ir.h"

#include <functional>
#include <vector>

namespace tangram::codegen {

/// The levels of the items of a group, those of warps and rows of items above them first; empty if the plan distributes
/// nothing to one of them.
std::vector<int> itemsOfGroup(const LoweredPlan &plan, int group);

/// The element of a copy that has this position in the window.
using ElementOfCopy = std::function<ir::ExprPtr(const std::vector<ir::ExprPtr> &position)>;

/// A Copy of `window` by the items of a group of level `group`.
ir::StmtPtr copiedBy(int group, const ir::Window &window, const ElementOfCopy &at,
                     std::int64_t rowsAtOnce = 0);

/// Where a copy is in its window, by its counters.
std::vector<ir::ExprPtr> positionIn(const ir::Copy &copy);

/// Whether the array has an element at each position that the window can have.
bool hasAllElements(const LoweredPlan &plan, const ir::Window &window);

/// The loops and workers that a Copy is.
ir::StmtPtr expandedCopy(const LoweredPlan &plan, const ir::Stmt &copy);

/// `s` with all copies expanded, or those of windows that are `meant`.
ir::StmtPtr withoutCopies(const LoweredPlan &plan, const ir::StmtPtr &s,
                          const std::function<bool(const ir::Window &)> &meant = nullptr);

} // namespace tangram::codegen
