#include "frontend/qualifiers.h"

#include <array>

namespace tangram::frontend {

namespace {

struct Spelling {
  QualifierKind kind;
  const char *text;
};

constexpr std::array<Spelling, 6> spellings{{{QualifierKind::Coop, "__coop"},
                                             {QualifierKind::Tag, "__tag"},
                                             {QualifierKind::Env, "__env"},
                                             {QualifierKind::Shared, "__shared"},
                                             {QualifierKind::Tunable, "__tunable"},
                                             {QualifierKind::Positional, "__positional"}}};

std::optional<QualifierKind> kindOf(llvm::StringRef name) {
  for (const Spelling &each : spellings) {
    if (name == each.text)
      return each.kind;
  }
  return std::nullopt;
}

class QualifierWatch : public clang::PPCallbacks {
public:
  QualifierWatch(clang::Preprocessor &preprocessor, Qualifiers &qualifiers)
      : preprocessor(preprocessor), qualifiers(qualifiers) {}

  void MacroDefined(const clang::Token &name, const clang::MacroDirective *) override {
    if (name.getIdentifierInfo()->getName() == "__codelet")
      qualifiers.languageSeen = true;
  }

  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
                    clang::SourceRange range, const clang::MacroArgs *args) override {
    auto kind = kindOf(name.getIdentifierInfo()->getName());
    // The C library has members of these names.
    if (!kind || preprocessor.getSourceManager().isInSystemHeader(name.getLocation()))
      return;
    if (*kind == QualifierKind::Shared || *kind == QualifierKind::Tunable ||
        *kind == QualifierKind::Positional)
      qualifiers.variables.emplace(fileLocation(name.getLocation()), *kind);
    else
      qualifiers.pending.push_back({*kind, range, wordsOf(args)});
  }

private:
  clang::SourceLocation fileLocation(clang::SourceLocation location) const {
    return preprocessor.getSourceManager().getFileLoc(location);
  }

  std::vector<QualifierWord> wordsOf(const clang::MacroArgs *args) const {
    std::vector<QualifierWord> words;
    if (args == nullptr || args->getNumMacroArguments() == 0)
      return words;
    for (const clang::Token *t = args->getUnexpArgument(0); t->isNot(clang::tok::eof); ++t) {
      if (t->isNot(clang::tok::comma))
        words.push_back({preprocessor.getSpelling(*t), fileLocation(t->getLocation())});
    }
    return words;
  }

  clang::Preprocessor &preprocessor;
  Qualifiers &qualifiers;
};

} // namespace

std::string spelling(QualifierKind kind) {
  for (const Spelling &each : spellings) {
    if (each.kind == kind)
      return each.text;
  }
  return {};
}

const clang::AnnotateAttr *attributeOf(const clang::VarDecl &declaration, QualifierKind kind) {
  const std::string name = "tangram " + spelling(kind).substr(2); // without the underscores
  for (const auto *attribute : declaration.specific_attrs<clang::AnnotateAttr>()) {
    if (attribute->getAnnotation() == name)
      return attribute;
  }
  return nullptr;
}

const std::vector<std::string> &qualifierSpellings() {
  static const std::vector<std::string> all{"__codelet", "__coop",    "__tag",       "__env",
                                            "__shared",  "__tunable", "__positional"};
  return all;
}

std::unique_ptr<clang::PPCallbacks> watchQualifiers(clang::Preprocessor &preprocessor,
                                                    Qualifiers &qualifiers) {
  return std::make_unique<QualifierWatch>(preprocessor, qualifiers);
}

} // namespace tangram::frontend
