// A folder of files that are ours, written or replaced at once, with everything else in it left alone.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tangram::files {

struct FolderContent {
  /// Path below the folder -> content.
  std::map<std::string, std::string> files;
  /// Paths below the folder that may be replaced, and that go where they are not among `files`.
  std::set<std::string> replaceable = {};
  /// Whether every file is on disk before the folder has its name; a temporary folder need not be.
  bool isDurable = true;
};

/// Whether it is a path to something below a folder, whatever that holds but for links: "sum.c", "v/sum.c";
/// none is "", "/etc", "../x", "v/".
bool isInnerPath(const std::string &path);

/// Entries of `folder` that stand where `content` has a file or a folder, and may not be replaced.
std::vector<std::string> inTheWay(const std::filesystem::path &folder,
                                  const FolderContent &content);

/// Makes `folder` hold the files of `content` beside all that it may not replace. They are written beside
/// the folder, with links to what stays, and the two are exchanged by one rename, so that a failure or the
/// end of this process leaves either what was there or all that is new. A folder that cannot be renamed (a
/// mount point, the current folder, one in a folder that is not ours to change) gets its files one by one.
/// Returns what went wrong: "cannot write out/sum.c: No space left on device"; empty when all went well.
std::string replaceFolder(const std::filesystem::path &folder, const FolderContent &content);

} // namespace tangram::files
