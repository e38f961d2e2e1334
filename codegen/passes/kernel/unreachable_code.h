// Code that never runs, whatever the sizes are: dead codelets' branches, loops without a round, statements behind a jump.
//
//   before: if (false) A else B            after: B
//           for (i = n; i < n; ++i) A             (nothing)
//           while (false) A                       (nothing)
//           parallel i < 0 { A }                  (nothing)
//           break; A                              break;
//
// Compilers refuse some of it: the comparison of a number without a sign with 0 in a parallel loop, divisions by 0.
#pragma once

#include "algebra/proofs.h"
#include "ir/stmt.h"

#include <memory>

namespace tangram::codegen {

/// `body` without it. An atomic operation in the head of a loop keeps the loop.
ir::StmtPtr withoutUnreachableCode(const ir::StmtPtr &body,
                                   const std::shared_ptr<algebra::Proofs> &proofs);

} // namespace tangram::codegen
