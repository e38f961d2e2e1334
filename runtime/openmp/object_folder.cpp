#include "runtime/openmp/object_folder.h"

#include "files/scratch.h"
#include "runtime/data/text_file.h"

#include <fstream>
#include <functional>
#include <sstream>

namespace tangram::runtime {

namespace fs = std::filesystem;

namespace {

constexpr const char *objectEnding = ".so", *keyEnding = ".key";

/// What `write` writes to a file becomes `name`, all of it at once.
template <class Write> bool replace(const fs::path &name, const Write &write) {
  const files::Scratch fresh = files::scratchFile(name.parent_path());
  std::error_code error;
  bool good = fresh.descriptor.valid() && write(fresh.path, error) && !error;
  if (good)
    fs::rename(fresh.path, name, error);
  good = good && !error;
  if (!good && fresh.descriptor.valid())
    fs::remove(fresh.path, error);
  return good;
}

} // namespace

fs::path ObjectFolder::nameOf(const std::string &key) const {
  std::ostringstream name;
  name << std::hex << std::hash<std::string>()(key);
  return path_ / name.str();
}

fs::path ObjectFolder::find(const std::string &key) const {
  if (path_.empty())
    return {};
  fs::path object = nameOf(key), known = object;
  object += objectEnding;
  known += keyEnding;
  std::error_code error;
  if (!fs::exists(known, error) || !fs::exists(object, error))
    return {};
  const Result<std::string> text = readTextFile(known);
  return text && *text == key ? object : fs::path();
}

void ObjectFolder::keep(const std::string &key, const fs::path &file) const {
  if (path_.empty())
    return;
  fs::path object = nameOf(key), known = object;
  object += objectEnding;
  known += keyEnding;
  // Another key of this name is gone before its object is.
  std::error_code error;
  fs::remove(known, error);
  if (replace(object, [&](const fs::path &fresh, std::error_code &failed) {
        return file.empty() ||
               fs::copy_file(file, fresh, fs::copy_options::overwrite_existing, failed);
      }))
    (void)replace(known, [&](const fs::path &fresh, std::error_code &) {
      return static_cast<bool>(std::ofstream(fresh, std::ios::binary) << key << std::flush);
    });
}

} // namespace tangram::runtime
