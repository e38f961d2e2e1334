#include "driver/commands/check_command.h"

#include "composer/analysis/analysis.h"
#include "composer/analysis/index_variables.h"
#include "driver/input/derived_program.h"
#include "driver/input/input.h"
#include "driver/text/comma_list.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace tangram::driver {

namespace {

using composer::Access;
using composer::Analysis;
using composer::CodeletAnalysis;
using composer::CodeletKey;
using composer::LevelMatch;
using composer::Requirement;
using composer::Stride;
using composer::StrideClass;
using Json = nlohmann::ordered_json;

std::string signatureOf(const ir::Spectrum &spectrum) {
  std::vector<std::string> params;
  params.reserve(spectrum.params.size());
  for (const ir::VarPtr &param : spectrum.params)
    params.push_back(ir::spelling(param->type) + " " + param->name);
  return ir::spelling(spectrum.result) + " " + spectrum.name + "(" + joined(params) + ")";
}

std::string nameOf(const ir::Program &program, const CodeletKey &key) {
  return program.spectrum(key.spectrum)->codelets[key.codelet].name();
}

// ---------------------------------------------------------------------------- text

std::string domainText(const ir::TunableDomain &domain) {
  std::vector<std::string> values;
  values.reserve(domain.values.size());
  for (std::int64_t value : domain.values)
    values.push_back(std::to_string(value));
  switch (domain.kind) {
  case ir::TunableDomain::Kind::Any:
    return "any value";
  case ir::TunableDomain::Kind::Pow2:
    return "pow2(" + joined(values) + ")";
  case ir::TunableDomain::Kind::Range:
    return "range(" + joined(values) + ")";
  case ir::TunableDomain::Kind::Choice:
    return "choice(" + joined(values) + ")";
  }
  return "";
}

std::string strideText(const Stride &stride) {
  if (stride.strideClass == StrideClass::Constant)
    return "stride " + ir::toString(stride.distance);
  return composer::nameOf(stride.strideClass) + " stride";
}

std::string localityText(const Access &access) {
  bool isSubscript = access.through == Access::Through::Subscript;
  bool isMap = access.through == Access::Through::Map;
  std::vector<std::string> parts;
  if (access.within)
    parts.push_back(strideText(*access.within) + (isSubscript ? " in the loop" : " inside a part"));
  if (access.between)
    parts.push_back(strideText(*access.between) + (isSubscript ? " between lanes"
                                                   : isMap     ? " between workers"
                                                               : " between parts"));
  return parts.empty() ? "once" : joined(parts);
}

std::string useText(const Access &access) {
  if (access.reads && access.writes)
    return "updates";
  return access.writes ? "writes" : "reads";
}

/// Lines of a codelet: what (in a column), subject (in a column), remark.
class Table {
public:
  void row(std::string what, std::string subject, std::string remark) {
    rows_.push_back({std::move(what), std::move(subject), std::move(remark)});
  }

