// Containers as (buffer, index function).
//
// An index function is an LMAD (linear memory access descriptor; Munksgaard 2023,
// ../shared/notes/index-functions-and-dispatch.md 1.1): an offset and one
// (extent, stride) pair a dimension, in elements:
//   L(y1..yq) = offset + sum y_i * stride_i
// Partitioning, fixing an index and passing a part on to a codelet compose into
// one affine expression; nothing is copied and no array of pointers is made.
#pragma once

#include "ir/expr.h"

#include <vector>

namespace tangram::codegen {

struct Dimension {
  ir::ExprPtr extent;
  ir::ExprPtr stride;
  /// An upper bound on `extent` that mentions no worker index, so that it can be
  /// checked before launch. Equal to `extent` when that mentions none.
  ir::ExprPtr bound;
};

/// A container: elements of `buffer` at offset + sum of index times stride.
struct View {
  ir::VarPtr buffer;
  ir::ExprPtr offset;
  std::vector<Dimension> dims;
};

/// Row-major view of a whole buffer.
View wholeBuffer(const ir::VarPtr &buffer, const std::vector<ir::ExprPtr> &extents);

/// Position in the buffer of the element at `indexes` (one a dimension).
ir::ExprPtr positionOf(const View &view, const std::vector<ir::ExprPtr> &indexes);

/// The element itself, as an Index expression.
ir::ExprPtr elementOf(const View &view, const std::vector<ir::ExprPtr> &indexes);

/// start, start + inc, ... as `partition` uses it.
struct Sequence {
  ir::ExprPtr start; ///< of element 0; null when read from a container
  ir::ExprPtr inc;   ///< difference between elements
  View container;    ///< data-dependent: element i is container[start + i * inc]
  bool dataDependent = false;

  ir::ExprPtr at(const ir::ExprPtr &i) const;
};

/// The result of partition(c, n, start, inc, end), one-dimensional.
struct Parts {
  View base;
  ir::ExprPtr count;
  Sequence start;
  Sequence inc;
  Sequence end;
};

/// Values part `i` needs, as expressions over `i`.
struct PartBounds {
  ir::ExprPtr first; ///< index in the base of the part's first element
  ir::ExprPtr inc;
  ir::ExprPtr end; ///< one past the last index it may hold, at most the base's extent
};
PartBounds boundsOf(const Parts &parts, const ir::ExprPtr &i);

/// Number of elements of a part: ceil((end - first) / inc), 0 when end <= first.
ir::ExprPtr extentOf(const PartBounds &bounds);

/// An upper bound on the extent of every part, free of the part's number.
ir::ExprPtr extentBoundOf(const Parts &parts);

/// Part with the given bounds and extent as a view of the base's buffer.
View partView(const Parts &parts, const PartBounds &bounds, const ir::ExprPtr &extent);

} // namespace tangram::codegen
