// Errors and warnings are values with a place. Everything that can go wrong
// with a user's source is reported as a Diagnostic; nothing throws across a
// module boundary.
#pragma once

#include "ir/source_location.h"

#include <string>
#include <vector>

namespace tangram::ir {

enum class Severity { Note, Warning, Error };

/// One message in the form Clang users know: place, text, source line, caret,
/// then notes (each with a place of its own, or none).
struct Diagnostic {
  Severity severity = Severity::Error;
  SourceLocation location;
  std::string message;
  /// Replacement to offer ("did you mean"), printed under the caret; may be empty.
  std::string suggestion;
  std::vector<Diagnostic> notes;
};

using Diagnostics = std::vector<Diagnostic>;

bool hasErrors(const Diagnostics &diagnostics);

/// `file:line:col: error: message`, the source line and a caret (both left out
/// when the file cannot be read), the suggestion, then the notes. Ends with a newline.
std::string render(const Diagnostic &diagnostic);
std::string render(const Diagnostics &diagnostics);

Diagnostic errorAt(SourceLocation location, std::string message);
Diagnostic warningAt(SourceLocation location, std::string message);
Diagnostic noteAt(SourceLocation location, std::string message);

/// The candidate nearest to `word` by edit distance, when near enough to be a
/// likely typo (at most a third of its length); empty otherwise.
std::string nearest(const std::string &word, const std::vector<std::string> &candidates);

} // namespace tangram::ir
