// How many groups a launch has where its caller leaves that open, from the sizes of the call: the one
// place that decides it, for emitted hosts, tangram-run and predictions alike.
//
//   wave    groups that all units hold at once
//   waves   as many as leave every item of each some elements, so that beginning and ending a group is
//           little of its time, and few: several even out units of different speed
//   groups  wave * waves, but none without an element for each of its items; a few less where the parts of
//           groups then begin at lines of memory (algebra/size_expression.h, even_parts): what neighbouring
//           items access is one line and not two
//   maps    whose groups share nothing and have none of their own: as many as leave every item a vector
//
//   rows    where groups have two dimensions: as many as the data has, or 64 where both numbers are free; each
//           row has its share of the groups
//
// Elements are those of the call's largest container. On machines that hold one item a unit the model's number
// stands.
#pragma once

#include "codegen/form/kernel_ir.h"

namespace tangram::codegen {

/// Sets Tunable::sizedDefault of the launch tunables.
void sizeDefaultGroups(LoweredPlan &plan);

/// Most waves of groups, resident ones coming and going together, that a launch has by default.
/// `groups`: how many there are, an expression; `items` of each, a number.
double mostDefaultWaves(const LoweredPlan &plan, const ir::ExprPtr &groups, double items);

} // namespace tangram::codegen
