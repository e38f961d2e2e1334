// The inputs of a sum that advances all elements of a tile, and windows onto the parts of them that one step of the sum reads. In a
// convolution
//
//   for (c) for (p) for (q) for (o) for (i) for (j)
//     y[o0 + o][i0 + i][j0 + j] += x[c][i0 + i + p][2 * (j0 + j) + q - 1] * w[o0 + o][c][p][q];
//
// that goes through c in steps, a step reads two windows: of x, for each c of the step, the tile's rows moved by p and every second
// column moved by q - 1; of w, for each o of the tile, the elements at p and q for each c of the step.
#pragma once

#include "algebra/inequalities.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/kernel_ir.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

/// A sum over a nest of loops, in whose innermost loop stand the loops over the elements of a tile.
struct TileSum {
  std::vector<const ir::Stmt *> loops; ///< the loops of the sum, outermost first
  const ir::Stmt *tile = nullptr;      ///< the item's window onto the output
  const ir::Stmt *group = nullptr;     ///< its group's window, with the same dimensions
  /// The arrays whose elements the sum advances: the tile's array, and those with equally large tiles beside it.
  std::set<const ir::Var *> outputs;
  std::vector<ir::ExprPtr> element; ///< subscripts of the tile's elements
};

/// How the sum reads an array.
struct StepInput {
  /// One subscript of the array, as a sum: `step` times a subscript of the tile's element, `sumStep` times the counter of the
  /// loop that is cut into steps, and `others`.
  struct Dimension {
    std::optional<std::size_t> along; ///< dimension of the tile; none: it has no part in it
    ir::ExprPtr step;
    ir::ExprPtr sumStep;        ///< null: the counter is not in it
    algebra::Polynomial others; ///< the same for all elements and all rounds of a step
    ir::ExprPtr extent;         ///< of the array's dimension; null: not known

    bool operator==(const Dimension &other) const;
  };
  ir::VarPtr array;
  std::vector<ir::ExprPtr> elements; ///< as the sum names them
  std::vector<Dimension> dimensions;
  /// Elements are read under a condition, so that some that the subscripts name may be outside of the array.
  bool isAsked = false;

  bool isSame(const StepInput &other) const;
  bool isElement(const ir::Expr &e) const;
  /// Whether all steps are 1 and no dimension runs along both the tile and the sum.
  bool isDense() const;
  /// Whether a dimension runs along both the tile and the sum.
  bool hasShared() const;
};

/// The rounds of one step: `length` of them, at most `size`, from round `start` on.
struct StepRange {
  ir::VarPtr start, length;
  ir::ExprPtr size;
  ir::ExprPtr end; ///< the bound of the loop that is cut into steps
};

/// A window onto an input. Where elements may be outside of the array, the window is clipped to the array: along each dimension
/// it lacks the first `skipped` of the elements that the tile names.
struct StepWindow {
  ir::Window window;
  std::vector<ir::StmtPtr> names;   ///< declarations, which stand before the window
  std::vector<ir::ExprPtr> skipped; ///< one for each dimension of the array; null: 0
};

/// Finds the inputs of sums, and makes windows onto them.
class StepInputs {
public:
  explicit StepInputs(const LoweredPlan &plan);

  /// The arrays of which a step of loop number `summed` reads a bounded part that runs along the sum and along the tile. Empty if
  /// the sum writes other arrays than its outputs.
  std::vector<StepInput> of(const TileSum &sum, std::size_t summed);
  /// The input that `element` belongs to; nothing if a step reads no bounded part of its array.
  std::optional<StepInput> inputOf(const ir::Expr &element, const TileSum &sum, std::size_t summed,
                                   bool isAsked);
  /// The window onto the elements that `tile` reads in a step. `tile`: the window of the item, or that of its group.
  StepWindow windowOf(const StepInput &input, const TileSum &sum, const ir::Window &tile,
                      const StepRange &step);

private:
  /// The first element of a window along a dimension: `added - taken`. Both are at least 0; `taken` is null for 0.
  struct Start {
    ir::ExprPtr added, taken;
  };
  Start startOf(const StepInput::Dimension &of, const ir::Window &tile);
  /// A dimension of the tile.
  struct Place {
    algebra::Polynomial element; ///< the subscript of its elements
    algebra::Polynomial counter; ///< the counter of the loop over them
  };
  std::vector<Place> placesOf(const TileSum &sum);
  std::optional<StepInput::Dimension> dimensionOf(const ir::ExprPtr &subscript,
                                                  const std::vector<Place> &places,
                                                  const TileSum &sum, std::size_t summed);
  /// The value of a subscript as a polynomial, up to a multiple of 2^64: 64-bit numbers may wrap around.
  algebra::Polynomial placeOf(const ir::ExprPtr &e);
  /// `value` as an expression, if it is the same for all items of the group and all elements of their tiles, and no variable in it
  /// may be below 0; else null.
  ir::ExprPtr sameForAll(const algebra::Polynomial &value, const TileSum &sum) const;

  const LoweredPlan &plan_;
  SharedArrays shared_;
  algebra::Inequalities facts_; ///< knows the constants of the plan that are sums and products
};

/// The subscripts of an element of the input, which begin at the origin of a group's window. `offsets`: for each dimension of the
/// tile, the distance from the group's first element to the tile's element. `number`: the round within the step.
std::vector<ir::ExprPtr> subscriptsIn(const StepInput &input, const StepWindow &window,
                                      const std::vector<ir::ExprPtr> &offsets,
                                      const ir::ExprPtr &number);

} // namespace tangram::codegen
