// The frame around a whole command: no input ends the command without a message.
#pragma once

#include <functional>
#include <string>

namespace tangram::driver {

/// Runs `command` and returns its exit status. All output is made printable (escape/terminal_filter.h).
/// Writing past a limit of a file's size, or to a pipe without a reader, is an error like any other. An
/// exception, a lack of memory and a stack overflow print a message, `name: ...`, and give exit status 1,
/// or 70 where the fault is ours.
int wholeCommand(const std::string &name, const std::function<int()> &command);

} // namespace tangram::driver
