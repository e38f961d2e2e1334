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
  std::error_code failed;
  fs::path executable = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    fs::path installed = executable.parent_path().parent_path() / "include" / "tangram";
    if (isFile(installed / "tangram.h"))
      return installed.string();
  }
  return isFile(fs::path(TANGRAM_LANGUAGE_DIR) / "tangram.h") ? TANGRAM_LANGUAGE_DIR : "";
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
