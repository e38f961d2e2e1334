#include "driver/commands/derive_command.h"

#include "composer/rules/spectrum_choice.h"
#include "driver/input/derived_program.h"
#include "driver/input/input.h"
#include "files/write_file.h"

#include <nlohmann/json.hpp>

namespace tangram::driver {

namespace {

std::string placeOf(const ir::SourceLocation &at) {
  return at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string placed(const algebra::NestReason &why) {
  return why.text + (why.location.valid() ? " (" + placeOf(why.location) + ")" : std::string());
}

/// The codelets as a source that can be pasted behind the one they come from.
std::string sourceOf(const composer::Derivation &derivation, bool why) {
  std::string text;
  for (const composer::DerivedCodelet &each : derivation.codelets)
    text += std::string(text.empty() ? "" : "\n") + (why ? "// " + placed(each.why) + "\n" : "") +
            each.text;
  if (const std::string header = headerFor(text); !header.empty())
    text.insert(0, header + "\n");
  if (!why)
    return text;
  for (const composer::NotDerived &each : derivation.reasons)
    text += "\n// " + each.spectrum + ": " + placed(each.why);
  return text + (derivation.reasons.empty() ? "" : "\n");
}

nlohmann::ordered_json jsonOf(const composer::Derivation &derivation) {
  nlohmann::ordered_json made{{"codelets", nlohmann::ordered_json::array()},
                              {"not_derived", nlohmann::ordered_json::array()}};
  for (const composer::DerivedCodelet &each : derivation.codelets)
    made["codelets"].push_back({{"spectrum", each.spectrum},
                                {"tag", each.tag},
                                {"why", each.why.text},
                                {"location", placeOf(each.why.location)},
                                {"source", each.text}});
  for (const composer::NotDerived &each : derivation.reasons)
    made["not_derived"].push_back({{"spectrum", each.spectrum},
                                   {"why", each.why.text},
                                   {"location", placeOf(each.why.location)}});
  return made;
}

} // namespace

int deriveCommand(const DeriveCommandOptions &options, const std::string &file,
                  const frontend::ParseOptions &parsing, composer::DeriveOptions what,
                  std::ostream &out, std::ostream &err) {
  const frontend::ParseResult parsed = frontend::parseFile(file, parsing);
  err << ir::render(parsed.diagnostics);
  if (!parsed.program)
    return 1;
  if (!options.spectrum.empty()) {
    const ir::Spectrum *found = parsed.program->spectrum(options.spectrum);
    if (!found) {
      err << ir::render({composer::unknownSpectrum(*parsed.program, options.spectrum)});
      return 1;
    }
    what.spectrum = found->name;
  }
  const DerivedProgram derived = withDerived(file, parsed, parsing, what);
  const bool isNothing = derived.derivation.codelets.empty();
  const std::string text = options.format == "json" ? jsonOf(derived.derivation).dump(2) + "\n"
                                                    : sourceOf(derived.derivation, options.why);
  if (options.output.empty()) {
    out << text;
  } else if (const std::string failed = files::writeFile(options.output, text); !failed.empty()) {
    err << "error: " << failed << "\n";
    return 1;
  }
  if (!isNothing)
    return 0;
  err << "error: no codelet follows from " << (options.spectrum.empty() ? file : options.spectrum)
      << "\n";
  if (!options.why) {
    for (const composer::NotDerived &each : derived.derivation.reasons)
      err << "note: " << each.spectrum << ": " << placed(each.why) << "\n";
  }
  return 1;
}

} // namespace tangram::driver
