#include "driver/input/derived_program.h"

#include "composer/analysis/index_variables.h"
#include "composer/derive/inlined_updates.h"
#include "composer/derive/own_names.h"
#include "composer/derive/source_text.h"
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

std::string headerFor(const std::string &text) {
  const bool namesNumbers =
      text.find("INFINITY") != std::string::npos || text.find("NAN") != std::string::npos;
  return namesNumbers ? "#include <cmath>\n" : "";
}

namespace {

/// The call of a function of vectors, which the program has a function of components for.
ir::ExprPtr callOfVectors(const ir::Expr &call, const frontend::VectorFunction &written,
                          const std::string &name) {
  std::vector<ir::ExprPtr> args;
  auto next = call.args.begin();
  for (const ir::Type &param : written.params) {
    if (param.lanes == 1) {
      args.push_back(*next++);
      continue;
    }
    const std::vector<ir::ExprPtr> parts(next, next + param.lanes);
    next += param.lanes;
    const ir::Type type = ir::vectorType(param.scalar, param.lanes);
    args.push_back(ir::call(ir::spelling(type), type, parts));
  }
  const ir::ExprPtr made = ir::call(name, written.result, args);
  return written.result.lanes == 1 ? made : composer::componentOfCall(made, written.component);
}

/// The program with functions called as source does: of several of one name the program has other names for some, and
/// components for vectors.
ir::Program withWrittenCalls(ir::Program program, const frontend::WrittenSource &source) {
  const auto writtenName = [&](const std::string &name) {
    const auto found = source.functions.find(name);
    return found == source.functions.end() ? name : found->second;
  };
  if (source.functions.empty() && source.vectorFunctions.empty())
    return program;
  for (ir::Spectrum &spectrum : program.spectrums) {
    for (ir::Codelet &codelet : spectrum.codelets)
      codelet.body = ir::mapExprs(codelet.body, [&](const ir::ExprPtr &e) {
        return ir::rewrite(e, [&](const ir::ExprPtr &each) -> ir::ExprPtr {
          if (each->kind != ir::ExprKind::Call)
            return each;
          const auto found = source.vectorFunctions.find(each->callee);
          if (found != source.vectorFunctions.end())
            return callOfVectors(*each, found->second, writtenName(found->second.name));
          const std::string name = writtenName(each->callee);
          return name == each->callee ? each : ir::call(name, each->type, each->args);
        });
      });
  }
  return program;
}

/// Whether it is what the program requires of the components of a vector.
bool isAboutComponents(const ir::Stmt &s) {
  return s.kind == ir::StmtKind::Require && ir::contains(s.value, [](const ir::Expr &e) {
           return e.kind == ir::ExprKind::Size && e.args[0]->type.lanes > 1 &&
                  e.integer == composer::sourceRank(e.args[0]->type);
         });
}

/// The program with types of containers that say how many components their elements have (composer/derive/source_text.h).
ir::Program withComponents(ir::Program program, const frontend::WrittenSource &source) {
  for (ir::Spectrum &spectrum : program.spectrums) {
    const auto components = source.components.find(spectrum.name);
    if (components == source.components.end())
      continue;
    const auto mark = [&](std::vector<ir::VarPtr> &params) {
      std::map<const ir::Var *, ir::VarPtr> marked;
      for (std::size_t i = 0; i < params.size(); ++i) {
        auto copy = std::make_shared<ir::Var>(*params[i]);
        copy->type.lanes = components->second[i];
        marked[params[i].get()] = copy;
        params[i] = copy;
      }
      return marked;
    };
    mark(spectrum.params);
    for (ir::Codelet &codelet : spectrum.codelets) {
      codelet.body = composer::withVariables(codelet.body, mark(codelet.params));
      codelet.body = ir::rewrite(
          codelet.body, [](const ir::StmtPtr &s) { return isAboutComponents(*s) ? nullptr : s; });
    }
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

} // namespace

DerivedProgram withDerived(const std::string &file, const frontend::ParseResult &parsed,
                           const frontend::ParseOptions &parsing, composer::DeriveOptions options) {
  DerivedProgram result;
  const auto text = files::readFile(file);
  const auto *source = std::get_if<std::string>(&text);
  if (source == nullptr)
    return result; // a pipe, which can be read once
  const ir::Program program = withComponents(
      withWrittenCalls(composer::withInlinedUpdates(composer::widenIndexVariables(*parsed.program)),
                       parsed.source),
      parsed.source);
  for (const std::string &spectrum : parsed.source.ofVectors)
    options.left[spectrum] = "it is given a vector, or returns one";
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
