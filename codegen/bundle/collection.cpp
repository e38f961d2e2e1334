#include "codegen/bundle/collection.h"

#include "codegen/bundle/library.h"
#include "codegen/bundle/package.h"
#include "codegen/bundle/python_module.h"
#include "codegen/pipeline/backends.h"
#include "codegen/printing/example.h"
#include "codegen/printing/long_lines.h"
#include "composer/machine/target_words.h"
#include "composer/machine/targets.h"
#include "ir/reserved_names.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <sstream>

namespace tangram::codegen {

using nlohmann::ordered_json;

namespace {

/// A name that the libraries `name` and `other` would both define; empty where there is none.
std::string inBoth(const std::string &name, const std::string &other) {
  std::set<std::string> own;
  for (const std::string &end : ir::interfaceEnds())
    own.insert(name + end);
  for (const std::string &end : ir::interfaceEnds()) {
    if (own.contains(other + end))
      return other + end;
  }
  return "";
}

std::string headerOf(const CollectionMember &member) { return member.files.at(member.name + ".h"); }

std::optional<Refusal> clashOf(const CollectionRequest &request) {
  std::vector<std::string> names{request.name};
  for (const CollectionMember &each : request.members) {
    if (each.name == request.name)
      return Refusal{"the library and one of its functions would both be called " + each.name +
                         "; --name NAME gives the library another name",
                     {}};
    for (const std::string &other : names) {
      if (const std::string name = inBoth(other, each.name); !name.empty())
        return Refusal{"the libraries " + other + " and " + each.name + " would both define " +
                           name + "; call one otherwise: --name NAME, --spectrum NAME=SPECTRUM,...",
                       {}};
    }
    names.push_back(each.name);
  }
  return std::nullopt;
}

std::string listed(const std::vector<CollectionMember> &members) {
  std::string text;
  for (const CollectionMember &each : members)
    text += (text.empty() ? "" : ", ") + each.name;
  return text;
}

/// The headers of all members, so that this one can be installed alone; then what is of the whole library.
std::string headerText(const CollectionRequest &request, const std::string &own) {
  const std::string guard = "TANGRAM_" + request.name + "_H";
  std::string text = "// The library " + request.name + ": " + listed(request.members) +
                     ".\n#ifndef " + guard + "\n#define " + guard + "\n";
  for (const CollectionMember &each : request.members)
    text += "\n" + headerOf(each);
  return text + (own.empty() ? "" : "\n" + own) + "\n#endif\n";
}

/// The example of a member as a function: its headers, and the rest.
struct ExamplePart {
  std::string includes, function;
};

ExamplePart examplePart(const CollectionMember &member, const std::string &file) {
  ExamplePart part;
  std::istringstream lines(member.files.at(file));
  std::string constants;
  bool isBody = false;
  for (std::string line; std::getline(lines, line);) {
    if (isBody)
      part.function += line + "\n";
    else if (line.starts_with("#include <"))
      part.includes += line + "\n";
    else if (line.starts_with("enum "))
      constants += "  " + line + "\n";
    else if (line.starts_with("int main(")) {
      part.function = "static int show_" + member.name + "(void) {\n" + constants;
      isBody = true;
    }
  }
  return part;
}

/// The command in the comment that an example begins with, without its broken lines.
std::string compilationOf(const std::string &example) {
  const bool isLong = example.starts_with("/*");
  std::istringstream words(
      example.substr(2, (isLong ? example.find("*/") : example.find('\n')) - 2));
  std::string command;
  for (std::string word; words >> word;) {
    if (word != "\\")
      command += (command.empty() ? "" : " ") + word;
  }
  return command;
}

std::string exampleText(const CollectionRequest &request, const std::string &file,
                        const std::vector<std::string> &sources) {
  // "cc ... example.c a.c -lm && ./a.out": the same with the sources of all.
  const std::string line = compilationOf(request.members.front().files.at(file));
  const std::string own = request.members.front().sources.back();
  const std::size_t last = line.rfind(own);
  const std::string rest = last == std::string::npos ? "" : line.substr(last + own.size() + 1);
  const std::string compilation =
      buildComment(line.substr(0, line.find(file) + file.size()), sources, rest);
  std::set<std::string> includes;
  std::string functions, calls;
  for (const CollectionMember &each : request.members) {
    const ExamplePart part = examplePart(each, file);
    std::istringstream lines(part.includes);
    for (std::string include; std::getline(lines, include);)
      includes.insert(include);
    functions += part.function + "\n";
    calls += (calls.empty() ? "" : " || ") + ("show_" + each.name) + "()";
  }
  std::string text = compilation + "#include \"" + request.name + ".h\"\n\n";
  for (const std::string &include : includes)
    text += include + "\n";
  return text + "\n" + functions + "int main(void) {\n  return " + calls + ";\n}\n";
}

std::vector<std::string> optionsOf(const PackageParts &parts) {
  std::vector<std::string> options;
  std::istringstream words(parts.options);
  for (std::string option; std::getline(words, option, ';');)
    options.push_back(option);
  return options;
}

/// The build settings of the whole library: a compiler option of any member is an option of all.
PackageParts partsOf(const std::vector<CollectionMember> &members) {
  PackageParts parts = members.front().parts;
  std::set<std::string> known;
  parts.options.clear();
  for (const CollectionMember &each : members) {
    for (const std::string &option : optionsOf(each.parts)) {
      if (known.insert(option).second)
        parts.options += (parts.options.empty() ? "" : ";") + option;
    }
  }
  return parts;
}

std::string printManifest(const CollectionRequest &request, const PackageParts &parts,
                          const std::map<std::string, std::string> &files) {
  ordered_json m;
  m["format"] = "tangram-bundle";
  m["version"] = 3;
  m["generator"] = "tangram 0.1.0";
  m["library"] = request.name;
  m["target"] = composer::modelTarget(request.target);
  m["model"] = request.model;
  m["source"] = {{"file", request.sourceFile}, {"hash", request.sourceHash}};
  for (const CollectionMember &each : request.members)
    m["spectrums"].push_back({{"spectrum", each.spectrum}, {"folder", each.name}});
  m["files"] = files;
  if (!parts.options.empty())
    m["compile"] = {{composer::modelTarget(request.target), optionsOf(parts)}};
  return json::dumped(m, 2) + "\n";
}

} // namespace

std::variant<CollectionMember, Refusal> memberOf(const BundleRequest &request,
                                                 const std::vector<std::string> &versions,
                                                 BundleFiles files) {
  auto made = planForPrediction(request);
  if (auto *refusal = std::get_if<Refusal>(&made))
    return *refusal;
  const LoweredPlan &plan = std::get<LoweredPlan>(made);
  const Backend &backend = backendOf(*plan.target);
  CollectionMember member{ir::identifierOf(request.spectrum),
                          functionOf(request),
                          std::move(files),
                          {},
                          backend.package(plan)};
  member.sources.push_back(backend.hostFile(member.name));
  for (const std::string &each : versions)
    member.sources.push_back(each + "/" + backend.hostFile(functionOfVersion(request, each)));
  return member;
}

std::variant<BundleFiles, Refusal> makeCollection(const CollectionRequest &request) {
  if (auto clash = clashOf(request))
    return *clash;
  const Backend &backend = backendOf(*composer::targetNamed(request.target));
  std::vector<std::string> names;
  std::vector<std::string> sources;
  BundleFiles files;
  for (const CollectionMember &each : request.members) {
    names.push_back(each.name);
    for (const std::string &source : each.sources)
      sources.push_back(each.name + "/" + source);
    for (const auto &[file, text] : each.files)
      files[each.name + "/" + file] = text;
  }
  const CSource own = backend.collection(request.name, names);
  std::map<std::string, std::string> roles{{"header", request.name + ".h"},
                                           {"example", backend.exampleFile()}};
  if (!own.text.empty()) {
    roles["host"] = backend.hostFile(request.name);
    sources.insert(sources.begin(), roles["host"]);
    files[roles["host"]] = withBrokenLines(own.text);
  }
  files[roles["header"]] = withBrokenLines(headerText(request, own.header));
  files[roles["example"]] = withBrokenLines(exampleText(request, roles["example"], sources));
  const PackageParts parts = partsOf(request.members);
  files.merge(packageFiles({request.name, parts, request.model, sources, request.version}));
  if (request.python)
    files[request.name + ".py"] = printCollectionModule(request.name, request.model, names);
  files["manifest.json"] = printManifest(request, parts, roles);
  return files;
}

} // namespace tangram::codegen
