// What a level is to a target, whatever the target calls it.
#pragma once

namespace tangram::codegen {

/// A target's levels play descending roles.
enum class Role {
  Host,   ///< the calling thread; starts groups and waits for them (process, grid)
  Group,  ///< runs side by side with its like, no meeting but the end (OpenMP thread, work-group)
  Warp,   ///< part of a group whose items step together: they meet by themselves, without the others
  Item,   ///< worker of a group, meets its like at barriers (SIMD lane, work-item)
  Unroll, ///< independent instructions of one worker: an unrolled loop (ILP)
};

} // namespace tangram::codegen
