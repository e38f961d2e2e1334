// Operands that rows share: rounds of two loops are taken together, as rows and as lanes, and what they read, or ask, is the same
// in all rows but not next to each other in the lanes. It is computed once for the rows, into an array with an element for each
// lane:
//
//   before: for (row < 8) for (lane < 16) s[row][lane] += x[4 * lane] * w[row];
//   after:  for (lane < 16) x_lanes[lane] = x[4 * lane];
//           for (row < 8) for (lane < 16) s[row][lane] += x_lanes[lane] * w[row];
//
//   before: for (row < 8) for (lane < 16) if (c + lane < n) s[row][lane] += x[c + lane] * w[row];
//   after:  together = 0;
//           for (lane < 16) { taken[lane] = 0; if (c + lane < n) { taken[lane] = 1; together += 1; x_lanes[lane] = x[c + lane]; } }
//           if (together == 16) for (row < 8) for (lane < 16) s[row][lane] += x_lanes[lane] * w[row];
//           else for (lane < 16) if (taken[lane]) for (row < 8) s[row][lane] += x_lanes[lane] * w[row];
//
// so that loops of vectors have neither gathers nor branches, which compilers would make for each row again.
#pragma once

#include "codegen/passes/kernel/rounds_together.h"

#include <set>
#include <vector>

namespace tangram::codegen {

struct SharedOperands {
  std::vector<ir::StmtPtr> declared; ///< arrays with an element for each lane
  std::vector<ir::StmtPtr>
      filled; ///< statements of a lane that fill its elements, before those of any row
  std::vector<ir::StmtPtr> left; ///< what is left of the statements
  ir::VarPtr taken;              ///< whether each lane takes part; null: all do
  ir::VarPtr count;              ///< the number of lanes that take part, where not all do
};

/// The operands of `statements`, which stand in `body`, a round of both loops, without loops between them. `kept`: variables that rounds keep
/// from one piece to the next. Nothing in `filled`: no such operand is found, or reading it first would be wrong.
SharedOperands sharedOperands(const std::vector<ir::StmtPtr> &statements, const ir::StmtPtr &body,
                              const TogetherAxis &rows, const TogetherAxis &lanes,
                              const ir::VarPtr &lane, const std::set<const ir::Var *> &kept);

} // namespace tangram::codegen
