// The copy of a window into an array of its group: all items of the group take its elements in
// turns.
//
//   parallel element < T * U { row = element / U;  column = element % U;
//                              tile[row][column] = row < rows ? a[first + row][column] : 0; }
#pragma once

#include "codegen/form/kernel_ir.h"

#include <functional>
#include <vector>

namespace tangram::codegen {

/// The levels of the items of a group, those of warps and rows of items above them first; none
/// where one of them is not distributed to.
std::vector<int> itemsOfGroup(const LoweredPlan &plan, int group);

struct WindowCopy {
  const ir::Window &window;
  /// Its dimensions in the order in which elements are counted, that of neighbours last.
  std::vector<std::size_t> order;
  std::vector<int> items; ///< as itemsOfGroup gives them
  /// The element of the copy that has this position in the window.
  std::function<ir::ExprPtr(const std::vector<ir::ExprPtr> &)> at;
};

/// Copies as many elements as the window can have: 0 is in the place of those past its ends, unless
/// its array is continued there.
ir::StmtPtr copiedByItems(const LoweredPlan &plan, const WindowCopy &copy);

} // namespace tangram::codegen
