#include "driver/input/fusion_notes.h"

#include "composer/derive/fused_loops.h"
#include "driver/input/derived_program.h"

namespace tangram::driver {

namespace {

std::string placed(const algebra::NestReason &why) {
  const ir::SourceLocation &at = why.location;
  return why.text + (at.valid() ? " (" + at.file + ":" + std::to_string(at.line) + ":" +
                                      std::to_string(at.column) + ")"
                                : std::string());
}

} // namespace

std::vector<std::string> fusionNotes(const std::string &file, const frontend::ParseOptions &parsing,
                                     const composer::DeriveOptions &derive,
                                     const std::string &spectrum) {
  std::vector<std::string> notes;
  const frontend::ParseResult parsed = frontend::parseFile(file, parsing);
  if (!parsed.program)
    return notes;
  const composer::Derivation derivation = withDerived(file, parsed, parsing, derive).derivation;
  for (const composer::DerivedCodelet &each : derivation.codelets) {
    if (each.spectrum == spectrum && each.tag == "derived_fused")
      notes.push_back(each.tag + ": " + placed(each.why));
  }
  for (const composer::NotDerived &each : derivation.reasons) {
    if (each.spectrum == spectrum && composer::isOfFusion(each.why))
      notes.push_back(placed(each.why));
  }
  return notes;
}

} // namespace tangram::driver