  void print(std::ostream &out) const {
    std::size_t head = 8;
    std::size_t width = 0;
    for (const Row &row : rows_) {
      head = std::max(head, row.what.size());
      width = std::max(width, row.remark.empty() ? 0 : row.subject.size());
    }
    for (const Row &row : rows_) {
      out << "    " << std::left << std::setw(static_cast<int>(head) + 1) << row.what;
      if (row.remark.empty())
        out << row.subject << "\n";
      else
        out << std::setw(static_cast<int>(width)) << row.subject << "  " << row.remark << "\n";
    }
  }

private:
  struct Row {
    std::string what, subject, remark;
  };
  std::vector<Row> rows_;
};

/// "line 12", with the file when it is not the one that is checked (an included one).
std::string placeText(const ir::SourceLocation &location, const std::string &file) {
  std::string line = "line " + std::to_string(location.line);
  return location.file == file ? line : line + " of " + location.file;
}

void printCodelet(const ir::Codelet &codelet, const std::string &file,
                  const CodeletAnalysis &analysis, std::ostream &out) {
  out << "\n  " << codelet.name() << "  " << joined(composer::names(analysis.own)) << "  ("
      << placeText(codelet.location, file) << ")\n";
  Table table;
  if (!codelet.targets.empty())
    table.row("for", joined(codelet.targets), "");
  if (!(analysis.parallelism == analysis.own))
    table.row("offers", joined(composer::names(analysis.parallelism)), "through its callees");
  for (const Requirement &each : analysis.requirements)
    table.row("requires", ir::toString(each.condition),
              each.inferred ? "inferred: " + each.reason
                            : "stated on " + placeText(each.location, file));
  for (const ir::VarPtr &tunable : analysis.tunables)
    table.row("tunable", tunable->name, domainText(tunable->domain));
  if (!analysis.callees.empty())
    table.row("calls", joined(analysis.callees), "");
  for (const Access &access : analysis.accesses)
    table.row(useText(access), access.text, localityText(access));
  table.print(out);
}

std::string countOf(std::size_t n, const std::string &thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

void printLevels(const ir::Program &program, const composer::Machine &machine,
                 const std::vector<LevelMatch> &matches, std::ostream &out) {
  out << "\nlevels of " << machine.name << "\n";
  for (const LevelMatch &match : matches) {
    const composer::Level &level = machine.levels[static_cast<std::size_t>(match.level)];
    out << "  " << level.name << "  " << level.title << "\n";
    Table table;
    auto row = [&](const std::string &capability, const std::vector<CodeletKey> &keys) {
      std::vector<std::string> names;
      names.reserve(keys.size());
      for (const CodeletKey &key : keys)
        names.push_back(nameOf(program, key));
      if (!names.empty())
        table.row(capability, joined(names), "");
    };
    row("scalar", match.scalar);
    row("vector", match.vector);
    row("distribute", match.distribute);
    table.print(out);
  }
}

void printText(const CheckOptions &options, const ir::Program &program, const Analysis &analysis,
               const composer::Machine *machine, std::ostream &out) {
  const std::string derivedFile = fileOfDerived(program.file);
  const auto isShown = [&](const ir::Codelet &codelet) {
    return !options.countsDerived || codelet.location.file != derivedFile;
  };
  std::vector<const ir::Spectrum *> shown;
  std::size_t codelets = 0, derived = 0;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    const auto own = static_cast<std::size_t>(std::ranges::count_if(spectrum.codelets, isShown));
    codelets += own;
    derived += spectrum.codelets.size() - own;
    if (own > 0 || spectrum.codelets.empty())
      shown.push_back(&spectrum);
  }
  out << program.file << ": " << countOf(shown.size(), "spectrum") << ", "
      << countOf(codelets, "codelet");
  if (derived > 0)
    out << ", and " << derived << " that " << (derived == 1 ? "follows" : "follow")
        << " from loops (--derive loops shows " << (derived == 1 ? "it" : "them") << ")";
  out << "\n";
  for (const ir::Spectrum *spectrum : shown) {
    out << "\n" << signatureOf(*spectrum) << "\n";
    for (unsigned i = 0; i < spectrum->codelets.size(); ++i) {
      if (isShown(spectrum->codelets[i]))
        printCodelet(spectrum->codelets[i], program.file, analysis.of({spectrum->name, i}), out);
    }
  }
  if (machine)
    printLevels(program, *machine, composer::matchLevels(program, analysis, *machine), out);
}

// ---------------------------------------------------------------------------- JSON

Json json(const ir::SourceLocation &location) {
  if (!location.valid())
    return nullptr;
  return {{"file", location.file}, {"line", location.line}, {"column", location.column}};
}

Json json(const std::optional<Stride> &stride) {
  if (!stride)
    return nullptr;
  Json distance = stride->distance ? Json(ir::toString(stride->distance)) : Json(nullptr);
  return {{"class", composer::nameOf(stride->strideClass)}, {"distance", distance}};
}

std::string throughName(Access::Through through) {
  switch (through) {
  case Access::Through::Subscript:
    return "subscript";
  case Access::Through::Partition:
    return "partition";
  case Access::Through::Sequence:
    return "sequence";
  case Access::Through::Map:
    return "map";
  }
  return "";
}

Json json(const Access &access) {
  return {{"text", access.text},
          {"through", throughName(access.through)},
          {"reads", access.reads},
          {"writes", access.writes},
          {"within", json(access.within)},
          {"between", json(access.between)},
          {"location", json(access.location)}};
}

Json json(const Requirement &requirement) {
  return {{"condition", ir::toString(requirement.condition)},
          {"inferred", requirement.inferred},
          {"reason", requirement.reason},
          {"location", json(requirement.location)}};
}

Json json(const ir::TunableDomain &domain) {
  static constexpr const char *kinds[] = {"any", "pow2", "range", "choice"};
  return {{"kind", kinds[static_cast<std::size_t>(domain.kind)]}, {"values", domain.values}};
}

Json json(const ir::Codelet &codelet, const CodeletAnalysis &analysis) {
  Json tunables = Json::array();
  for (const ir::VarPtr &tunable : analysis.tunables)
    tunables.push_back({{"name", tunable->name}, {"domain", json(tunable->domain)}});
  Json requirements = Json::array();
  for (const Requirement &each : analysis.requirements)
    requirements.push_back(json(each));
  Json accesses = Json::array();
  for (const Access &each : analysis.accesses)
    accesses.push_back(json(each));
  return {{"name", codelet.name()},
          {"tag", codelet.tag},
          {"ordinal", codelet.ordinal},
          {"location", json(codelet.location)},
          {"targets", codelet.targets},
          {"properties", composer::names(analysis.own)},
          {"parallelism", composer::names(analysis.parallelism)},
          {"tunables", tunables},
          {"requirements", requirements},
          {"callees", analysis.callees},
          {"accesses", accesses}};
}

Json json(const ir::Spectrum &spectrum, const Analysis &analysis) {
  Json codelets = Json::array();
  for (unsigned i = 0; i < spectrum.codelets.size(); ++i)
    codelets.push_back(json(spectrum.codelets[i], analysis.of({spectrum.name, i})));
  return {{"name", spectrum.name},
          {"signature", signatureOf(spectrum)},
          {"location", json(spectrum.location)},
          {"parallelism", composer::names(analysis.spectrums.at(spectrum.name))},
          {"codelets", codelets}};
}

Json json(const ir::Program &program, const std::vector<CodeletKey> &keys) {
  Json result = Json::array();
  for (const CodeletKey &key : keys)
    result.push_back({{"spectrum", key.spectrum}, {"codelet", nameOf(program, key)}});
  return result;
}

Json levelsJson(const ir::Program &program, const Analysis &analysis,
                const composer::Machine &machine) {
  Json levels = Json::array();
  for (const LevelMatch &match : composer::matchLevels(program, analysis, machine))
    levels.push_back({{"level", machine.levels[static_cast<std::size_t>(match.level)].name},
                      {"scalar", json(program, match.scalar)},
                      {"vector", json(program, match.vector)},
                      {"distribute", json(program, match.distribute)}});
  return levels;
}

Json json(const ir::Diagnostics &diagnostics) {
  static constexpr const char *severities[] = {"note", "warning", "error"};
  Json result = Json::array();
  for (const ir::Diagnostic &d : diagnostics)
    result.push_back({{"severity", severities[static_cast<std::size_t>(d.severity)]},
                      {"location", json(d.location)},
                      {"message", d.message},
                      {"suggestion", d.suggestion},
                      {"notes", json(d.notes)}});
  return result;
}

} // namespace

