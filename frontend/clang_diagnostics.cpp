#include "frontend/clang_diagnostics.h"

#include "frontend/codelet_pragma.h"
#include "frontend/places.h"

#include <algorithm>
#include <filesystem>
#include <regex>

namespace tangram::frontend {

namespace {

ir::Severity severityOf(clang::DiagnosticsEngine::Level level) {
  if (level >= clang::DiagnosticsEngine::Error)
    return ir::Severity::Error;
  return level == clang::DiagnosticsEngine::Warning ? ir::Severity::Warning : ir::Severity::Note;
}

/// Text to offer under the caret: that of a fix that begins there.
std::string suggestionOf(const clang::Diagnostic &info) {
  for (const clang::FixItHint &hint : info.getFixItHints()) {
    if (hint.RemoveRange.getBegin() == info.getLocation())
      return hint.CodeToInsert;
  }
  return {};
}

/// The functions of tangram.h.
const std::vector<std::string> &primitiveNames() {
  static const std::vector<std::string> all{
      "map",        "fold",           "chain",      "all",       "partition",
      "sequence",   "coopIdx",        "coopDim",    "require",   "within",
      "ascending",  "pow2",           "range",      "choice",    "min",
      "max",        "rows",           "cols",       "tiles",     "chunks",
      "col_chunks", "tile_chunks",    "transpose",  "atomicAdd", "atomicMin",
      "atomicMax",  "atomicExchange", "atomicCAS",  "repeat",    "cycle",
      "slice",      "slide",          "tile_slide", "pad",       "swap",
      "typical"};
  return all;
}

/// When Clang looks for a near name it does not know of qualifiers, which are macros,
/// and gives up early on calls inside calls.
void suggestNear(ir::Diagnostic &diagnostic, unsigned id, const std::string &word) {
  bool isQualifier = word.rfind("__", 0) == 0;
  bool isUndeclared = id == clang::diag::err_undeclared_var_use;
  if (!diagnostic.suggestion.empty() || (!isQualifier && !isUndeclared))
    return;
  std::string near = ir::nearest(word, isQualifier ? qualifierSpellings() : primitiveNames());
  if (near.empty() || near == word)
    return;
  diagnostic.message += "; did you mean '" + near + "'?";
  diagnostic.suggestion = near;
}

/// The standard header that declares a name which codelets may use, or nothing.
std::string headerOf(const std::string &word) {
  static const std::regex integers("u?int(8|16|32|64)_t");
  static const std::regex limits("(U?(CHAR|SHRT|INT|LONG)|SCHAR|LLONG|ULLONG)_(MAX|MIN)");
  static const std::regex floats("(FLT|DBL)_(MAX|MIN|EPSILON)");
  static const std::regex numbers(
      "INFINITY|NAN|HUGE_VALF?|"
      "M_(E|LOG2E|LOG10E|LN2|LN10|PI|PI_2|PI_4|1_PI|2_PI|2_SQRTPI|SQRT2|SQRT1_2)");
  for (const auto &[names, header] : {std::pair(&integers, "<cstdint>"),
                                      {&limits, "<climits>"},
                                      {&floats, "<cfloat>"},
                                      {&numbers, "<cmath>"}}) {
    if (std::regex_match(word, *names))
      return header;
  }
  return {};
}

/// What tangram.h is made of, as what it is for: `'detail::...' (aka 'Array<1, int>')` and
/// `operator[]` are nothing an author has written.
std::string inItsWords(const std::string &message) {
  if (message ==
      "cannot assign to return value because function 'operator[]' returns a const value")
    return "cannot assign to an element of a const container";
  static const std::regex part(
      "no member named '([^']*)' in 'tangram::((float|double|int|uint)([234]))'");
  std::smatch found;
  if (std::regex_match(message, found, part)) {
    const std::string components = found[4] == "2"   ? "x and y"
                                   : found[4] == "3" ? "x, y and z"
                                                     : "x, y, z and w";
    return "'" + found[2].str() + "' has components " + components + ", one by one, and no '" +
           found[1].str() + "'";
  }
  static const std::regex vector("tangram::((float|double|int|uint)[234])\\b");
  static const std::regex computed("'[^']*detail::[^']*' \\(aka ('[^']*')\\)");
  return std::regex_replace(std::regex_replace(message, computed, "$1"), vector, "$1");
}

/// Says a mistake in the language's words where Clang does so in those of tangram.h, by
/// its note there. Whether it did.
bool explain(ir::Diagnostic &diagnostic, const std::string &note) {
  static const std::regex call("no matching function for call to '(map|fold|chain)'");
  static const std::regex conversion("no known conversion from '([^']*)' to '(const )?([^']*)'.*");
  static const std::regex constant("'this' argument has type '([^']*)'.*");
  std::smatch found;
  if (std::regex_match(diagnostic.message, found, call) &&
      note.find("couldn't infer template argument 'F'") != std::string::npos) {
    diagnostic.message = "'" + found[1].str() +
                         "' applies one instance of a template; give its arguments, as in 'sum<T>'";
    return true;
  }
  if (diagnostic.message != "no viable overloaded '='")
    return false;
  if (std::regex_search(note, found, conversion))
    diagnostic.message = "cannot assign '" + found[1].str() + "' to '" + found[3].str() + "'";
  else if (std::regex_search(note, found, constant))
    diagnostic.message = "cannot assign to '" + found[1].str() + "'";
  else
    return false;
  return true;
}

bool isInLanguage(const ir::SourceLocation &location) {
  return std::filesystem::path(location.file).filename() == "tangram.h";
}

} // namespace

void ClangDiagnostics::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                        const clang::Diagnostic &info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level <= clang::DiagnosticsEngine::Remark && level != clang::DiagnosticsEngine::Note)
    return;
  ir::Diagnostic found = translate(level, info);
  if (level == clang::DiagnosticsEngine::Note) {
    if (!leaveOutNotes && !diagnostics.empty() && isInLanguage(found.location)) {
      isExplained |= explain(diagnostics.back(), found.message);
      if (isExplained)
        return;
    }
    if (!leaveOutNotes && !diagnostics.empty())
      diagnostics.back().notes.push_back(std::move(found));
    return;
  }
  isExplained = false;
  leaveOutNotes = std::any_of(diagnostics.begin(), diagnostics.end(), [&](const auto &known) {
    return known.location == found.location && known.message == found.message;
  });
  if (!leaveOutNotes)
    diagnostics.push_back(std::move(found));
}

ir::Diagnostic ClangDiagnostics::translate(clang::DiagnosticsEngine::Level level,
                                           const clang::Diagnostic &info) const {
  llvm::SmallString<128> message;
  info.FormatDiagnostic(message);
  ir::Diagnostic result{severityOf(level), {}, inItsWords(withoutUniqueNames(message)), {}, {}};
  if (!info.hasSourceManager() || language == nullptr || info.getLocation().isInvalid())
    return result;
  Places places(info.getSourceManager(), *language);
  result.location = places.token(info.getLocation());
  result.suggestion = suggestionOf(info);
  if (result.severity == ir::Severity::Error) {
    const std::string word = places.word(info.getLocation());
    const bool unknown = result.message.starts_with("use of undeclared identifier") ||
                         result.message.starts_with("unknown type name");
    const std::string header = unknown ? headerOf(word) : "";
    if (header.empty())
      suggestNear(result, info.getID(), word);
    else
      result.message += "; " + header + " declares it";
  }
  return result;
}

} // namespace tangram::frontend
