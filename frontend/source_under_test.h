// For tests: a small source as a file of its own, and what the frontend says about it.
#pragma once

#include "frontend/parse.h"

#include <string>
#include <vector>

namespace tangram::frontend {

/// Parses `#include <tangram.h>` followed by `text` as test.cpp in a folder of its own.
/// `text` starts with a newline, so that its first line is line 2.
/// `instantiate` as in ParseOptions.
ParseResult parseSource(const std::string &text, const std::vector<std::string> &instantiate = {});

/// Everything said about such a source, rendered as a user sees it, after a newline.
/// Notes that point into tangram.h are left out: its lines are free to move.
std::string diagnose(const std::string &text, const std::vector<std::string> &instantiate = {});

/// The one codelet of such a source as indented text, after a newline; the messages
/// where there are errors.
std::string lowered(const std::string &text);

} // namespace tangram::frontend
