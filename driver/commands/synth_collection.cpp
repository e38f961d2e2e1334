#include "driver/commands/synth_collection.h"

#include "driver/choosing/plan_bundle.h"
#include "driver/commands/synth_results.h"
#include "driver/text/comma_list.h"
#include "escape/escape.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace tangram::driver {

namespace {

int failed(std::ostream &err, const std::string &message) {
  err << "error: " << message << "\n";
  return 1;
}

/// By --prefix and --name, or the name of the source's file; NAME_library where a function has that one.
std::string collectionName(const SynthOptions &options, const std::vector<SynthOptions> &members,
                           const ir::Program &program) {
  if (!options.name.empty())
    return options.prefix + options.name;
  const std::string name =
      options.prefix + ir::identifierOf(std::filesystem::path(program.file).stem().string());
  const bool isTaken = std::ranges::any_of(
      members, [&](const SynthOptions &each) { return libraryName(each) == name; });
  return isTaken ? name + "_library" : name;
}

} // namespace

std::vector<NamedSpectrum> spectrumsIn(const std::string &list) {
  std::vector<NamedSpectrum> spectrums;
  for (const std::string &item : itemsOf(list)) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos)
      spectrums.push_back({item, ""});
    else
      spectrums.push_back({item.substr(equals + 1), item.substr(0, equals)});
  }
  return spectrums;
}

int synthCollection(const SynthOptions &all, std::vector<SynthOptions> members,
                    const ir::Program &program, const composer::Machine &machine, std::ostream &out,
                    std::ostream &err) {
  codegen::CollectionRequest request;
  request.name = collectionName(all, members, program);
  if (const std::string problem = problemOfLibrary(request.name, all.python); !problem.empty())
    return failed(err, problem);
  request.target = all.target;
  request.model = machine.name;
  request.sourceFile =
      escape::terminalLine(std::filesystem::path(program.file).filename().string());
  request.sourceHash = program.contentHash;
  request.version = all.version;
  request.python = all.python;
  std::vector<SynthResult> results;
  for (SynthOptions &each : members) {
    each.output = all.output / libraryName(each);
    each.collection = request.name;
    each.collect = [&](codegen::CollectionMember member) {
      request.members.push_back(std::move(member));
    };
    results.push_back(synthesize(each, program, machine, err));
    if (results.back().status != 0)
      return results.back().status;
  }
  auto files = codegen::makeCollection(request);
  if (auto *refusal = std::get_if<codegen::Refusal>(&files))
    return failed(err, textOf(*refusal));
  if (const std::string problem =
          codegen::writeBundle(std::get<codegen::BundleFiles>(files), all.output, all.writing);
      !problem.empty())
    return failed(err, problem);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (all.format != "json") {
      printSynthesis(members[i], results[i], out);
      continue;
    }
    list.push_back(synthesisJson(members[i], results[i], machine.name));
  }
  if (all.format == "json")
    out << json::dumped(nlohmann::ordered_json{{"bundle", all.output.string()},
                                               {"name", request.name},
                                               {"spectrums", list}},
                        2)
        << "\n";
  return 0;
}

} // namespace tangram::driver
