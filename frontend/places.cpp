#include "frontend/places.h"

#include <algorithm>

namespace tangram::frontend {

ir::SourceLocation Places::caret(clang::SourceLocation location) const {
  if (location.isInvalid())
    return {};
  clang::PresumedLoc place = sources.getPresumedLoc(sources.getFileLoc(location));
  if (place.isInvalid())
    return {};
  return {place.getFilename(), place.getLine(), place.getColumn(), 1};
}

ir::SourceLocation Places::token(clang::SourceLocation location) const {
  ir::SourceLocation place = caret(location);
  if (place.valid())
    place.length = std::max(
        1U, clang::Lexer::MeasureTokenLength(sources.getFileLoc(location), sources, language));
  return place;
}

ir::SourceLocation Places::range(clang::SourceRange range) const {
  ir::SourceLocation place = token(range.getBegin());
  if (!place.valid() || range.getEnd().isInvalid())
    return place;
  clang::SourceLocation begin = sources.getFileLoc(range.getBegin());
  clang::SourceLocation last = sources.isMacroArgExpansion(range.getEnd())
                                   ? sources.getFileLoc(range.getEnd())
                                   : sources.getExpansionRange(range.getEnd()).getEnd();
  clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources, language);
  if (end.isInvalid() || !sources.isWrittenInSameFile(begin, end) ||
      sources.getFileOffset(end) <= sources.getFileOffset(begin))
    return place;
  unsigned written = sources.getFileOffset(end) - sources.getFileOffset(begin);
  place.length = std::max(1U, std::min(written, columnsLeft(begin)));
  return place;
}

/// Columns from `location` to the end of its line, trailing blanks not counted.
unsigned Places::columnsLeft(clang::SourceLocation location) const {
  auto [file, offset] = sources.getDecomposedLoc(location);
  llvm::StringRef rest = sources.getBufferData(file).substr(offset);
  return static_cast<unsigned>(rest.substr(0, rest.find('\n')).rtrim().size());
}

std::string Places::word(clang::SourceLocation location) const {
  clang::SourceLocation inFile = sources.getFileLoc(location);
  auto token = clang::CharSourceRange::getTokenRange(inFile);
  return clang::Lexer::getSourceText(token, sources, language).str();
}

} // namespace tangram::frontend
