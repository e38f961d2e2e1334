#include "frontend/lowering/program.h"

#include "frontend/checks/composition.h"
#include "frontend/checks/recursion.h"
#include "frontend/checks/signatures.h"
#include "frontend/lowering/codelets.h"
#include "frontend/lowering/lowering.h"

#include <algorithm>

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
  codelet.body = lowering.body();
  spectrum.codelets.push_back(std::move(codelet));
}

ir::Spectrum lowerSpectrum(LoweredFile &file, const SpectrumSource &source) {
  Signature reference =
      FunctionLowering(file, *source.reference.function, FunctionRole::Spectrum).signature();
  ir::Spectrum spectrum;
  spectrum.name = source.name;
  spectrum.result = reference.result;
  spectrum.params = reference.params;
  spectrum.location = file.places.token(source.reference.declaration->nameLocation);
  for (const DeclaredFunction &again : source.redeclarations) {
    Signature signature =
        FunctionLowering(file, *again.function, FunctionRole::Spectrum).signature();
    checkSignature(file, again, signature, reference, source);
  }
  for (const DeclaredFunction &codelet : source.codelets)
    lowerCodelet(file, codelet, reference, source, spectrum);
  if (source.codelets.empty())
    file.error(spectrum.location, "spectrum '" + spectrum.name + "' has no codelet");
  return spectrum;
}

void refuseStrayQualifiers(LoweredFile &file) {
  for (const Qualifier &stray : file.qualifiers.pending)
    file.error(file.places.range(stray.range),
               "'" + spelling(stray.kind) + "' must stand beside '__codelet'");
}

/// `__shared` and `__tunable` that no lowered variable has claimed.
void refuseStrayVariables(LoweredFile &file) {
  for (const auto &[location, kind] : file.qualifiers.variables) {
    std::string where = kind == QualifierKind::Shared ? "a local variable of a '__coop' codelet"
                                                      : "an integer local variable of a codelet";
    file.error(file.places.token(location), "'" + spelling(kind) + "' must qualify " + where);
  }
}

} // namespace

ir::Program lowerProgram(clang::ASTContext &ast, const Places &places,
                         const CodeletDeclarations &declarations, Qualifiers &qualifiers,
                         ir::Diagnostics &diagnostics) {
  ir::Diagnostics own = declarations.diagnostics;
  Spectrums spectrums(ast, declarations, places, own);
  bool areAllLowered = own.empty();
  LoweredFile file{ast, places, spectrums, qualifiers, own};
  ir::Program program;
  for (const SpectrumSource &source : spectrums.all())
    program.spectrums.push_back(lowerSpectrum(file, source));
  program.functions = file.helpers.take();
  refuseStrayQualifiers(file);
  if (areAllLowered)
    refuseStrayVariables(file);
  if (!ir::hasErrors(own)) {
    checkComposition(program, declarations, places, own);
    checkRecursion(program, own);
  }
  std::stable_sort(own.begin(), own.end(), [](const ir::Diagnostic &a, const ir::Diagnostic &b) {
    return a.location < b.location;
  });
  diagnostics.insert(diagnostics.end(), own.begin(), own.end());
  return program;
}

} // namespace tangram::frontend
