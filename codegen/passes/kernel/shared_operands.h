// Operands that rows share. Rounds of two loops are taken together, as rows and as lanes of vectors. An operand that is the same in all
// rows, but that lanes do not read side by side, and a condition that is the same in all rows, but not in all lanes, are computed once
// for all rows, into arrays with an element for each lane:
//
//   before: for (row < 8) for (lane < 16) s[row][lane] += x[4 * lane] * w[row];
//   after:  for (lane < 16) x_lanes[lane] = x[4 * lane];
//           for (row < 8) for (lane < 16) s[row][lane] += x_lanes[lane] * w[row];
//
//   before: for (row < 8) for (lane < 16) if (c + lane < n) s[row][lane] += x[c + lane] * w[row];
//   after:  for (lane < 16) { taken[lane] = c + lane < n; x_lanes[lane] = taken[lane] ? x[c + lane] : 0; }
//           together = 0; for (lane < 16) together += taken[lane];
//           if (together != 0)
//             for (row < 8) for (lane < 16) {
//               before = s[row][lane]; updated = before + x_lanes[lane] * w[row]; s[row][lane] = taken[lane] ? updated : before;
//             }
//
// Otherwise compilers make gathers and branches for each row. `taken` is an int, as wide as a float: compilers blend vectors by masks
// of the same width.
#pragma once

#include "codegen/passes/kernel/rounds_together.h"

#include <set>
#include <vector>

namespace tangram::codegen {

struct SharedOperands {
  std::vector<ir::StmtPtr> declared; ///< arrays with an element for each lane
  std::vector<ir::StmtPtr> filled;   ///< statements that fill a lane's elements, before all rows
  std::vector<ir::StmtPtr> left;     ///< the statements that are left for each row
  ir::VarPtr taken;                  ///< whether each lane takes part; null: all do
  ir::VarPtr count;                  ///< the number of lanes that take part, where not all do
};

/// The shared operands of `statements`, which follow each other in `body`, a round of both loops. `kept`: variables that rounds keep
/// from one piece to the next. `filled` is empty if there is no such operand, or if reading it first would be wrong.
SharedOperands sharedOperands(const std::vector<ir::StmtPtr> &statements, const ir::StmtPtr &body,
                              const TogetherAxis &rows, const TogetherAxis &lanes,
                              const ir::VarPtr &lane, const std::set<const ir::Var *> &kept);

} // namespace tangram::codegen
