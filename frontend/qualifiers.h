// The qualifiers of a file (dissertation table 4.1), as the preprocessor sees them:
// with the exact places of their words, which attributes would not keep.
#pragma once

#include "frontend/clang.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tangram::frontend {

enum class QualifierKind { Coop, Tag, Env, Shared, Tunable, Positional };

struct QualifierWord {
  std::string text;
  clang::SourceLocation location;
};

struct Qualifier {
  QualifierKind kind;
  clang::SourceRange range;         ///< `__tag(kog)`
  std::vector<QualifierWord> words; ///< between the parentheses, commas left out
};

/// As it is written: "__coop".
std::string spelling(QualifierKind kind);

/// The Clang attribute that the macro of a qualifier attaches to a variable; null if the variable has no such qualifier.
const clang::AnnotateAttr *attributeOf(const clang::VarDecl &declaration, QualifierKind kind);

/// All of them, `__codelet` included; for "did you mean".
const std::vector<std::string> &qualifierSpellings();

/// What has been met so far.
struct Qualifiers {
  /// `__coop`, `__tag`, `__env` that no codelet has claimed yet, in source order.
  std::vector<Qualifier> pending;
  /// Place of each `__shared`, `__tunable` and `__positional` that no variable has claimed yet.
  std::map<clang::SourceLocation, QualifierKind> variables;
  /// Whether tangram.h has been read.
  bool languageSeen = false;
};

/// Records every qualifier in `qualifiers`, which has to outlive the preprocessor.
std::unique_ptr<clang::PPCallbacks> watchQualifiers(clang::Preprocessor &preprocessor,
                                                    Qualifiers &qualifiers);

} // namespace tangram::frontend
