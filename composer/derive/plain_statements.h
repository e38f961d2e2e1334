// Statements of loops in the forms that the analysis of nests reads.
//
//   if (c) continue; rest                 ->      if (!c) { rest }
//   int at = i - p; ... at /= 2; rest     ->      int at = i - p; ... int at_2 = at / 2; rest with at_2
//
// The second one is static single assignment, of locals that are assigned where every use behind is reached from there alone.
#pragma once

#include "ir/program.h"

namespace tangram::composer {

ir::Codelet withPlainStatements(const ir::Codelet &codelet);

} // namespace tangram::composer
