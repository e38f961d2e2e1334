#include "runtime/bundle/collection.h"

#include "files/replace_folder.h"
#include "runtime/bundle/manifest_check.h"
#include "runtime/data/text_file.h"
#include "json/reader.h"

#include <algorithm>

namespace tangram::runtime {

namespace fs = std::filesystem;

namespace {

class CollectionReader {
public:
  CollectionReader(const json::Json &document, const fs::path &file)
      : file_(file), problems_(file.string()), root_(&document, "", problems_) {}

  Result<std::vector<std::string>> run() {
    json::checkPrintable(*root_.json(), problems_);
    json::Object object(root_);
    object.required("format");
    object.required("version");
    for (const char *field : {"generator", "library", "target", "model"})
      object.required(field).string();
    json::Object source(object.required("source"));
    source.required("file").string();
    source.required("hash").string();
    source.finish();
    const json::Value spectrums = object.required("spectrums");
    for (const json::Value &each : spectrums.elements())
      readSpectrum(each);
    if (!spectrums.missing() && spectrums.json()->is_array() && spectrums.json()->size() < 2)
      spectrums.expected("two spectrums or more");
    object.required("files");
    object.optional("compile");
    object.optional("contents");
    object.finish();
    if (!problems_.messages.empty())
      return joined(problems_);
    return std::move(folders_);
  }

private:
  void readSpectrum(const json::Value &value) {
    json::Object object(value);
    object.required("spectrum").nonEmptyString();
    const json::Value folder = object.required("folder");
    object.finish();
    const std::string name = folder.nonEmptyString();
    if (name.empty())
      return;
    const fs::path path = file_.parent_path() / name;
    std::error_code ignored;
    if (!files::isInnerPath(name) || name.find('/') != std::string::npos ||
        fs::is_symlink(fs::symlink_status(path, ignored)))
      folder.expected("the name of a folder in the bundle");
    else if (std::ranges::count(folders_, path.string()) != 0)
      folder.expected("each folder once");
    else
      folders_.push_back(path.string());
  }

  fs::path file_;
  ManifestProblems problems_;
  json::Value root_;
  std::vector<std::string> folders_;
};

} // namespace

Result<std::vector<std::string>> bundlesOfAll(const fs::path &bundle) {
  std::error_code ignored;
  const fs::path file = fs::is_directory(bundle, ignored) ? bundle / "manifest.json" : bundle;
  const Result<std::string> text = readTextFile(file);
  if (!text)
    return std::vector<std::string>{bundle.string()};
  const auto parsed = json::parse(*text);
  const json::Json *document = std::get_if<json::Json>(&parsed);
  if (!document || !document->is_object() ||
      document->value("format", json::Json()) != "tangram-bundle" ||
      document->value("version", json::Json()) != collectionVersion)
    return std::vector<std::string>{bundle.string()};
  return CollectionReader(*document, file).run();
}

} // namespace tangram::runtime
