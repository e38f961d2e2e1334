// Where something stands in a codelet source file.
#pragma once

#include <compare>
#include <string>

namespace tangram::ir {

/// A place in a source file. Lines and columns count from 1; line 0 means
/// "no place" (a node made by the synthesizer itself).
struct SourceLocation {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  /// Number of columns to underline, 1 for a bare caret.
  unsigned length = 1;

  bool valid() const { return line != 0; }
  auto operator<=>(const SourceLocation &) const = default;
};

} // namespace tangram::ir
