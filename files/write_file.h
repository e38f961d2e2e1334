// The one place where files are written: all of a file or nothing of it, and never through a name that
// somebody else could have prepared.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace tangram::files {

using Content = std::function<void(std::ostream &)>;

/// Writes what `content` prints under an unforeseeable name in the file's folder, has it on disk and
/// renames it; the permissions of a file that was there stay. A symbolic link is followed: its target
/// becomes the new file. What is no regular file (/dev/null, a pipe) is written through. Returns why it
/// could not be written, and then `file` is what it was: "No space left on device", "it is a folder";
/// empty when all went well.
std::string writeFile(const std::filesystem::path &file, const Content &content);
std::string writeFile(const std::filesystem::path &file, const std::string &content);

/// Writes a file that is not there yet, in a folder of the caller's own. Returns as above. `isDurable`: it
/// is on disk then.
std::string writeNewFile(const std::filesystem::path &file, const std::string &content,
                         bool isDurable = true);

} // namespace tangram::files
