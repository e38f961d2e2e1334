#include "runtime/bundle/library.h"

#include "files/replace_folder.h"
#include "runtime/bundle/manifest_check.h"
#include "runtime/data/text_file.h"

#include "ir/diagnostic.h"

#include <algorithm>

namespace tangram::runtime {

namespace fs = std::filesystem;

namespace {

/// What a manifest of several plans says, as far as it is not another file's matter.
class LibraryReader {
public:
  LibraryReader(const json::Json &document, const fs::path &file)
      : file_(file), problems_(file.string()), root_(&document, "", problems_) {}

  Result<Library> run() {
    json::checkPrintable(*root_.json(), problems_);
    json::Object object(root_);
    object.required("format");
    object.required("version");
    object.required("generator").string();
    spectrum_ = object.required("spectrum").nonEmptyString();
    target_ = object.required("target").nonEmptyString();
    object.required("model").string();
    json::Object source(object.required("source"));
    source.required("file").string();
    source.required("hash").string();
    source.finish();
    readVersions(object.required("versions"));
    readRules(object.required("rules"));
    if (json::Value online = object.optional("online");
        !online.missing() && *online.json() != json::Json(true))
      online.expected("true, or nothing");
    readFiles(object.required("files"));
    checkContents(object.optional("contents"));
    object.finish();
    if (problems_.messages.empty())
      checkRules();
    if (!problems_.messages.empty())
      return joined(problems_);
    return std::move(library_);
  }

private:
  void readVersions(const json::Value &value) {
    for (const json::Value &each : value.elements()) {
      const std::string folder = each.nonEmptyString();
      if (folder.empty())
        continue;
      std::error_code ignored;
      if (!files::isInnerPath(folder) || folder.find('/') != std::string::npos ||
          fs::is_symlink(fs::symlink_status(file_.parent_path() / folder, ignored)))
        each.expected("the name of a folder in the bundle");
      else if (std::ranges::count(folders_, folder) != 0)
        each.expected("each folder once");
      else
        readVersion(each, folder);
    }
    if (!value.missing() && value.json()->is_array() && value.json()->size() < 2)
      value.expected("two versions or more");
  }

  void readVersion(const json::Value &value, const std::string &folder) {
    Result<Manifest> manifest = readManifest(file_.parent_path() / folder);
    if (!manifest) {
      problems_.messages.push_back(manifest.error().message);
      return;
    }
    folders_.push_back(folder);
    if (manifest->spectrum != spectrum_ || name(manifest->target) != target_)
      value.problem("expected a version of " + spectrum_ + " for " + target_ + ", found one of " +
                    manifest->spectrum + " for " + name(manifest->target));
    else if (!library_.versions.empty() && !isCalledAlike(*manifest, library_.versions.front()))
      value.problem("expected the signature of " + folders_.front() + ", found another in " +
                    folder);
    library_.versions.push_back(std::move(*manifest));
  }

  static bool isCalledAlike(const Manifest &a, const Manifest &b) {
    return a.signature.result == b.signature.result &&
           std::ranges::equal(a.signature.parameters, b.signature.parameters,
                              [](const Parameter &one, const Parameter &other) {
                                return one.name == other.name && one.container == other.container &&
                                       one.element == other.element && one.access == other.access &&
                                       one.extents == other.extents;
                              });
  }

  void readRules(const json::Value &value) {
    for (const json::Value &each : value.elements()) {
      json::Object object(each);
      VersionRule rule;
      if (json::Value when = object.optional("when"); !when.missing()) {
        const std::string text = when.string();
        Result<Expression> condition = Expression::parse(text);
        if (condition)
          rule.when = *condition;
        else if (when.json()->is_string())
          when.problem("expected an expression, found " + condition.error().message);
      }
      const json::Value version = object.required("version");
      const std::string folder = version.string();
      const auto found = std::ranges::find(folders_, folder);
      if (found != folders_.end())
        rule.version = static_cast<std::size_t>(found - folders_.begin());
      else if (!version.missing() && version.json()->is_string() && problems_.messages.empty())
        version.problem("expected one of the versions, found " + json::inQuotes(folder) +
                        json::didYouMean(folder, folders_));
      object.finish();
      library_.rules.push_back(std::move(rule));
    }
    if (!value.missing() && library_.rules.empty())
      value.expected("at least one rule");
  }

