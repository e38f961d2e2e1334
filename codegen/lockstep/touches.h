// What lanes touch of the memory that all of them see.
#pragma once

#include "codegen/form/building.h"
#include "codegen/lockstep/constants.h"

#include <optional>
#include <vector>

namespace tangram::codegen {

/// for (i = start; ...; i += step), of a wide i that nothing else changes.
std::optional<SteppedLoop> steadyLoop(const ir::Stmt &s);

/// An access to shared memory.
struct Touch {
  std::vector<ir::ExprPtr> subscripts; ///< with constants written out
  bool write = false;
  ir::Operator atomic; ///< empty: none
  bool used = false;   ///< somebody looks at the value the atomic operation gives
  /// The loops that it is in the body of, from the outermost.
  std::vector<const ir::Stmt *> loops;
  bool inHead = false; ///< of a loop: made once more than the body

  bool repeated() const { return inHead || !loops.empty(); }
};

/// A loop whose variable lanes tell apart: theirs are `width` or more from each other.
struct ApartLoop {
  const ir::Stmt *loop = nullptr;
  std::int64_t width = 1;
};

/// Whether two lanes never touch one element, in accesses one of which writes: as far as that follows
/// from where the loops around them begin and end. `apart`: those whose variables the lanes tell apart;
/// `changing`: what the statement that is looked at assigns or declares; `varying`: what may
/// differ between lanes.
bool neverMeet(const std::vector<Touch> &touches, const std::vector<ApartLoop> &apart,
               const Constants &constants, const std::set<const ir::Var *> &changing,
               const std::set<const ir::Var *> &varying);

} // namespace tangram::codegen
