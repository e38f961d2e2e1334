#include "driver/progress_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace tangram::driver {

ProgressLine::ProgressLine() : terminal(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const std::string &text) {
  if (terminal)
    std::cerr << "\r\033[K" << text << std::flush;
}

void ProgressLine::clear() {
  if (terminal)
    std::cerr << "\r\033[K" << std::flush;
}

std::size_t ProgressLine::width() const {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79;
}

} // namespace tangram::driver
