// Padded containers: what a subscript past the ends is (pad in the language).
#pragma once

#include "ir/array.h"

#include <map>
#include <vector>

namespace tangram::codegen {

/// An array in the array form that is another one continued past its ends: element (x, y, ...) is what
/// `edges`, the last one first, make of the subscripts.
struct PaddedArray {
  ir::VarPtr array;
  std::vector<ir::Edge> edges;
};
using PaddedArrays = std::map<ir::VarPtr, PaddedArray>;

/// The value of the element that `subscripts` name behind `edges`, the last one first, of `array`. No
/// number in it is below 0, so that indexes without a sign will do; choices that are never made go
/// when indexes are simplified. What is past the ends of a container without elements is 0, or the
/// constant.
ir::ExprPtr throughEdges(const ir::VarPtr &array, const std::vector<ir::ExprPtr> &subscripts,
                         const std::vector<ir::Edge> &edges);

/// `e` with what it reads of padded arrays read through their edges.
ir::ExprPtr withoutPadding(const ir::ExprPtr &e, const PaddedArrays &padded);

} // namespace tangram::codegen
