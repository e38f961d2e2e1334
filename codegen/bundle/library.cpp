#include "codegen/bundle/library.h"

#include "codegen/bundle/interface_names.h"
#include "codegen/bundle/package.h"
#include "codegen/bundle/python_module.h"
#include "codegen/pipeline/backends.h"
#include "codegen/printing/long_lines.h"
#include "composer/machine/target_words.h"
#include "escape/escape.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace tangram::codegen {

using nlohmann::ordered_json;

namespace {

std::string printLibraryManifest(const LibraryRequest &request,
                                 const std::map<std::string, std::string> &files) {
  const BundleRequest &common = request.common;
  ordered_json m;
  m["format"] = "tangram-bundle";
  m["version"] = 2;
  m["generator"] = "tangram 0.1.0";
  m["spectrum"] = ir::identifierOf(common.spectrum);
  m["target"] = composer::modelTarget(common.target);
  m["model"] = common.machine->name;
  m["source"] = {{"file", escape::terminalLine(
                              std::filesystem::path(common.program->file).filename().string())},
                 {"hash", common.program->contentHash}};
  for (const LibraryVersion &version : request.versions)
    m["versions"].push_back(version.planId);
  for (const VersionRule &rule : request.rules) {
    ordered_json each;
    if (!rule.when.empty())
      each["when"] = rule.when;
    each["version"] = request.versions[rule.version].planId;
    m["rules"].push_back(each);
  }
  if (request.online)
    m["online"] = true;
  m["files"] = files;
  return json::dumped(m, 2) + "\n";
}

} // namespace

std::string functionOf(const BundleRequest &request) {
  return request.function.empty() ? ir::identifierOf(request.spectrum) : request.function;
}

std::string functionOfVersion(const BundleRequest &library, const std::string &planId) {
  return functionOf(library) + "_" + planId;
}

std::variant<BundleFiles, Refusal> makeLibrary(const LibraryRequest &request) {
  auto made = planForPrediction(request.common);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  LoweredPlan &plan = std::get<LoweredPlan>(made);
  const ir::Spectrum &spectrum = *request.common.program->spectrum(request.common.spectrum);
  const Backend &backend = backendOf(*plan.target);
  plan.spectrum = functionOf(request.common);
  if (auto clash = clashOfNames(plan, spectrum, request.common.python))
    return *clash;
  const std::string name = plan.spectrum;
  BundleFiles files;
  std::vector<VersionSource> versions;
  std::vector<std::string> sources{backend.hostFile(name)};
  for (const LibraryVersion &version : request.versions) {
    const std::string function = functionOfVersion(request.common, version.planId);
    versions.push_back({version.planId, function, version.steps});
    std::string path = version.planId;
    path += "/" + backend.hostFile(function);
    sources.push_back(path);
    for (const auto &[file, text] : version.files)
      files[version.planId + "/" + file] = text;
  }
  const CSource source =
      backend.dispatch({plan, spectrum, name, versions, request.rules, request.online});
  files[sources.front()] = withBrokenLines(source.text);
  files[name + ".h"] = withBrokenLines(source.header);
  const std::string example = backend.exampleFile();
  files[example] = withBrokenLines(backend.example(plan, spectrum, sources));
  files.merge(packageFiles(plan, sources, request.common.version));
  if (request.common.python)
    files[name + ".py"] = printPythonModule(plan, spectrum, request.common.collection);
  files["manifest.json"] = printLibraryManifest(
      request, {{"source", sources.front()}, {"header", name + ".h"}, {"example", example}});
  return files;
}

} // namespace tangram::codegen
