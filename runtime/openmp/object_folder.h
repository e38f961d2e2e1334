// A folder that keeps what compilers have made for processes that come later (`tangram-run verify --objects`).
#pragma once

#include <filesystem>
#include <string>

namespace tangram::runtime {

/// Several processes may use one at the same time. Who may write there decides what runs.
class ObjectFolder {
public:
  /// An empty path: nothing is kept, and nothing found.
  explicit ObjectFolder(std::filesystem::path path = {}) : path_(std::move(path)) {}

  /// The file that was kept for exactly this key; an empty path: there is none.
  std::filesystem::path find(const std::string &key) const;

  /// Keeps a copy of `file`, or an empty file where the path is empty. Not being able to is no error: then it is made again
  /// next time.
  void keep(const std::string &key, const std::filesystem::path &file) const;

private:
  /// Its name without an ending. Keys whose names are the same take each other's place.
  std::filesystem::path nameOf(const std::string &key) const;

  std::filesystem::path path_;
};

} // namespace tangram::runtime
