// Clang's source locations as the IR's.
#pragma once

#include "frontend/clang.h"
#include "ir/source_location.h"

namespace tangram::frontend {

/// Maps places of one parse. What comes out of a macro is placed where the macro
/// is used, its arguments where they are written.
class Places {
public:
  Places(const clang::SourceManager &sources, const clang::LangOptions &language)
      : sources(sources), language(language) {}

  /// The token at `location`, underlined as a whole.
  ir::SourceLocation token(clang::SourceLocation location) const;

  /// The part of `range` that stands on its first line.
  ir::SourceLocation range(clang::SourceRange range) const;

  /// Just the place of `location`, without underlining.
  ir::SourceLocation caret(clang::SourceLocation location) const;

  /// Identifier, keyword or literal as it is written at `location`.
  std::string word(clang::SourceLocation location) const;

private:
  unsigned columnsLeft(clang::SourceLocation location) const;

  const clang::SourceManager &sources;
  const clang::LangOptions &language;
};

} // namespace tangram::frontend
