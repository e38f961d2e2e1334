// The memory of a machine's workers, as its model has it, and the tiles that fit it (size_tiles.cpp).
#pragma once

#include "codegen/form/kernel_ir.h"

#include <cstdint>

namespace tangram::codegen {

using Count = std::uint64_t;

/// The largest power of two that is at most `n`; 1 where `n` is 0.
Count powerBelow(Count n);

struct TileCapacities {
  Count registers = 0; ///< bytes of one worker
  Count local = 0;     ///< bytes that a group shares
  Count nearest = 0;   ///< bytes of the first cache of a thread
  Count second = 0;    ///< bytes of its second cache
  Count items = 1;     ///< of a group
  Count lanes = 1;     ///< of a vector

  explicit TileCapacities(const LoweredPlan &plan);

  /// Rows and columns of a tile that one worker keeps in registers, 0 where none fits.
  struct RegisterTile {
    Count rows, columns;
  };
  /// A tile of elements of `size` bytes, of which a worker keeps `tiles` at once.
  RegisterTile registerTile(Count size, Count tiles) const;

  /// Elements of `size` bytes in a group's part of a container of one dimension.
  Count partOf(Count size) const;

private:
  bool itemsAreLoops_;
};

} // namespace tangram::codegen
