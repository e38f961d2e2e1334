// The messages that people meet most: each has a number, and docs/errors.md, which the commands carry, says its cause and the
// way out.
#pragma once

#include <ostream>
#include <set>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace tangram::driver {

struct KnownError {
  std::string number; ///< "T0101"
  std::string title;
  std::vector<std::string> messages; ///< parts of them, in which * stands for any text
  std::string text;                  ///< of the page, as a terminal shows it
};

/// All, in the order of the page.
const std::vector<KnownError> &knownErrors();

/// The one that a line of a message is of; null: none.
const KnownError *errorIn(std::string_view line);

/// What is printed behind a line, " [tangram explain T0101]", the first time that a number comes; else empty.
class ErrorNumbers {
public:
  explicit ErrorNumbers(std::string command) : command_(std::move(command)) {}
  std::string after(std::string_view line);

private:
  std::string command_;
  std::set<std::string> said_;
};

/// While it lives, lines that are printed to `stream` have their numbers.
class NumberedErrors : public std::streambuf {
public:
  NumberedErrors(std::ostream &stream, const std::string &command);
  /// The stream is as it was.
  ~NumberedErrors() override;
  NumberedErrors(const NumberedErrors &) = delete;
  NumberedErrors &operator=(const NumberedErrors &) = delete;

protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char *text, std::streamsize count) override;
  int sync() override;

private:
  bool print(std::string_view text);

  std::ostream &stream_;
  std::streambuf *behind_;
  ErrorNumbers numbers_;
  std::string line_; ///< printed so far
};

/// `explain NUMBER`: the page's text; `explain`: the list. Exit status.
int explainCommand(const std::string &number, std::ostream &out, std::ostream &err);

} // namespace tangram::driver
