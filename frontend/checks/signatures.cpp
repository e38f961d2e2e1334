#include "frontend/checks/signatures.h"

namespace tangram::frontend {

namespace {

std::string parameters(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " parameter" : " parameters");
}

/// The type of a parameter as authors write it.
std::string written(const ir::Type &type) {
  const bool isPositional = type.scalar == ir::Scalar::Index && !type.isContainer();
  return isPositional ? "__positional unsigned long" : ir::spelling(type);
}

} // namespace

void checkSignature(LoweredFile &file, const DeclaredFunction &declared, const Signature &signature,
                    const Signature &reference, const SpectrumSource &spectrum) {
  const CodeletDeclaration &set = *spectrum.reference.declaration;
  ir::Diagnostic note = ir::noteAt(file.places.token(set.nameLocation),
                                   "spectrum '" + spectrum.name + "' is declared " +
                                       (set.isDefinition ? "by its first codelet here" : "here"));
  std::string subject = declared.declaration->isDefinition ? "codelet of '" : "declaration of '";
  subject += spectrum.name + "' ";
  auto differs = [&](const ir::SourceLocation &place, const std::string &how) {
    file.error(place, subject + how).notes = {note};
  };
  ir::SourceLocation name = file.places.token(declared.declaration->nameLocation);
  if (signature.result != reference.result)
    differs(name, "returns '" + ir::spelling(signature.result) + "', its spectrum returns '" +
                      ir::spelling(reference.result) + "'");
  if (signature.params.size() != reference.params.size()) {
    differs(name, "has " + parameters(signature.params.size()) + ", its spectrum has " +
                      std::to_string(reference.params.size()));
    return;
  }
  for (std::size_t i = 0; i < reference.params.size(); ++i) {
    const ir::Var &own = *signature.params[i];
    const ir::Type &expected = reference.params[i]->type;
    if (own.type != expected)
      differs(own.location, "has a parameter of type '" + written(own.type) +
                                "', in its spectrum it is '" + written(expected) + "'");
  }
}

} // namespace tangram::frontend
