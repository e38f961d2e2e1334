#include "driver/derived_program.h"

#include "composer/analysis/index_variables.h"
#include "driver/comma_list.h"
#include "files/read_file.h"

#include <algorithm>

namespace tangram::driver {

composer::DeriveOptions deriveOptions(const std::string &said) {
  using From = composer::DeriveOptions::From;
  composer::DeriveOptions options;
  if (said.empty() || said == "loops")
    return options;
  options.from = said == "none" ? From::None : From::All;
  if (said == "none" || said == "all")
    return options;
  const std::vector<std::string> tags = itemsOf(said);
  options.tags = {tags.begin(), tags.end()};
  return options;
}

std::string fileOfDerived(const std::string &file) { return file + " (derived)"; }

DerivedProgram withDerived(const std::string &file, const frontend::ParseResult &parsed,
                           const frontend::ParseOptions &parsing, composer::DeriveOptions options) {
  DerivedProgram result;
  const ir::Program &program = *parsed.program;
  options.ofVectors = parsed.ofVectors;
  result.derivation = composer::derive(composer::widenIndexVariables(program), options);
  if (result.derivation.codelets.empty())
    return result;
  const auto text = files::readFile(file);
  const auto *source = std::get_if<std::string>(&text);
  if (source == nullptr)
    return result; // a pipe, which can be read once
  frontend::ParseResult both =
      frontend::parseText(*source + "\n#include <cmath>\n#line 1 \"" + fileOfDerived(program.file) +
                              "\"\n" + result.derivation.text(),
                          program.file, parsing);
  if (!both.program) {
    const auto error =
        std::ranges::find(both.diagnostics, ir::Severity::Error, &ir::Diagnostic::severity);
    result.diagnostics.push_back(
        ir::warningAt(error->location,
                      "what follows from loops is left out, by a mistake of tangram, which please "
                      "report: " +
                          error->message));
    return result;
  }
  both.program->contentHash = program.contentHash;
  result.program = std::move(both.program);
  return result;
}

} // namespace tangram::driver
