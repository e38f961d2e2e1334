#include "frontend/lowering/program.h"

#include "frontend/checks/composition.h"
#include "frontend/checks/numbers.h"
#include "frontend/checks/recursion.h"
#include "frontend/checks/signatures.h"
#include "frontend/lowering/codelets.h"
#include "frontend/lowering/counted_loops.h"
#include "frontend/lowering/lowering.h"
#include "frontend/vectors/components.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tangram::frontend {

namespace {

void lowerCodelet(LoweredFile &file, const DeclaredFunction &source, const Signature &reference,
                  const SpectrumSource &spectrumSource, ir::Spectrum &spectrum) {
  ir::Codelet codelet;
  codelet.spectrum = spectrum.name;
  codelet.ordinal = static_cast<unsigned>(spectrum.codelets.size()) + 1;
  codelet.location = file.places.token(source.declaration->nameLocation);
  applyQualifiers(file, *source.declaration, codelet);
  FunctionLowering lowering(file, *source.function,
                            codelet.cooperative ? FunctionRole::Cooperative
                                                : FunctionRole::Autonomous);
  Signature signature = lowering.signature();
  checkSignature(file, source, signature, reference, spectrumSource);
  codelet.params = std::move(signature.params);
  codelet.body = withCountedLoops(lowering.body());
  codelet.typical = lowering.typicalSizes();
  spectrum.codelets.push_back(std::move(codelet));
}

/// A spectrum without its codelets.
ir::Spectrum emptySpectrum(LoweredFile &file, const SpectrumSource &source, std::string name,
                           const Signature &reference) {
  ir::Spectrum spectrum;
  spectrum.name = std::move(name);
  spectrum.result = reference.result;
  spectrum.params = reference.params;
  spectrum.location = file.places.token(source.reference.declaration->nameLocation);
  return spectrum;
}

ir::Spectrum lowerSpectrum(LoweredFile &file, const SpectrumSource &source) {
  Signature reference =
      FunctionLowering(file, *source.reference.function, FunctionRole::Spectrum).signature();
  ir::Spectrum spectrum = emptySpectrum(file, source, source.name, reference);
  for (const DeclaredFunction &again : source.redeclarations) {
    Signature signature =
        FunctionLowering(file, *again.function, FunctionRole::Spectrum).signature();
    checkSignature(file, again, signature, reference, source);
  }
  for (const DeclaredFunction &codelet : source.codelets)
    lowerCodelet(file, codelet, reference, source, spectrum);
  return spectrum;
}

/// The function whose address `auto request = &sum<float>;` takes.
const clang::FunctionDecl *requested(const clang::ASTContext &ast, const std::string &variable) {
  for (const clang::NamedDecl *found :
       ast.getTranslationUnitDecl()->lookup(&ast.Idents.get(variable))) {
    const auto *request = llvm::dyn_cast<clang::VarDecl>(found);
    const clang::Expr *e = request != nullptr ? request->getInit() : nullptr;
    if (e == nullptr)
      continue;
    e = e->IgnoreParenImpCasts();
    if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(e))
      e = address->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *named = llvm::dyn_cast<clang::DeclRefExpr>(e))
      return llvm::dyn_cast<clang::FunctionDecl>(named->getDecl());
  }
  return nullptr;
}

/// The instance that a codelet of one is of.
const Instance &instanceOf(LoweredFile &file, const SpectrumSource &source,
                           const DeclaredFunction &codelet) {
  return file.instances.of(source, *requested(file.ast, instanceVariable(*codelet.declaration)));
}

