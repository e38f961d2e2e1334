// Array contraction: elements that one round of a loop writes and reads are variables of it.
//
//   for (i) { t[i] = f(x[i]);  y[i] = g(t[i]); }      ->      for (i) { float t_1 = f(x[i]);  y[i] = g(t_1); }
//
// Where all accesses of a round name the same element, and the first one writes it whatever data say. A container that others
// see, or that other loops touch, is written where the round ends. Source: Sarkar & Gao, Optimization of array accesses by
// collective loop transformations (ICS 1991).
#pragma once

#include "ir/program.h"

#include <set>

namespace tangram::composer {

/// The body with the variables that are copies of others, which both keep their values, named as these are.
ir::StmtPtr withoutCopies(ir::StmtPtr body);

/// The body of a codelet. `temporaries`: parameters that nobody sees when it is done, which are not written where they need
/// not be.
ir::StmtPtr withContractedElements(const ir::Codelet &codelet,
                                   const std::set<const ir::Var *> &temporaries);

} // namespace tangram::composer
