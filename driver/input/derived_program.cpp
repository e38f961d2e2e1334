#include "driver/input/derived_program.h"

#include "composer/analysis/index_variables.h"
#include "driver/text/comma_list.h"
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

namespace {

/// The program with functions called as source does: of several of one name the program has other names for some.
ir::Program withWrittenCalls(ir::Program program,
                             const std::map<std::string, std::string> &written) {
  if (written.empty())
    return program;
  for (ir::Spectrum &spectrum : program.spectrums) {
    for (ir::Codelet &codelet : spectrum.codelets)
      codelet.body = ir::mapExprs(codelet.body, [&](const ir::ExprPtr &e) {
        return ir::rewrite(e, [&](const ir::ExprPtr &each) -> ir::ExprPtr {
          const auto found =
              each->kind == ir::ExprKind::Call ? written.find(each->callee) : written.end();
          return found == written.end() ? each : ir::call(found->second, each->type, each->args);
        });
      });
  }
  return program;
}

/// The spectrum that the codelet on this line of what is derived follows from.
std::string sourceOfLine(const composer::Derivation &derivation, unsigned line) {
  unsigned end = 0;
  for (const composer::DerivedCodelet &codelet : derivation.codelets) {
    end += static_cast<unsigned>(std::ranges::count(codelet.text, '\n')) +
           1; // and the line between two
    if (line <= end)
      return codelet.from;
  }
  return "";
}

/// The header of the numbers that have a name alone, where the text names one: Clang takes longer to read it than all else.
std::string headerFor(const std::string &text) {
  const bool namesNumbers =
      text.find("INFINITY") != std::string::npos || text.find("NAN") != std::string::npos;
  return namesNumbers ? "#include <cmath>\n" : "";
}

} // namespace

DerivedProgram withDerived(const std::string &file, const frontend::ParseResult &parsed,
                           const frontend::ParseOptions &parsing, composer::DeriveOptions options) {
  DerivedProgram result;
  const auto text = files::readFile(file);
  const auto *source = std::get_if<std::string>(&text);
  if (source == nullptr)
    return result; // a pipe, which can be read once
  const ir::Program program =
      withWrittenCalls(composer::widenIndexVariables(*parsed.program), parsed.source.functions);
  for (const std::string &spectrum : parsed.source.ofVectors)
    options.left[spectrum] = "its containers hold vectors";
  while (true) {
    result.derivation = composer::derive(program, options);
    if (result.derivation.codelets.empty())
      return result;
    const std::string derived = result.derivation.text();
    frontend::ParseResult both =
        frontend::parseText(*source + "\n" + headerFor(derived) + "#line 1 \"" +
                                fileOfDerived(program.file) + "\"\n" + derived,
                            program.file, parsing);
    if (both.program) {
      both.program->contentHash = parsed.program->contentHash;
      result.program = std::move(both.program);
      return result;
    }
    // The rest of the program is none the worse for one that cannot be written: it calls one of several functions of a
    // name, which the program has other names for.
    const auto error =
        std::ranges::find(both.diagnostics, ir::Severity::Error, &ir::Diagnostic::severity);
    const std::string from = sourceOfLine(result.derivation, error->location.line);
    const std::string why = "what follows cannot be written: " + error->message;
    if (from.empty() || !options.left.emplace(from, why).second) {
      result.derivation = {};
      return result;
    }
  }
}

} // namespace tangram::driver
