#include "codegen/bundle/write_bundle.h"

#include "files/read_file.h"
#include "files/replace_folder.h"
#include "json/reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace tangram::codegen {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

constexpr const char *manifestName = "manifest.json";

/// "a, b and 3 more".
std::string fewOf(const std::vector<std::string> &names) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return names.size() <= most ? text
                              : text + " and " + std::to_string(names.size() - most) + " more";
}

std::vector<std::string> entriesOf(const fs::path &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error))
    names.push_back(each->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Entries of a manifest about the bundle that it belongs to.
struct Written {
  std::string spectrum;
  std::optional<std::set<std::string>> contents; ///< empty: it does not list them
};

/// The name of a manifest's spectrum, or of its library where that has several spectrums.
template <class Json> std::string spectrumOf(const Json &manifest) {
  for (const char *field : {"spectrum", "library"}) {
    const auto found = manifest.find(field);
    if (found != manifest.end() && found->is_string())
      return found->template get<std::string>();
  }
  return "";
}

/// Nothing: the folder has no manifest of a bundle.
std::optional<Written> bundleIn(const fs::path &folder) {
  const auto text = files::readFile(folder / manifestName);
  if (!std::holds_alternative<std::string>(text))
    return std::nullopt;
  const auto manifest = nlohmann::json::parse(std::get<std::string>(text), nullptr, false);
  if (!manifest.is_object() || manifest.value("format", nlohmann::json()) != "tangram-bundle")
    return std::nullopt;
  Written written;
  written.spectrum = spectrumOf(manifest);
  const auto contents = manifest.find("contents");
  if (contents == manifest.end() || !contents->is_array())
    return written;
  written.contents.emplace();
  for (const auto &each : *contents) {
    if (each.is_string() && files::isInnerPath(each.get<std::string>()))
      written.contents->insert(each.get<std::string>());
  }
  return written;
}

constexpr const char *wayOut = "; choose another folder, or --force to write into this one";

/// Why the folder, which is there, may not be written into; empty: it may.
std::string refusal(const fs::path &folder, const std::string &spectrum,
                    const std::optional<Written> &found, const files::FolderContent &content) {
  const std::string name = folder.string();
  if (!found) {
    const std::vector<std::string> there = entriesOf(folder);
    return there.empty() ? "" : name + " is no bundle and holds " + fewOf(there) + wayOut;
  }
  if (found->spectrum != spectrum)
    return name + " holds a bundle of " + found->spectrum + ", not of " + spectrum + wayOut;
  if (!found->contents)
    return name + " holds a bundle whose manifest does not list its files" + wayOut;
  const std::vector<std::string> others = files::inTheWay(folder, content);
  if (others.empty())
    return {};
  return name + " holds files that are not of the bundle and would be replaced: " + fewOf(others) +
         wayOut;
}

} // namespace

std::string writeBundle(const BundleFiles &files, const fs::path &folder,
                        const WriteOptions &options) {
  files::FolderContent content{files, {}, !options.isTemporary};
  ordered_json manifest = ordered_json::parse(files.at(manifestName));
  for (const auto &[name, text] : files)
    manifest["contents"].push_back(name);
  content.files[manifestName] = json::dumped(manifest, 2) + "\n";
  std::error_code error;
  if (fs::exists(folder, error)) {
    if (!fs::is_directory(folder, error))
      return folder.string() + " is no folder; choose another name";
    const std::optional<Written> found = bundleIn(folder);
    if (found && found->contents)
      content.replaceable = *found->contents;
    const std::string why =
        options.isForced ? "" : refusal(folder, spectrumOf(manifest), found, content);
    if (!why.empty())
      return why;
    for (const std::string &name : files::inTheWay(folder, content)) {
      if (fs::is_directory(folder / name, error) || !content.files.contains(name))
        return (folder / name).string() + " is in the way; choose another folder";
    }
  }
  return files::replaceFolder(folder, content);
}

} // namespace tangram::codegen
