// The body of tiles in registers, with the loops around those over a tile unrolled where they go as far as they can; and
// the bounds of extents that a kernel knows when it is compiled.
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/passes/array/tile.h"

#include <map>

namespace tangram::codegen {

class UnrolledTiles {
public:
  explicit UnrolledTiles(const LoweredPlan &plan);

  /// Where items are many and registers plenty, loops around those over the tile are unrolled, too.
  ir::StmtPtr bodyOf(const Tiles &tiles) const;

  /// Upper bounds of the extents of windows.
  const std::map<const ir::Var *, ir::ExprPtr> &bounds() const { return bounds_; }

private:
  const LoweredPlan &plan_;
  std::map<const ir::Var *, ir::ExprPtr> bounds_;
};

} // namespace tangram::codegen
