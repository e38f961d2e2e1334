#include "frontend/instances.h"

#include "frontend/lowering/types.h"
#include "frontend/places.h"

#include <algorithm>

namespace tangram::frontend {

namespace {

/// More than any library needs; a template that instantiates itself without end has as many.
constexpr std::size_t mostInstances = 256;

std::string argumentText(const clang::ASTContext &ast, const clang::TemplateArgument &argument);

/// A template argument as an author would write it.
std::string argumentText(const clang::ASTContext &ast, const clang::TemplateArgument &argument) {
  if (argument.getKind() == clang::TemplateArgument::Type) {
    auto type = typeOf(ast, argument.getAsType());
    return type ? ir::spelling(*type) : spelling(ast, argument.getAsType());
  }
  if (argument.getKind() == clang::TemplateArgument::Declaration) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(argument.getAsDecl());
    std::string name = argument.getAsDecl()->getQualifiedNameAsString();
    const clang::TemplateArgumentList *inner =
        function != nullptr ? function->getTemplateSpecializationArgs() : nullptr;
    return inner != nullptr ? nameWithArguments(ast, name, *inner) : name;
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  argument.print(clang::PrintingPolicy(ast.getLangOpts()), stream, /*IncludeType=*/false);
  return text;
}

} // namespace

std::string nameWithArguments(const clang::ASTContext &ast, const std::string &name,
                              const clang::TemplateArgumentList &arguments) {
  std::string text;
  for (const clang::TemplateArgument &argument : arguments.asArray())
    text += (text.empty() ? "" : ", ") + argumentText(ast, argument);
  return name + "<" + text + ">";
}

const Instance &Instances::of(const SpectrumSource &source, const clang::FunctionDecl &called) {
  const clang::FunctionDecl *canonical = called.getCanonicalDecl();
  for (const Instance &known : all) {
    if (known.called == canonical)
      return known;
  }
  std::string name =
      nameWithArguments(sema.Context, source.name, *called.getTemplateSpecializationArgs());
  // `unsigned long long` and `unsigned long` are one type of the language.
  for (const Instance &known : all) {
    if (known.source == &source && known.name == name)
      return known;
  }
  if (all.size() == mostInstances) {
    diagnostics.push_back(ir::errorAt(places.token(source.reference.declaration->nameLocation),
                                      "instantiation of '" + source.name + "' does not end: '" +
                                          name + "' is one too many"));
    done = all.size() + 1;
  }
  all.push_back({&source, std::move(name), canonical});
  return all.back();
}

void Instances::addExplicit(const SpectrumSource &source) {
  std::vector<const clang::FunctionDecl *> found;
  for (const clang::FunctionDecl *each :
       source.called->getDescribedFunctionTemplate()->specializations()) {
    if (each->getTemplateSpecializationKind() == clang::TSK_ExplicitInstantiationDefinition)
      found.push_back(each);
  }
  const clang::SourceManager &sources = sema.getSourceManager();
  std::sort(found.begin(), found.end(), [&](const auto *a, const auto *b) {
    return sources.isBeforeInTranslationUnit(a->getPointOfInstantiation(),
                                             b->getPointOfInstantiation());
  });
  for (const clang::FunctionDecl *each : found)
    of(source, *each);
}

std::optional<DeclaredFunction> Instances::instantiate(const Instance &instance,
                                                       const DeclaredFunction &pattern) {
  unsigned errorsBefore = sema.getDiagnostics().getClient()->getNumErrors();
  clang::SourceLocation place = pattern.declaration->nameLocation;
  clang::FunctionDecl *made =
      sema.InstantiateFunctionDeclaration(pattern.function->getDescribedFunctionTemplate(),
                                          instance.called->getTemplateSpecializationArgs(), place);
  if (made != nullptr && pattern.declaration->isDefinition) {
    sema.InstantiateFunctionDefinition(place, made, /*Recursive=*/true,
                                       /*DefinitionRequired=*/true);
    sema.PerformPendingInstantiations();
  }
  bool isRefused = made == nullptr || made->isInvalidDecl() ||
                   sema.getDiagnostics().getClient()->getNumErrors() != errorsBefore;
  if (isRefused)
    return std::nullopt;
  return DeclaredFunction{pattern.declaration, made};
}

bool checkTemplate(clang::Sema &sema, const SpectrumSource &source, const Places &places,
                   ir::Diagnostics &diagnostics) {
  clang::TemplateParameterList *expected =
      source.called->getDescribedFunctionTemplate()->getTemplateParameters();
  bool fits = true;
  auto refuse = [&](clang::SourceLocation at, const std::string &message) {
    diagnostics.push_back(ir::errorAt(places.token(at), message));
    fits = false;
  };
  for (const clang::NamedDecl *parameter : *expected) {
    std::string named = " '" + parameter->getNameAsString() + "'";
    if (llvm::isa<clang::TemplateTemplateParmDecl>(parameter))
      refuse(parameter->getLocation(),
             "unsupported construct: template parameter" + named + " that is a template");
    else if (parameter->isParameterPack())
      refuse(parameter->getLocation(), "unsupported construct: template parameter pack" + named);
  }
  for (const clang::FunctionDecl *each :
       source.called->getDescribedFunctionTemplate()->specializations()) {
    // Those marked __codelet are refused where the mark is read.
    ir::SourceLocation at = places.token(each->getLocation());
    bool isKnown = std::any_of(diagnostics.begin(), diagnostics.end(), [&](const auto &known) {
      return known.location.file == at.file && known.location.line == at.line;
    });
    if (each->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization && !isKnown)
      refuse(each->getLocation(), "unsupported construct: specialization of a spectrum");
  }
  for (const DeclaredFunction &each : source.codelets) {
    clang::TemplateParameterList *own =
        each.function->getDescribedFunctionTemplate()->getTemplateParameters();
    if (sema.TemplateParameterListsAreEqual(own, expected, /*Complain=*/false,
                                            clang::Sema::TPL_TemplateMatch))
      continue;
    refuse(each.declaration->nameLocation,
           "codelet of '" + source.name + "' has other template parameters than its spectrum");
    diagnostics.back().notes = {ir::noteAt(places.token(source.reference.declaration->nameLocation),
                                           "spectrum '" + source.name + "' is declared here")};
  }
  return fits;
}

} // namespace tangram::frontend
