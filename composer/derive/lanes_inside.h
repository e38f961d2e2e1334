// Cooperative codelets whose lanes share the loops inside of others: a row a group, its elements dealt to lanes.
#pragma once

#include "composer/derive/derive.h"
#include "composer/derive/loop_form.h"

#include <optional>

namespace tangram::composer {

/// The loops of a sum whose rounds lanes share.
enum class SharedLoops {
  Outermost, ///< the first one that can be shared: of a sum each lane has a part
  Inner, ///< all lanes run the outermost loop, and share those inside of it, which make the terms of its sum
};

/// `derived_lanes_k`: all lanes run the outer loops, whose rounds other codelets cut, and share the rounds of those below:
/// rounds that are independent are dealt to them, of what a loop adds up each has a part, which a tree combines. Nothing
/// where no loop is shared so.
std::optional<DerivedCodelet> lanesInside(const LoopForm &form, bool keepsOrder,
                                          SharedLoops shared = SharedLoops::Outermost);

} // namespace tangram::composer
