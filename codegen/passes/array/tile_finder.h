// Finds the windows that are tiles: those that one worker updates over and over, in loops that count their elements.
#pragma once

#include "codegen/analysis/accesses.h"
#include "codegen/form/kernel_ir.h"
#include "codegen/passes/array/tile.h"

#include <optional>
#include <set>
#include <vector>

namespace tangram::codegen {

/// The windows of a plan.
class TileFinder {
public:
  explicit TileFinder(const LoweredPlan &plan) : plan_(plan) {
    forEach(plan.body, [&](const ir::Stmt &s) {
      if (s.kind == ir::StmtKind::Allocate && plan.role(s.array->owner) == Role::Host)
        large_.insert(s.var.get());
    });
  }

  /// Whether `s`, a Window, is one; `around`: it is in a loop that it does not depend on.
  std::optional<Tile> tileOf(const ir::Stmt &s, bool around) const;

  /// `s`, and the windows that it stands around, where they are tiles of the same loops.
  std::optional<Tiles> tilesOf(const ir::Stmt &s, bool around) const;

private:
  /// Whether an array is a parameter or belongs to the host, so that a worker has a small part of it.
  bool isLarge(const ir::VarPtr &array) const {
    return plan_.bufferOf(array) || large_.contains(array.get());
  }

  static bool isBoundAgain(const ir::StmtPtr &body, const ir::VarPtr &array);

  /// Each subscript is the number of a loop over the extent of its dimension.
  static bool isCounted(const std::vector<ir::ExprPtr> &position, const WindowAccess &access,
                        Tile &tile);

  /// How many elements a vector has, where the compiler is to be told: of the innermost loop over a
  /// tile, whose body does the same to neighbours everywhere.
  unsigned lanesOf(const Tile &tile) const;

  const LoweredPlan &plan_;
  std::set<const ir::Var *> large_;
};

} // namespace tangram::codegen
