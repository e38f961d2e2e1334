// Some libraries talk to standard error in passing, where nobody can tell what they talk about.
#pragma once

#include <string>

namespace tangram::runtime {

/// While it lives, what this process writes to standard error goes to a temporary file. When that
/// cannot be had, standard error stays as it is.
class StandardErrorCapture {
public:
  StandardErrorCapture();
  /// Restores standard error; what was not taken is dropped.
  ~StandardErrorCapture();
  StandardErrorCapture(const StandardErrorCapture &) = delete;
  StandardErrorCapture &operator=(const StandardErrorCapture &) = delete;

  /// Restores standard error and returns what was written, without newlines at the end.
  std::string take();

private:
  void restore();

  int file = -1;  ///< the temporary file, which has no name
  int saved = -1; ///< standard error as it was; -1 when it is back
};

} // namespace tangram::runtime
