// Compiles what applications take of a bundle: its host as C11, its example as C99, and its header with these and as
// C++17.
#pragma once

#include "runtime/bundle/library.h"
#include "runtime/openmp/object_folder.h"

#include <map>
#include <string>
#include <vector>

namespace tangram::runtime {

/// Nothing is linked or kept. The same content is compiled once, and what a machine cannot compile is not: headers
/// of OpenCL or a compiler of C++ may be missing.
class SourceCheck {
public:
  /// `compiler`: its words, as $CC has them.
  /// `kept`: knows what compiled before, and is told what compiles.
  explicit SourceCheck(std::vector<std::string> compiler, ObjectFolder kept = ObjectFolder())
      : compiler_(std::move(compiler)), kept_(std::move(kept)) {}

  /// Error (Fault::Failed): "sum.h does not compile as C++17:" and what the compiler says.
  Status check(const Manifest &manifest);
  /// The files above the versions of a bundle.
  Status check(const Library &library);

  /// How many times the compiler has run.
  std::size_t runs() const { return runs_; }

private:
  using Files = std::map<std::string, std::string>; ///< by role
  Status check(const std::filesystem::path &folder, const Files &files, Target target,
               const std::string &included);
  struct Source {
    std::filesystem::path file;
    std::string language, standard;
    std::string text;   ///< all that the result depends on
    std::string needed; ///< a header that the machine may lack
  };
  Status compile(const Source &source);
  bool canInclude(const std::string &language, const std::string &header);

  std::vector<std::string> compiler_;
  ObjectFolder kept_;
  std::map<std::string, Status> done_; ///< by what is compiled and how
  std::map<std::string, bool> able_;   ///< by language and header
  std::size_t runs_ = 0;
};

} // namespace tangram::runtime
