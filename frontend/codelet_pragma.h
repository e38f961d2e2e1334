// Several definitions with one signature, in one C++ file.
//
// C++ forbids what codelets are, so `__codelet` is a pragma whose handler looks at
// the tokens of the declaration that follows, up to its `;` or `{`, and hands them
// to the parser in another form:
//
//     __codelet int sum(A in) { ... }   becomes   int sum(A in);  int sum$1(A in) { ... }
//     __codelet int sum(A in) { ... }             int sum$2(A in) { ... }
//
// Only the name's identifier changes, its token keeps its place, so every place in
// every message stays exact; calls of `sum` resolve to the declaration.
//
// A template's head stands before `__codelet` (or after it). It serves the declaration,
// and a copy of it the definition. What is instantiated by name, as in
// `template float sum<float>(A<float>);`, needs a definition, so the first one gets a
// body that means nothing:
//
//     template <class T> __codelet T sum(A<T> in) { ... }
//
// becomes  template <class T> T sum(A<T> in) { __builtin_trap(); }
//          template <class T> T sum$1(A<T> in) { ... }
//
// A codelet of one instance becomes a plain function, and a variable says which instance it is of:
//
//     template <> __codelet float sum<float>(A<float> in) { ... }
//
// becomes  template <> void tangram_codelet_of_instance<>();
//          auto sum$2$of = &sum<float>;  float sum$2(A<float> in) { ... }
#pragma once

#include "frontend/qualifiers.h"
#include "ir/diagnostic.h"

namespace tangram::frontend {

class Places;

/// One `__codelet` of the file.
struct CodeletDeclaration {
  std::string name;       ///< as it is written: "sum"
  std::string uniqueName; ///< of the function Clang makes of it: "sum$2"
  clang::SourceLocation nameLocation;
  bool isDefinition = false;
  bool isTemplate = false;
  /// A codelet of one instance of a template: its function is none.
  bool isOfInstance = false;
  std::vector<Qualifier> qualifiers;
};

struct CodeletDeclarations {
  std::vector<CodeletDeclaration> all; ///< in source order
  ir::Diagnostics diagnostics;
};

/// Handle `#pragma tangram codelet` in `preprocessor`, which the arguments outlive.
void addCodeletPragma(clang::Preprocessor &preprocessor, Qualifiers &qualifiers,
                      const Places &places, CodeletDeclarations &declarations);

/// The variable that holds the address of the instance that a codelet of one is of.
std::string instanceVariable(const CodeletDeclaration &declaration);

/// `text` with the names the pragma made up (`sum$2`) as they were written (`sum`).
std::string withoutUniqueNames(llvm::StringRef text);

} // namespace tangram::frontend
