// What is being done, on standard error, when somebody is there to read it.
#pragma once

#include <cstddef>
#include <string>

namespace tangram::driver {

class ProgressLine {
public:
  ProgressLine();
  /// In place of what it showed before.
  void show(const std::string &text);
  void clear();
  bool isSeen() const { return terminal; }
  /// Columns that a text may have.
  std::size_t width() const;

private:
  bool terminal;
};

} // namespace tangram::driver
