// What is around a command from its first to its last line: nothing that it is given ends it without a word.
#pragma once

#include <functional>
#include <string>

namespace tangram::driver {

/// Runs `command`, whose exit status it returns. What it prints is printable (escape/terminal_filter.h);
/// writing past a limit of a file's size and to a pipe that nobody reads is an error like any other; an
/// exception, out of memory and a stack that does not suffice are said, as `name: ...`, and give exit
/// status 1 or, where the fault is ours, 70.
int wholeCommand(const std::string &name, const std::function<int()> &command);

} // namespace tangram::driver
