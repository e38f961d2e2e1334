// What a sum reads that advances all elements of a tile, and windows onto it as large as a step of the sum: of a convolution
//
//   for (c) for (p) for (q) for (o) for (i) for (j)
//     y[o0 + o][i0 + i][j0 + j] += x[c][i0 + i + p][2 * (j0 + j) + q - 1] * w[o0 + o][c][p][q];
//
// with steps through c, the rows and every second column of x that the tile's rows and columns name, moved by p and
// q - 1, for the step's c; and of w the step's c of the tile's o.
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

/// A sum over loops, each all of the one around it, inside of which stand the loops over the elements of a tile.
struct TileSum {
  std::vector<const ir::Stmt *> loops; ///< that add up, outermost first
  const ir::Stmt *tile = nullptr;      ///< the item's window
  const ir::Stmt *group = nullptr;     ///< the window of its group, of the same dimensions
  /// The arrays whose elements it advances: the tile's, and others with tiles beside it.
  std::set<const ir::Var *> outputs;
  std::vector<ir::ExprPtr> element; ///< subscripts of the tile's elements
};

/// How the sum reads an array.
struct StepInput {
  /// A subscript: `step` times that of the tile's element, `sumStep` times the number that is summed over, and what is the
  /// same for all elements.
  struct Dimension {
    std::optional<std::size_t> along; ///< dimension of the tile; none: its subscript is not in it
    ir::ExprPtr step;
    ir::ExprPtr sumStep;        ///< null: the number is not in it
    algebra::Polynomial others; ///< the same for all elements
    ir::ExprPtr extent;         ///< of the array; null: not known

    bool operator==(const Dimension &other) const;
  };
  ir::VarPtr array;
  std::vector<ir::ExprPtr> elements; ///< as the sum names them
  std::vector<Dimension> dimensions;
  /// Elements are read under a condition: others may not be there.
  bool isAsked = false;

  bool isSame(const StepInput &other) const;
  bool isElement(const ir::Expr &e) const;
  /// Whether neighbours along the tile are neighbours in the array, and along no other dimension than those of a step.
  bool isDense() const;
  /// Whether one of its dimensions runs along the tile and the sum.
  bool hasShared() const;
};

/// What a step goes through: `length` numbers from `start`, `size` at most.
struct StepRange {
  ir::VarPtr start, length;
  ir::ExprPtr size;
  ir::ExprPtr end; ///< of all steps
};

/// A window onto an input. Where elements may not be there, it is what is there of the elements that a tile names: it begins
/// `skipped` elements of the tile later.
struct StepWindow {
  ir::Window window;
  std::vector<ir::StmtPtr> names;   ///< stand before it
  std::vector<ir::ExprPtr> skipped; ///< by dimension of the array; null: none
};

class StepInputs {
public:
  explicit StepInputs(const LoweredPlan &plan);

  /// The arrays a step through loop number `summed` has bounded parts of, along the sum and along the tile; none where an
  /// array that is read is written, too.
  std::vector<StepInput> of(const TileSum &sum, std::size_t summed);
  /// How an element is read; nothing where a step has no bounded part of its array.
  std::optional<StepInput> inputOf(const ir::Expr &element, const TileSum &sum, std::size_t summed,
                                   bool isAsked);
  /// The window onto what the elements of `tile` read in a step: the sum's tile, or that of its group.
  StepWindow windowOf(const StepInput &input, const TileSum &sum, const ir::Window &tile,
                      const StepRange &step);

private:
  /// Where a window begins along a dimension: at `added` less `taken`, which is null where it is nothing.
  struct Start {
    ir::ExprPtr added, taken;
  };
  Start startOf(const StepInput::Dimension &of, const ir::Window &tile);
  struct Place {
    algebra::Polynomial element; ///< subscript of the tile's elements
    algebra::Polynomial counter; ///< of the loop over them
  };
  std::vector<Place> placesOf(const TileSum &sum);
  std::optional<StepInput::Dimension> dimensionOf(const ir::ExprPtr &subscript,
                                                  const std::vector<Place> &places,
                                                  const TileSum &sum, std::size_t summed);
  /// The value of a position in an array, but for a multiple of 2^64.
  algebra::Polynomial placeOf(const ir::ExprPtr &e);
  /// A value that is the same for all items of the group and all elements of their tiles, and not below 0; null where it is not.
  ir::ExprPtr sameForAll(const algebra::Polynomial &value, const TileSum &sum) const;

  const LoweredPlan &plan_;
  SharedArrays shared_;
  algebra::Inequalities facts_; ///< with the plan's names of sums and products
};

/// The subscripts of an element of the input, by the window of a group. `offsets`: how much further the tile's element is
/// than the group's first one, by dimension of the tile; `number`: of the step.
std::vector<ir::ExprPtr> subscriptsIn(const StepInput &input, const StepWindow &window,
                                      const std::vector<ir::ExprPtr> &offsets,
                                      const ir::ExprPtr &number);

} // namespace tangram::codegen