/// Nothing when Clang refuses what the arguments make of a codelet.
std::optional<ir::Spectrum> lowerInstance(LoweredFile &file, const Instance &instance) {
  const SpectrumSource &source = *instance.source;
  std::size_t known = file.diagnostics.size();
  Signature reference =
      FunctionLowering(file, *instance.called, FunctionRole::Spectrum).signature();
  ir::Spectrum spectrum = emptySpectrum(file, source, instance.name, reference);
  for (const DeclaredFunction &again : source.redeclarations) {
    auto made = file.instances.instantiate(instance, again);
    if (!made)
      return std::nullopt;
    Signature signature =
        FunctionLowering(file, *made->function, FunctionRole::Spectrum).signature();
    checkSignature(file, again, signature, reference, source);
  }
  for (const DeclaredFunction &codelet : source.codelets) {
    auto made = file.instances.instantiate(instance, codelet);
    if (!made)
      return std::nullopt;
    lowerCodelet(file, *made, reference, source, spectrum);
  }
  for (const DeclaredFunction &codelet : source.ofInstances) {
    if (&instanceOf(file, source, codelet) == &instance)
      lowerCodelet(file, codelet, reference, source, spectrum);
  }
  for (; known < file.diagnostics.size(); ++known)
    file.diagnostics[known].notes.push_back(
        ir::noteAt({}, "in the instance '" + instance.name + "'"));
  return spectrum;
}

/// Lowers plain spectrums and instances; an instance stands where its template does.
class Spectra {
public:
  Spectra(LoweredFile &file, clang::Sema &sema) : file(file), sema(sema) {}

  std::vector<ir::Spectrum> lower(const std::vector<std::string> &requests) {
    checkSources();
    isAsked = !requests.empty();
    for (const std::string &variable : requests)
      file.spectrumOf(requested(file.ast, variable));
    for (const SpectrumSource *each : templates)
      file.instances.addExplicit(*each);
    for (const SpectrumSource &source : file.spectrums.all()) {
      if (!source.isTemplate())
        lowered.emplace_back(&source, lowerSpectrum(file, source));
    }
    lowerInstances();
    // An instance that has a codelet of its own is made, too, behind those that are asked for or called.
    for (const SpectrumSource *each : templates) {
      for (const DeclaredFunction &codelet : each->ofInstances)
        instanceOf(file, *each, codelet);
    }
    lowerInstances();
    return inSourceOrder();
  }

private:
  void lowerInstances() {
    while (const Instance *instance = file.instances.next()) {
      if (std::find(templates.begin(), templates.end(), instance->source) == templates.end())
        continue; // refused
      if (auto spectrum = lowerInstance(file, *instance))
        lowered.emplace_back(instance->source, std::move(*spectrum));
    }
  }

  void checkSources() {
    for (const SpectrumSource &source : file.spectrums.all()) {
      if (source.codelets.empty())
        file.error(file.places.token(source.reference.declaration->nameLocation),
                   "spectrum '" + source.name + "' has no codelet");
      if (source.isTemplate() && checkTemplate(sema, source, file.places, file.diagnostics))
        templates.push_back(&source);
    }
  }

  std::vector<ir::Spectrum> inSourceOrder() {
    std::vector<ir::Spectrum> result;
    for (const SpectrumSource &source : file.spectrums.all()) {
      std::size_t before = result.size();
      for (auto &[of, spectrum] : lowered) {
        if (of == &source)
          result.push_back(std::move(spectrum));
      }
      if (result.size() != before || !source.isTemplate())
        continue;
      forgetVariables(source);
      bool isRefused = ir::hasErrors(file.diagnostics) || sema.getDiagnostics().hasErrorOccurred();
      if (!isAsked && !isRefused)
        warnUnused(source);
    }
    return result;
  }

  /// Who asks for instances, or includes a library, has chosen among its templates.
  void warnUnused(const SpectrumSource &source) {
    const clang::SourceManager &sources = file.ast.getSourceManager();
    if (!sources.isWrittenInMainFile(
            sources.getFileLoc(source.reference.declaration->nameLocation)))
      return;
    file.diagnostics.push_back(
        ir::warningAt(file.places.token(source.reference.declaration->nameLocation),
                      "template '" + source.name + "' is not instantiated"));
    file.diagnostics.back().notes = {ir::noteAt(
        {}, "ask for an instance by --instantiate '" + source.name +
                "<...>', or by 'template ... " + source.name + "<...>(...);' in the source")};
  }

