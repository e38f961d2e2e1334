// The spectrums of a file: which declarations and definitions belong together.
#pragma once

#include "frontend/codelet_pragma.h"

#include <vector>

namespace tangram::frontend {

/// A declaration or definition marked `__codelet`, with what Clang made of it.
struct DeclaredFunction {
  const CodeletDeclaration *declaration = nullptr;
  /// Of a template: the function it is a pattern for.
  clang::FunctionDecl *function = nullptr;
};

struct SpectrumSource {
  std::string name;
  /// What calls of the spectrum resolve to (of a template: the pattern of what they do).
  clang::FunctionDecl *called = nullptr;
  /// Sets the signature: the explicit declaration, else the first codelet.
  DeclaredFunction reference;
  /// Further declarations, without a body.
  std::vector<DeclaredFunction> redeclarations;
  std::vector<DeclaredFunction> codelets;
  /// Codelets of one instance of the template each.
  std::vector<DeclaredFunction> ofInstances = {};

  bool isExplicit() const { return !reference.declaration->isDefinition; }
  bool isTemplate() const { return reference.declaration->isTemplate; }
};

/// All spectrums and templates of them, in source order of their first mention.
class Spectrums {
public:
  /// Finds the functions of `declarations` in `ast`. Those in a namespace or class,
  /// and names that are plain functions too, are errors.
  Spectrums(const clang::ASTContext &ast, const CodeletDeclarations &declarations,
            const Places &places, ir::Diagnostics &diagnostics);

  const std::vector<SpectrumSource> &all() const { return sources; }
  /// The spectrum a call of `function` means, or the template of it; null for others.
  const SpectrumSource *calledBy(const clang::FunctionDecl *function) const;

private:
  void add(const DeclaredFunction &declared, clang::FunctionDecl *called);

  std::vector<SpectrumSource> sources;
};

} // namespace tangram::frontend
