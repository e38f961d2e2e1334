// Line breaking of emitted C.
#pragma once

#include <string>

namespace tangram::codegen {

/// The line, or several: those wider than 100 characters are broken after an assignment, a comma or a semicolon, or before an
/// operator, in as few parentheses as possible and as late as possible. What follows is indented by `continued` blanks.
/// Comments, directives of the preprocessor but for definitions, and what stands in strings stay as they are.
std::string brokenLine(std::string line, std::size_t continued);

/// All lines of `text` so, each continued by four blanks more than it begins with.
std::string withBrokenLines(const std::string &text);

} // namespace tangram::codegen
