#include "ir/diagnostic.h"

#include "ir/display_width.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <utility>

namespace tangram::ir {

namespace {

const char *word(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  return "error";
}

std::string lineOf(const SourceLocation &location) {
  std::ifstream file(location.file);
  std::string line;
  for (unsigned i = 0; i < location.line && std::getline(file, line); ++i) {
    if (i + 1 == location.line)
      return line;
  }
  return {};
}

/// The blanks before the caret: tabs stay tabs, so that the caret lines up. Columns of places count bytes.
std::string indentTo(const std::string &line, unsigned column) {
  const std::size_t bytes = column - 1;
  std::string before = line.substr(0, bytes);
  std::string blanks;
  for (std::size_t tab = before.find('\t'); tab != std::string::npos; tab = before.find('\t')) {
    blanks += std::string(displayWidth(before.substr(0, tab)), ' ') + '\t';
    before.erase(0, tab + 1);
  }
  blanks += std::string(displayWidth(before), ' ');
  return blanks + std::string(bytes - std::min(bytes, line.size()), ' ');
}

/// How many columns of a terminal the place spans.
unsigned widthOf(const std::string &line, const SourceLocation &place) {
  const std::size_t from = std::min<std::size_t>(place.column - 1, line.size());
  const std::string spanned = line.substr(from, place.length);
  return displayWidth(spanned) + static_cast<unsigned>(place.length - spanned.size());
}

unsigned editDistance(const std::string &a, const std::string &b) {
  std::vector<unsigned> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      unsigned substitute = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

} // namespace

bool hasErrors(const Diagnostics &diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

std::string render(const Diagnostic &d) {
  std::string text;
  if (!d.location.file.empty()) {
    text += d.location.file + ":";
    if (d.location.valid())
      text += std::to_string(d.location.line) + ":" + std::to_string(d.location.column) + ":";
    text += " ";
  }
  text += std::string(word(d.severity)) + ": " + d.message + "\n";
  if (d.location.valid()) {
    std::string line = lineOf(d.location);
    if (!line.empty()) {
      std::string indent = indentTo(line, d.location.column);
      const unsigned width = widthOf(line, d.location);
      unsigned underline = width > 1 ? width - 1 : 0;
      text += line + "\n" + indent + "^" + std::string(underline, '~') + "\n";
      if (!d.suggestion.empty())
        text += indent + d.suggestion + "\n";
    }
  }
  for (const Diagnostic &note : d.notes)
    text += render(note);
  return text;
}

std::string render(const Diagnostics &diagnostics) {
  std::string text;
  for (const Diagnostic &d : diagnostics)
    text += render(d);
  return text;
}

Diagnostic errorAt(SourceLocation location, std::string message) {
  return {Severity::Error, std::move(location), std::move(message), {}, {}};
}

Diagnostic warningAt(SourceLocation location, std::string message) {
  return {Severity::Warning, std::move(location), std::move(message), {}, {}};
}

Diagnostic noteAt(SourceLocation location, std::string message) {
  return {Severity::Note, std::move(location), std::move(message), {}, {}};
}

std::string nearest(const std::string &word, const std::vector<std::string> &candidates) {
  std::string best;
  unsigned bestDistance = static_cast<unsigned>(std::max<std::size_t>(1, word.size() / 3)) + 1;
  for (const std::string &candidate : candidates) {
    unsigned distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

} // namespace tangram::ir
