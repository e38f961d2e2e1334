#include "runtime/tune/bundle_set.h"

#include "files/replace_folder.h"
#include "runtime/bundle/collection.h"
#include "runtime/data/text_file.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tangram::runtime {

namespace fs = std::filesystem;

namespace {

Error notASet(const fs::path &file, const std::string &found) {
  return inputError(
      file.string() +
      ": expected an object with \"format\": \"tangram-tune-set\", \"version\": 1 and "
      "\"bundles\", a list of folders; found " +
      found);
}

Result<std::vector<std::string>> listedIn(const fs::path &file) {
  Result<std::string> text = readTextFile(file);
  if (!text)
    return text.error();
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object())
    return notASet(file, "no object");
  const auto member = [&](const char *name) {
    return json.contains(name) ? json[name] : nlohmann::json();
  };
  if (member("format") != "tangram-tune-set" || member("version") != 1)
    return notASet(file, "format " + json::dumped(member("format")) + ", version " +
                             json::dumped(member("version")));
  const nlohmann::json bundles = member("bundles");
  if (!bundles.is_array() || bundles.empty() ||
      !std::all_of(bundles.begin(), bundles.end(), [](const auto &b) { return b.is_string(); }))
    return notASet(file, "bundles " + json::dumped(bundles));
  std::vector<std::string> folders;
  for (const auto &each : bundles) {
    const std::string name = each.get<std::string>();
    const fs::path folder = file.parent_path() / name;
    std::error_code ignored;
    if (!files::isInnerPath(name) || fs::is_symlink(fs::symlink_status(folder, ignored)))
      return inputError(file.string() + ": expected the folders of bundles below this one, found " +
                        json::inQuotes(name));
    folders.push_back(folder.string());
  }
  return folders;
}

bool isBundle(const fs::path &path) {
  std::error_code unknown;
  return fs::exists(path / "manifest.json", unknown);
}

Result<std::vector<std::string>> lyingIn(const fs::path &folder) {
  std::vector<std::string> folders;
  std::error_code problem;
  for (fs::directory_iterator each(folder, problem), end; !problem && each != end;
       each.increment(problem)) {
    if (isBundle(each->path()))
      folders.push_back(each->path().string());
  }
  if (problem)
    return inputError(folder.string() + ": cannot be read: " + problem.message());
  if (folders.empty())
    return inputError(folder.string() + ": expected a bundle or a folder of bundles, found neither "
                                        "manifest.json nor a bundle in it");
  std::sort(folders.begin(), folders.end());
  return folders;
}

} // namespace

Result<std::vector<std::string>> bundlesIn(const std::vector<std::string> &paths) {
  std::vector<std::string> all;
  for (const std::string &path : paths) {
    std::error_code unknown;
    const bool isOne = !fs::is_directory(path, unknown) || isBundle(path);
    const fs::path list = fs::path(path) / bundleSetFile;
    Result<std::vector<std::string>> found = isOne                       ? bundlesOfAll(path)
                                             : fs::exists(list, unknown) ? listedIn(list)
                                                                         : lyingIn(path);
    if (!found)
      return found.error();
    all.insert(all.end(), found->begin(), found->end());
  }
  return all;
}

} // namespace tangram::runtime
