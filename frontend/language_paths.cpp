#include "frontend/language_paths.h"

#include "frontend/clang.h"

#include <clang/Basic/Version.h>

#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace fs = std::filesystem;

namespace tangram::frontend {

namespace {

bool isFile(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Folder above the executable's own; empty: nobody knows.
fs::path prefix() {
  std::error_code failed;
  const fs::path executable = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path() : executable.parent_path().parent_path();
}

/// Folder of the shared library that Clang's code stands in.
fs::path clangLibraryDir() {
  Dl_info info{};
  auto *inClang = reinterpret_cast<void *>(&clang::getClangRevision);
  if (dladdr(inClang, &info) == 0 || info.dli_fname == nullptr)
    return {};
  std::error_code failed;
  fs::path library = fs::canonical(info.dli_fname, failed);
  return failed ? fs::path() : library.parent_path();
}

} // namespace

std::string languageDir() {
  const fs::path installed = prefix() / "include" / "tangram";
  if (isFile(installed / "tangram.h"))
    return installed.string();
  return isFile(fs::path(TANGRAM_LANGUAGE_DIR) / "tangram.h") ? TANGRAM_LANGUAGE_DIR : "";
}

std::string codeletsDir() {
  const fs::path installed = prefix() / "share" / "tangram" / "codelets";
  const fs::path inTree = fs::path(TANGRAM_LANGUAGE_DIR).parent_path() / "codelets";
  std::error_code ignored;
  for (const fs::path &folder : {installed, inTree}) {
    if (fs::is_directory(folder, ignored))
      return folder.string();
  }
  return {};
}

std::string sourceFile(const std::string &name) {
  std::error_code ignored;
  const fs::path file = name;
  const std::string folder = codeletsDir();
  if (file.is_absolute() || folder.empty() || fs::exists(file, ignored))
    return name;
  const fs::path relative =
      *file.begin() == "codelets" ? file.lexically_relative("codelets") : file;
  const fs::path found = fs::path(folder) / relative;
  return isFile(found) ? found.string() : name;
}

std::string clangResourceDir() {
  const std::string version = std::to_string(CLANG_VERSION_MAJOR);
  std::vector<fs::path> candidates;
  if (fs::path beside = clangLibraryDir(); !beside.empty())
    candidates.push_back(beside / "clang" / version);
  candidates.emplace_back(TANGRAM_CLANG_RESOURCE_DIR);
  candidates.push_back(fs::path("/usr/lib/llvm-" + version + "/lib/clang") / version);
  candidates.push_back(fs::path("/usr/lib/clang") / version);
  for (const fs::path &candidate : candidates) {
    if (isFile(candidate / "include" / "stddef.h"))
      return candidate.string();
  }
  return {};
}

} // namespace tangram::frontend
