// Standard output and standard error of a command: whatever is printed there is printable.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace tangram::escape {

/// While it lives, all that is printed to `stream` goes through terminal(). Sequences for the cursor are
/// written past it (driver/text/progress_line.h).
class TerminalFilter : public std::streambuf {
public:
  explicit TerminalFilter(std::ostream &stream);
  /// The stream is as it was.
  ~TerminalFilter() override;
  TerminalFilter(const TerminalFilter &) = delete;
  TerminalFilter &operator=(const TerminalFilter &) = delete;

protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char *text, std::streamsize count) override;
  int sync() override;

private:
  bool print(std::string_view text);

  std::ostream &stream_;
  std::streambuf *behind_;
  std::string unfinished_; ///< bytes of a code point that has not come to its end
};

} // namespace tangram::escape
