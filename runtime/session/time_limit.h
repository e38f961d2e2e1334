// Message about a process that was ended because it took too long.
#pragma once

#include <cstdio>
#include <string>

namespace tangram::runtime {

/// "ended after 30 s"
inline std::string endedAfter(double seconds) {
  char text[48];
  std::snprintf(text, sizeof text, "ended after %g s", seconds);
  return text;
}

} // namespace tangram::runtime
