#include "driver/text/progress_line.h"

#include "escape/escape.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace tangram::driver {

namespace {

/// Past the filter of standard error, which would show these sequences.
void write(const std::string &text) {
  std::cerr << std::flush;
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
    return; // nobody is there to read it
}

} // namespace

ProgressLine::ProgressLine() : terminal(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const std::string &text) {
  if (terminal)
    write("\r\033[K" + escape::terminalLine(text));
}

void ProgressLine::clear() {
  if (terminal)
    write("\r\033[K");
}

std::size_t ProgressLine::width() const {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79;
}

} // namespace tangram::driver