  /// Qualified variables of codelets that are not lowered are nobody's.
  void forgetVariables(const SpectrumSource &source) {
    const clang::SourceManager &sources = file.ast.getSourceManager();
    for (const DeclaredFunction &codelet : source.codelets) {
      clang::SourceRange range = codelet.function->getSourceRange();
      clang::SourceLocation begin = sources.getFileLoc(range.getBegin());
      clang::SourceLocation end = sources.getFileLoc(range.getEnd());
      auto &variables = file.qualifiers.variables;
      for (auto each = variables.begin(); each != variables.end();)
        each = sources.isPointWithin(each->first, begin, end) ? variables.erase(each)
                                                              : std::next(each);
    }
  }

  LoweredFile &file;
  clang::Sema &sema;
  std::vector<const SpectrumSource *> templates; ///< those without errors
  bool isAsked = false;
  std::vector<std::pair<const SpectrumSource *, ir::Spectrum>> lowered;
};

/// What is made for a spectrum has a name of its own in C.
void checkNamesInC(LoweredFile &file, const ir::Program &program) {
  std::map<std::string, const ir::Spectrum *> taken;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    auto [other, isNew] = taken.emplace(ir::identifierOf(spectrum.name), &spectrum);
    if (isNew)
      continue;
    file.error(spectrum.location, "'" + spectrum.name + "' and '" + other->second->name +
                                      "' have the same name in generated code, '" + other->first +
                                      "'");
  }
}

void refuseStrayQualifiers(LoweredFile &file) {
  for (const Qualifier &stray : file.qualifiers.pending)
    file.error(file.places.range(stray.range),
               "'" + spelling(stray.kind) + "' must stand beside '__codelet'");
}

/// `__shared`, `__tunable` and `__positional` that no lowered variable has claimed.
void refuseStrayVariables(LoweredFile &file) {
  for (const auto &[location, kind] : file.qualifiers.variables) {
    std::string where = kind == QualifierKind::Shared    ? "a local variable of a '__coop' codelet"
                        : kind == QualifierKind::Tunable ? "an integer local variable of a codelet"
                                                         : "an integer parameter of a codelet";
    file.error(file.places.token(location), "'" + spelling(kind) + "' must qualify " + where);
  }
}

} // namespace

ir::Program lowerProgram(const ParsedFile &parsed, ir::Diagnostics &diagnostics,
                         WrittenSource &source) {
  ir::Diagnostics own = parsed.declarations.diagnostics;
  clang::ASTContext &ast = parsed.sema.getASTContext();
  Spectrums spectrums(ast, parsed.declarations, parsed.places, own);
  bool areAllLowered = own.empty();
  Instances instances(parsed.sema, parsed.places, own);
  LoweredFile file{ast, parsed.places, spectrums, instances, parsed.qualifiers, own};
  ir::Program program;
  program.spectrums = Spectra(file, parsed.sema).lower(parsed.requests);
  program.functions = file.helpers.take();
  source.functions = file.helpers.writtenNames();
  if (!ir::hasErrors(own) && !ir::hasErrors(diagnostics))
    program = splitVectors(std::move(program), own, source);
  checkNamesInC(file, program);
  areAllLowered &= !ir::hasErrors(diagnostics); // instances that Clang has refused
  refuseStrayQualifiers(file);
  if (areAllLowered)
    refuseStrayVariables(file);
  if (!ir::hasErrors(own) && !ir::hasErrors(diagnostics)) {
    checkComposition(program, parsed.declarations, parsed.places, own);
    checkNumbers(program, own);
    checkRecursion(program, own);
  }
  std::stable_sort(own.begin(), own.end(), [](const ir::Diagnostic &a, const ir::Diagnostic &b) {
    return a.location < b.location;
  });
  diagnostics.insert(diagnostics.end(), own.begin(), own.end());
  return program;
}

} // namespace tangram::frontend
