#include "driver/derived_program.h"

#include "composer/analysis/index_variables.h"
#include "driver/comma_list.h"
#include "files/read_file.h"

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

DerivedProgram withDerived(const std::string &file, const ir::Program &program,
                           const frontend::ParseOptions &parsing,
                           const composer::DeriveOptions &options) {
  DerivedProgram result;
  result.derivation = composer::derive(composer::widenIndexVariables(program), options);
  if (result.derivation.codelets.empty())
    return result;
  const auto text = files::readFile(file);
  const auto *source = std::get_if<std::string>(&text);
  if (source == nullptr)
    return result; // it could be read before: a pipe
  // Places in what is derived are lines of it, and say so.
  frontend::ParseResult parsed =
      frontend::parseText(*source + "\n#include <cmath>\n#line 1 \"" + program.file +
                              " (derived)\"\n" + result.derivation.text(),
                          program.file, parsing);
  if (!parsed.program) {
    result.diagnostics = parsed.diagnostics;
    return result;
  }
  parsed.program->contentHash = program.contentHash;
  result.program = std::move(parsed.program);
  return result;
}

} // namespace tangram::driver
