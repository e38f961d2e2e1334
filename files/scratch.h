// Names beside a file or folder for what is not finished: nobody can foresee them, and what a killed
// process has left under such a name is removed by the next one that writes there.
#pragma once

#include <filesystem>
#include <string>

namespace tangram::files {

/// A descriptor that is closed with this object. Move only.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor &operator=(Descriptor &&other) noexcept;
  ~Descriptor() { (void)close(); }

  int number() const { return number_; }
  bool valid() const { return number_ >= 0; }
  /// 0, or an errno: some file systems tell only now that a write failed.
  int close();

private:
  int number_ = -1;
};

/// A new file or folder in `folder`, locked as long as `descriptor` is open: what is locked is in use.
/// An invalid descriptor: it could not be made; errno says why.
struct Scratch {
  std::filesystem::path path;
  Descriptor descriptor;
};
Scratch scratchFile(const std::filesystem::path &folder);
Scratch scratchFolder(const std::filesystem::path &folder);

/// Removes what killed processes of this user have left in `folder`.
void removeLeftovers(const std::filesystem::path &folder);

/// The text of an errno: "No space left on device".
std::string reasonOf(int code);

} // namespace tangram::files
