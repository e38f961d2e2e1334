// Cooperative codelets whose lanes share the loops inside of others: a row a group, its elements dealt to lanes.
#pragma once

#include "composer/derive/derive.h"
#include "composer/derive/loop_form.h"

#include <optional>

namespace tangram::composer {

/// `derived_lanes_k`: all lanes run the loops that `uniform` says (the outer ones, whose rounds other codelets cut),
/// and share the rounds of those below: rounds that are independent are dealt to them, of what a loop adds up each has
/// a part, which a tree combines. Nothing where no loop is shared so.
std::optional<DerivedCodelet> lanesInside(const LoopForm &form, bool keepsOrder);

} // namespace tangram::composer
