// Memory as the array form of a program sees it: arrays, which workers of a level own, and windows
// onto them. Where an array lives and in which order its elements lie is decided later.
#pragma once

#include "ir/expr.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tangram::ir {

/// What an element past the ends of a container is.
enum class Boundary {
  Clamp,    ///< the last one there is
  Mirror,   ///< the one as far on the other side of the end
  Wrap,     ///< the one as far from the other end
  Constant, ///< `Edge::beyond`
};

/// One dimension of a window: index i of it is `step * i` along dimension `of` of the array.
struct WindowDimension {
  unsigned of = 0;
  ExprPtr step;
  ExprPtr extent;
  /// An upper bound on `extent` that can be checked before a launch: over sizes and tunables.
  ExprPtr bound;
};

/// A dimension of an array, or what an edge makes of it, that is continued past its ends: subscript
/// x of it is the element number x - before of `extent`, where there is one, and otherwise what the
/// boundary makes of it; number j is `origin + step * j` in what is continued.
struct Edge {
  unsigned of = 0; ///< dimension of the array
  Boundary boundary = Boundary::Clamp;
  ExprPtr before;
  ExprPtr after; ///< how many elements there are behind the last one
  ExprPtr extent;
  ExprPtr bound; ///< on the extent, as in WindowDimension
  ExprPtr origin;
  ExprPtr step;
  ExprPtr beyond; ///< Constant: the value of all elements past the ends
};

/// Part of an array with dimensions of its own, in any order; several may run along one dimension of
/// the array. Element (i, j, ...) is the array's at
///   origin[d] + sum of step * index over the dimensions that run along d,   for each d.
struct Window {
  VarPtr array;
  std::vector<ExprPtr> origin; ///< one for each dimension of the array
  std::vector<WindowDimension> dims;
};

/// How a Copy (ir/stmt.h) goes over its window. A position in the window is a number for each of its dimensions.
struct Copy {
  /// The numbers of a position, in the order of the window's dimensions; neighbours are copied along
  /// the last one.
  std::vector<VarPtr> counters;
  /// One worker copies so many rows at a time, so that the lines of both sides stay in a cache; 0:
  /// row after row.
  std::int64_t rowsAtOnce = 0;

  /// Vectorized access: `lanes` neighbours at a time, for positions whose last number is below
  /// `width`, a multiple of `lanes`, where `condition` holds, which all workers answer alike.
  struct Vectors {
    std::int64_t lanes = 1;
    ExprPtr condition;
    ExprPtr width;
    ExprPtr target;
    ExprPtr value;
  };
  std::optional<Vectors> vectors;
};

/// Memory for the elements of a variable of kind Buffer: each worker of level `owner` has its own.
struct Array {
  int owner = 0; ///< index of the level; 0: everybody's
  std::vector<ExprPtr> extents;
  std::vector<ExprPtr> bounds; ///< of the extents, over sizes and tunables
};

} // namespace tangram::ir
