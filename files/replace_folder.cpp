#include "files/replace_folder.h"

#include "files/scratch.h"
#include "files/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace tangram::files {

namespace fs = std::filesystem;

namespace {

std::string cannot(const std::string &what, const fs::path &path, const std::string &reason) {
  return "cannot " + what + " " + path.string() + ": " + reason;
}

bool isFolder(const fs::path &path) {
  std::error_code ignored;
  return fs::is_directory(fs::symlink_status(path, ignored));
}

/// The first path that is not before `folder`/ tells whether one lies in it.
template <class Paths> bool liesIn(const std::string &folder, const Paths &paths) {
  const auto first = paths.lower_bound(folder + "/");
  if (first == paths.end())
    return false;
  if constexpr (requires { first->first; })
    return first->first.starts_with(folder + "/");
  else
    return first->starts_with(folder + "/");
}

/// Calls `visit` with the path below the folder of each entry, folders before what they hold; false: not
/// to look into it.
template <class Visit>
std::error_code walk(const fs::path &folder, const std::string &below, const Visit &visit) {
  std::error_code error;
  for (fs::directory_iterator each(folder / below, error), end; !error && each != end;
       each.increment(error)) {
    const std::string name = each->path().filename().string();
    const std::string path = below.empty() ? name : below + "/" + name;
    if (!visit(path) || !isFolder(each->path()))
      continue;
    if (std::error_code inner = walk(folder, path, visit))
      return inner;
  }
  return error;
}

/// A bundle on its way into a folder.
class Replacement {
public:
  Replacement(fs::path folder, const FolderContent &content)
      : folder_(std::move(folder)), content_(content) {}

  std::string run() {
    struct stat status{};
    exists_ = lstat(folder_.c_str(), &status) == 0;
    permissions_ = status.st_mode & 07777;
    std::error_code error;
    fs::create_directories(folder_.parent_path(), error);
    if (error)
      return cannot("make", folder_.parent_path(), error.message());
    if (exists_ && staysInPlace(status))
      return oneByOne();
    removeLeftovers(folder_.parent_path());
    Scratch fresh = scratchFolder(folder_.parent_path());
    if (!fresh.descriptor.valid())
      return exists_ ? oneByOne() : cannot("make", folder_, reasonOf(errno));
    bool canCarry = true;
    std::string problem = fill(fresh.path);
    if (problem.empty() && exists_)
      canCarry = carryOver(fresh.path);
    if (problem.empty() && canCarry)
      problem = exchange(fresh.path);
    fs::remove_all(fresh.path, error);
    return canCarry ? problem : oneByOne();
  }

private:
  /// Another file system is mounted there, or processes stand in it, this one among them.
  bool staysInPlace(const struct stat &status) const {
    struct stat above{};
    std::error_code error;
    return stat(folder_.parent_path().c_str(), &above) != 0 || above.st_dev != status.st_dev ||
           fs::equivalent(folder_, fs::current_path(error), error);
  }

  std::string fill(const fs::path &fresh) const {
    for (const auto &[name, text] : content_.files) {
      std::error_code error;
      fs::create_directories((fresh / name).parent_path(), error);
      const std::string reason = writeNewFile(fresh / name, text, content_.isDurable);
      if (!reason.empty())
        return cannot("write", folder_ / name, reason);
    }
    return {};
  }

  /// Links all that stays into the new folder. False: this file system cannot, or may not.
  bool carryOver(const fs::path &fresh) const {
    bool good = true;
    const std::error_code error = walk(folder_, "", [&](const std::string &path) {
      if (isFolder(folder_ / path)) {
        // A folder of ours alone goes with what it held.
        if (!liesIn(path, content_.replaceable) || holdsOthers(path))
          good = good && copyFolder(folder_ / path, fresh / path);
        return good;
      }
      if (content_.replaceable.count(path) != 0 || content_.files.count(path) != 0)
        return false;
      good = good &&
             linkat(AT_FDCWD, (folder_ / path).c_str(), AT_FDCWD, (fresh / path).c_str(), 0) == 0;
      return false;
    });
    return good && !error;
  }

  bool holdsOthers(const std::string &below) const {
    bool any = false;
    walk(folder_, below, [&](const std::string &path) {
      any = any || (isFolder(folder_ / path)
                        ? !liesIn(path, content_.replaceable)
                        : content_.replaceable.count(path) == 0 && content_.files.count(path) == 0);
      return !any;
    });
    return any;
  }