  /// The names in conditions, and that sizes without a rule are none.
  void checkRules() {
    const std::vector<std::string> extents = library_.versions.front().signature.extents();
    for (std::size_t i = 0; i < library_.rules.size(); ++i) {
      const std::string pointer = "/rules/" + std::to_string(i);
      const VersionRule &rule = library_.rules[i];
      const bool isLast = i + 1 == library_.rules.size();
      if (rule.when.has_value() == isLast)
        problems_.problem(pointer,
                          isLast ? "expected a last rule without \"when\", for all other sizes"
                                 : "expected \"when\" in a rule that is not the last");
      if (!rule.when)
        continue;
      for (const std::string &used : rule.when->names()) {
        if (std::ranges::count(extents, used) != 0)
          continue;
        const std::string near = ir::nearest(used, extents);
        problems_.problem(pointer + "/when",
                          "expected an extent, found " + used +
                              (near.empty() ? "" : "; did you mean " + near + "?"));
      }
    }
  }

  void readFiles(const json::Value &value) {
    json::Object object(value);
    auto take = [&](const std::string &role, const json::Value &file) {
      const std::string name = checkFileName(file);
      std::error_code ignored;
      if (name.empty())
        return;
      if (!fs::is_regular_file(fs::symlink_status(file_.parent_path() / name, ignored)))
        file.problem("expected a file in the bundle, found none called " + name);
      library_.files[role] = name;
    };
    take("host", object.required("source"));
    take("header", object.required("header"));
    if (const json::Value example = object.optional("example"); !example.missing())
      take("example", example);
    object.finish();
    library_.folder = file_.parent_path();
  }

  fs::path file_;
  ManifestProblems problems_;
  json::Value root_;
  std::string spectrum_, target_;
  std::vector<std::string> folders_; ///< of the versions
  Library library_;
};

/// Whether compile tunables have their defaults: an emitted host changes launch tunables only.
bool isAsCompiled(const Manifest &manifest, const Bindings &bindings, const TunableValues &values) {
  return std::ranges::all_of(manifest.tunables, [&](const Tunable &t) {
    const Result<std::uint64_t> standard = defaultOf(t, bindings);
    return !t.compileTime || (standard && *standard == values.at(t.name));
  });
}

} // namespace

Result<std::vector<std::size_t>> Library::order(const Bindings &bindings) const {
  std::size_t first = 0;
  for (const VersionRule &rule : rules) {
    Result<std::uint64_t> holds =
        rule.when ? rule.when->evaluate(bindings) : Result(std::uint64_t{1});
    if (!holds)
      return refusal("rules: " + holds.error().message);
    first = rule.version;
    if (*holds != 0)
      break;
  }
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < versions.size(); ++i)
    all.push_back((first + i) % versions.size());
  return all;
}

Result<std::size_t> Library::versionFor(const Bindings &bindings, const DeviceFacts &facts) const {
  const Result<std::vector<std::size_t>> tried = order(bindings);
  if (!tried)
    return tried.error();
  std::optional<std::size_t> compiledAnew;
  std::string reasons;
  for (std::size_t i : *tried) {
    const Manifest &manifest = versions[i];
    const std::vector<Requirement> requirements = requirementsOf(manifest, facts);
    const Result<TunableValues> values = chooseTunables(manifest, bindings, requirements, {});
    if (!values) {
      reasons += "\n" + manifest.planId + ": " + values.error().message;
      continue;
    }
    if (isAsCompiled(manifest, bindings, *values))
      return i;
    if (!compiledAnew)
      compiledAnew = i;
  }
  if (compiledAnew)
    return *compiledAnew;
  return refusal("none of the versions serves these sizes:" + reasons);
}

Result<Library> readLibrary(const fs::path &bundle) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(bundle, ignored) ? bundle / "manifest.json" : bundle;
  Result<std::string> text = readTextFile(file);
  if (!text)
    return inputError(text.error().message);
  const auto parsed = json::parse(*text);
  const json::Json *document = std::get_if<json::Json>(&parsed);
  const bool isOurs = document && document->is_object() &&
                      document->value("format", json::Json()) == "tangram-bundle";
  if (isOurs && document->value("version", json::Json()) == libraryVersion)
    return LibraryReader(*document, file).run();
  Result<Manifest> manifest = parseManifest(*text, file);
  if (!manifest)
    return manifest.error();
  Library library;
  library.versions.push_back(std::move(*manifest));
  library.rules.push_back({std::nullopt, 0});
  return library;
}

} // namespace tangram::runtime
