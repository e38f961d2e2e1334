// A register tile: a part of an array that one worker updates over and over, held in an array of
// the worker's own (register_tiles.cpp has the picture).
#pragma once

#include "codegen/analysis/windows.h"
#include "ir/stmt.h"

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace tangram::codegen {

constexpr unsigned completely = 64; ///< rounds of loops over tiles that are unrolled

/// A window that is a tile: where its elements are used, and by which loops they are counted.
struct Tile {
  const ir::Stmt *window;
  std::vector<std::vector<const ir::Stmt *>> loops; ///< by dimension of the window, over its extent
  ir::VarPtr memory;
  unsigned lanes = 0;
  /// No vectors of ours, but the compiler may find some: rows are not unrolled.
  bool rowsAreLoops = false;
  std::size_t edges = 0; ///< how many dimensions, from the first, may be smaller than their bounds
  bool asks = false; ///< loops go up to bounds, and each round asks whether it is one of the part's

  const ir::Window &of() const { return *window->window; }

  /// The element of the tile, or of the array, with these numbers in the window.
  ir::ExprPtr at(const std::vector<ir::ExprPtr> &position) const;
  ir::ExprPtr element(const std::vector<ir::ExprPtr> &position) const;

  /// All elements are read from the array.
  ir::StmtPtr load() const;
  /// All elements are written to the array.
  ir::StmtPtr store() const;

  /// A loop over the extent of dimension d: unrolled where this is the bound.
  ir::StmtPtr counted(const ir::StmtPtr &over, std::size_t d) const;

  /// Whether all elements are assigned before any is asked for.
  bool isStarted() const;

  /// The same where so many dimensions may be smaller, in memory of its own.
  Tile smaller(std::size_t dimensions) const;

  /// The same for a part that may be smaller in all dimensions: in the same registers.
  Tile asking() const;

  /// Whether all of the tile is there but at those edges, and vectors fit.
  ir::ExprPtr isFull() const;

  /// Whether a loop over dimension d has this counter.
  bool countedBy(const ir::VarPtr &number, std::size_t d) const;

  /// Whether both are held or neither: the same loops, as far and by the same vectors.
  bool goesWith(const Tile &other) const;

private:
  /// `assigned` for the element at each position.
  ir::StmtPtr forEachElement(
      const std::function<ir::StmtPtr(const std::vector<ir::ExprPtr> &)> &assigned) const;
};

/// Tiles of several arrays that the same loops update; most often of one.
class Tiles {
public:
  explicit Tiles(Tile first) : all_{std::move(first)} {}

  const Tile &first() const { return all_[0]; }
  const ir::StmtPtr &body() const { return first().window->children[0]; }

  void add(Tile tile) { all_.push_back(std::move(tile)); }

  Tiles smaller(std::size_t dimensions) const;

  Tiles asking() const;

  void declare(std::vector<ir::StmtPtr> &statements) const;

  /// Loads all of them, or those alone that are not assigned first.
  void load(std::vector<ir::StmtPtr> &statements) const;
  void loadUnstarted(std::vector<ir::StmtPtr> &statements) const;
  void store(std::vector<ir::StmtPtr> &statements) const;

  /// The body with the tiles in the places of the arrays.
  ir::StmtPtr inTiles() const;

  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

private:
  std::vector<Tile> all_;
};

} // namespace tangram::codegen