  static bool copyFolder(const fs::path &from, const fs::path &to) {
    struct stat status{};
    if (stat(from.c_str(), &status) != 0 || (mkdir(to.c_str(), 0700) != 0 && errno != EEXIST))
      return false;
    return chmod(to.c_str(), status.st_mode & 07777) == 0;
  }

  /// The new folder gets its name, and `fresh` becomes what was there.
  std::string exchange(const fs::path &fresh) const {
    auto failed = [&](int code) { return cannot("write", folder_, reasonOf(code)); };
    if (!exists_)
      return rename(fresh.c_str(), folder_.c_str()) == 0 ? "" : failed(errno);
    if (chmod(fresh.c_str(), permissions_) != 0)
      return failed(errno);
    constexpr unsigned exchangeBoth = 2; // RENAME_EXCHANGE
    if (syscall(SYS_renameat2, AT_FDCWD, fresh.c_str(), AT_FDCWD, folder_.c_str(), exchangeBoth) ==
        0)
      return {};
    if (errno != ENOSYS && errno != EINVAL)
      return failed(errno);
    // For a moment there is none. What stands under this name is not taken for a leftover.
    fs::path old = folder_;
    old += ".old-" + std::to_string(getpid());
    if (rename(folder_.c_str(), old.c_str()) != 0)
      return failed(errno);
    if (rename(fresh.c_str(), folder_.c_str()) != 0) {
      const int code = errno;
      return rename(old.c_str(), folder_.c_str()) == 0
                 ? failed(code)
                 : failed(code) + "; what was there is now " + old.string();
    }
    std::error_code ignored;
    fs::remove_all(old, ignored);
    return {};
  }

  /// The manifest last, so that it names nothing that is not there.
  std::string oneByOne() const {
    const std::string last = "manifest.json";
    for (const auto &[name, text] : content_.files) {
      if (std::string problem = name == last ? "" : put(name, text); !problem.empty())
        return problem;
    }
    if (auto found = content_.files.find(last); found != content_.files.end()) {
      if (std::string problem = put(last, found->second); !problem.empty())
        return problem;
    }
    std::error_code ignored;
    for (const std::string &name : content_.replaceable) {
      if (content_.files.count(name) != 0 || isFolder(folder_ / name) || leadsAway(name))
        continue;
      fs::remove(folder_ / name, ignored);
      for (fs::path above = fs::path(name).parent_path(); !above.empty();
           above = above.parent_path())
        fs::remove(folder_ / above, ignored); // a folder that is not empty stays
    }
    return {};
  }

  /// Whether a link stands on the way to it.
  bool leadsAway(const std::string &name) const {
    for (fs::path above = fs::path(name).parent_path(); !above.empty();
         above = above.parent_path()) {
      if (!isFolder(folder_ / above))
        return true;
    }
    return false;
  }

  std::string put(const std::string &name, const std::string &text) const {
    std::error_code error;
    fs::create_directories((folder_ / name).parent_path(), error);
    const std::string reason = error ? error.message() : writeFile(folder_ / name, text);
    return reason.empty() ? "" : cannot("write", folder_ / name, reason);
  }

  fs::path folder_;
  const FolderContent &content_;
  bool exists_ = false;
  mode_t permissions_ = 0;
};

} // namespace

bool isInnerPath(const std::string &path) {
  if (path.empty() || path.find('\0') != std::string::npos || fs::path(path).is_absolute())
    return false;
  return std::ranges::none_of(fs::path(path), [](const fs::path &part) {
    return part.empty() || part == "." || part == "..";
  });
}

std::vector<std::string> inTheWay(const fs::path &folder, const FolderContent &content) {
  std::set<std::string> found;
  for (const auto &[name, text] : content.files) {
    std::string path;
    for (const fs::path &part : fs::path(name)) {
      path += (path.empty() ? "" : "/") + part.string();
      std::error_code ignored;
      const bool there = fs::exists(fs::symlink_status(folder / path, ignored));
      const bool wantsFolder = path != name;
      if (!there || content.replaceable.count(path) != 0)
        continue;
      if (!wantsFolder || !isFolder(folder / path))
        found.insert(path);
    }
    if (isFolder(folder / name))
      found.insert(name); // even where a manifest lists it: it may hold anything
  }
  return {found.begin(), found.end()};
}

std::string replaceFolder(const fs::path &folder, const FolderContent &content) {
  std::error_code error;
  fs::path target = fs::absolute(folder, error).lexically_normal();
  if (!target.has_filename())
    target = target.parent_path();
  if (fs::exists(target, error))
    target = fs::canonical(target, error); // a link to a folder is followed
  return Replacement(target, content).run();
}

} // namespace tangram::files
