#include "frontend/spectrums.h"

#include "frontend/places.h"

#include <algorithm>

namespace tangram::frontend {

namespace {

/// The function called `name` at the top of the file, or the pattern of the template; null
/// when there is none. Of several, the one that is declared at `location`.
clang::FunctionDecl *functionNamed(const clang::ASTContext &ast, const std::string &name,
                                   bool isTemplate, clang::SourceLocation location) {
  clang::DeclarationName identifier(&ast.Idents.get(name));
  clang::FunctionDecl *function = nullptr;
  for (clang::NamedDecl *found : ast.getTranslationUnitDecl()->lookup(identifier)) {
    auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(found);
    auto *candidate = isTemplate ? (pattern != nullptr ? pattern->getTemplatedDecl() : nullptr)
                                 : llvm::dyn_cast<clang::FunctionDecl>(found);
    if (candidate != nullptr && (function == nullptr || candidate->getLocation() == location))
      function = candidate;
  }
  return function;
}

} // namespace

Spectrums::Spectrums(const clang::ASTContext &ast, const CodeletDeclarations &declarations,
                     const Places &places, ir::Diagnostics &diagnostics) {
  auto error = [&](const CodeletDeclaration &at, std::string message) {
    diagnostics.push_back(ir::errorAt(places.token(at.nameLocation), std::move(message)));
  };
  for (const CodeletDeclaration &declaration : declarations.all) {
    clang::FunctionDecl *function = functionNamed(
        ast, declaration.uniqueName, declaration.isTemplate && !declaration.isOfInstance,
        declaration.nameLocation);
    clang::FunctionDecl *called =
        functionNamed(ast, declaration.name, declaration.isTemplate, declaration.nameLocation);
    if (function == nullptr || called == nullptr) {
      error(declaration, "unsupported construct: codelet in a namespace or class");
      continue;
    }
    const clang::FunctionDecl *plain = called->getDefinition();
    // A template has a definition that the pragma has made.
    if (plain != nullptr && !declaration.isTemplate) {
      error(declaration, "'" + declaration.name + "' is a function already, not a spectrum");
      diagnostics.back().notes.push_back(ir::noteAt(places.token(plain->getLocation()),
                                                    "'" + declaration.name + "' is defined here"));
      continue;
    }
    add({&declaration, function}, called);
  }
}

void Spectrums::add(const DeclaredFunction &declared, clang::FunctionDecl *called) {
  const std::string &name = declared.declaration->name;
  auto own = std::find_if(sources.begin(), sources.end(), [&](const SpectrumSource &s) {
    return s.name == name && s.isTemplate() == declared.declaration->isTemplate;
  });
  if (own == sources.end()) {
    sources.push_back({name, called->getCanonicalDecl(), declared, {}, {}});
    own = std::prev(sources.end());
  } else if (!declared.declaration->isDefinition) {
    if (own->isExplicit())
      own->redeclarations.push_back(declared);
    else
      own->reference = declared;
  }
  if (declared.declaration->isOfInstance)
    own->ofInstances.push_back(declared);
  else if (declared.declaration->isDefinition)
    own->codelets.push_back(declared);
}

const SpectrumSource *Spectrums::calledBy(const clang::FunctionDecl *function) const {
  if (function == nullptr)
    return nullptr;
  if (const clang::FunctionTemplateDecl *pattern = function->getPrimaryTemplate())
    function = pattern->getTemplatedDecl();
  auto found = std::find_if(sources.begin(), sources.end(), [&](const SpectrumSource &s) {
    return s.called == function->getCanonicalDecl();
  });
  return found == sources.end() ? nullptr : &*found;
}

} // namespace tangram::frontend
