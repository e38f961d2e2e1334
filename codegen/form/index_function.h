// Containers as windows onto arrays.
//
// A window has, for each dimension of its array, where it begins, and for each dimension of its own an
// extent, a step and the dimension of the array that it runs along (ir/array.h). Partitioning, fixing an
// index, exchanging dimensions and passing a part on to a codelet are operations on these; nothing is
// copied and no array of pointers is made. In memory, where an array has a stride for each dimension, a
// window is an LMAD (linear memory access descriptor; Munksgaard 2023,
// ../shared/notes/index-functions-and-dispatch.md 1.1): an offset and one (extent, stride) pair a
// dimension, in elements:
//   L(y1..yq) = offset + sum y_i * stride_i
#pragma once

#include "ir/array.h"

#include <vector>

namespace tangram::codegen {

using Dimension = ir::WindowDimension;

/// A container: a window onto the array `buffer`.
struct View {
  ir::VarPtr buffer;
  std::vector<ir::ExprPtr> origin;  ///< by dimension of the array
  std::vector<Dimension> dims;      ///< bounds mention no worker index
  std::vector<ir::ExprPtr> strides; ///< of the array's dimensions in memory, in elements
  /// What a subscript goes through on its way to the array, from the last one to the first: those of
  /// padded containers. `origin` and steps are of subscripts that have gone through none.
  std::vector<ir::Edge> edges;
  /// Stands for `buffer` behind these edges where they are gone through later (PaddedArray); or null.
  ir::VarPtr padded = nullptr;
};

/// A window in memory.
struct LinearView {
  ir::ExprPtr offset;
  std::vector<ir::ExprPtr> strides; ///< by dimension of the window
};
LinearView linear(const View &view);

/// How far neighbours along each dimension of an array are apart that lies row-major, the last dimension contiguous.
std::vector<ir::ExprPtr> rowMajor(const std::vector<ir::ExprPtr> &extents);

/// View of a whole array, whose elements lie row-major in memory.
View wholeBuffer(const ir::VarPtr &buffer, const std::vector<ir::ExprPtr> &extents);

/// The one element of `cell`, as a view without dimensions.
View cellView(const ir::VarPtr &cell);

/// One element of an array, as a view without dimensions.
View elementView(const View &view, const std::vector<ir::ExprPtr> &indexes);

/// Position in memory of the element at `indexes` (one a dimension).
ir::ExprPtr positionOf(const View &view, const std::vector<ir::ExprPtr> &indexes);

/// The element itself, as an Index of the array with a subscript for each of its dimensions. Of a
/// padded container its value: an Index, or a choice where an element is not of the array.
ir::ExprPtr elementOf(const View &view, const std::vector<ir::ExprPtr> &indexes);

/// Position in memory of an array's element: sum of subscript times stride.
ir::ExprPtr flattened(const std::vector<ir::ExprPtr> &subscripts,
                      const std::vector<ir::ExprPtr> &strides);

/// start, start + inc, ... as `partition` uses it.
struct Sequence {
  ir::ExprPtr start; ///< of element 0; null when read from a container
  ir::ExprPtr inc;   ///< difference between elements
  View container;    ///< data-dependent: element i is container[start + i * inc]
  bool dataDependent = false;

  ir::ExprPtr at(const ir::ExprPtr &i) const;
};

/// One dimension of a container cut into `count` parts (see partition in the language).
struct Cut {
  ir::ExprPtr count;
  Sequence start;
  Sequence inc;
  Sequence end;
  unsigned dim = 0;
  /// Where `start` and `end` are read from a container: its elements do not decrease.
  bool ascending = false;
  bool full = false; ///< all parts end in the container: windows of slide
};

/// The result of partition, rows, cols or tiles: parts of `base`, numbered row-major
/// over the cuts.
struct Parts {
  View base;
  std::vector<Cut> cuts;

  ir::ExprPtr count() const;
};

/// Values part `i` of a cut needs, as expressions over `i`.
struct PartBounds {
  ir::ExprPtr first; ///< index in the base of the part's first element
  ir::ExprPtr inc;
  ir::ExprPtr end; ///< one past the last index it may hold, at most the base's extent
};
/// `size`: extent of the dimension that is cut.
PartBounds boundsOf(const Cut &cut, const ir::ExprPtr &size, const ir::ExprPtr &i);

/// Number of elements of a part: ceil((end - first) / inc), 0 when end <= first.
ir::ExprPtr extentOf(const PartBounds &bounds);

/// An upper bound on the extent of every part along the cut, free of the part's number;
/// `bound`: that of the dimension that is cut.
ir::ExprPtr extentBoundOf(const Cut &cut, const ir::ExprPtr &bound);

/// `view` with the dimension of `cut` restricted to a part of these bounds and extent.
View partView(const View &view, const Cut &cut, const PartBounds &bounds,
              const ir::ExprPtr &extent);

/// Element `i` of the outermost dimension, as a view of the others.
View fixOutermost(const View &view, const ir::ExprPtr &i);

/// The two dimensions of `view` exchanged.
View transposed(View view);

/// `view` with dimension `dim` continued by `before` elements at its begin and `after` at its end,
/// and no other dimension that runs along the same one of the array.
View padded(const View &view, unsigned dim, ir::Boundary boundary, const ir::ExprPtr &before,
            const ir::ExprPtr &after, const ir::ExprPtr &beyond);

/// All elements of the array that elements of `view` may be: itself, if it has no edges.
View reachOf(View view);

} // namespace tangram::codegen
