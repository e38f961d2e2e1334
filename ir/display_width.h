// How wide text is on a terminal, so that carets stand below what they mean.
#pragma once

#include <string_view>

namespace tangram::ir {

/// Columns that UTF-8 text takes, by the convention of terminals: 2 for characters that are wide or fullwidth in East
/// Asia (Unicode's annex 11) and for emoji, 0 for combining marks and what joins characters, 1 for all else, also a
/// tab and a byte that is no UTF-8. A text that begins within a character counts it as nothing.
unsigned displayWidth(std::string_view text);

} // namespace tangram::ir