int checkCommand(const CheckOptions &options, const ir::Program &program,
                 const ir::Diagnostics &diagnostics, const composer::Machine *machine,
                 std::ostream &out, std::ostream &err) {
  bool failed = ir::hasErrors(diagnostics);
  Analysis analysis = failed ? Analysis{} : composer::analyse(program);
  ir::Diagnostics all = diagnostics;
  std::ranges::move(aboutTheSource(analysis.warnings, program.file), std::back_inserter(all));
  if (!failed) {
    ir::Program widened = composer::widenIndexVariables(program);
    markImpossible(widened);
    std::ranges::move(aboutTheSource(lockstepWarnings(widened), program.file),
                      std::back_inserter(all));
    std::ranges::move(meaningWarnings(program), std::back_inserter(all));
    if (program.spectrums.empty() && all.empty())
      all.push_back(
          ir::warningAt({program.file, 0, 0, 1},
                        "the source has no spectrum: __codelet before a function makes one of it"));
  }
  err << ir::render(all);
  if (options.format == "json") {
    Json document = {{"file", program.file}, {"spectrums", Json::array()}};
    for (const ir::Spectrum &spectrum : program.spectrums) {
      if (!failed)
        document["spectrums"].push_back(json(spectrum, analysis));
    }
    if (machine && !failed) {
      document["model"] = machine->name;
      document["levels"] = levelsJson(program, analysis, *machine);
    }
    document["diagnostics"] = json(all);
    out << json::dumped(document, 2) << "\n";
  } else if (!failed) {
    printText(options, program, analysis, machine, out);
  }
  return failed ? 1 : 0;
}

} // namespace tangram::driver
