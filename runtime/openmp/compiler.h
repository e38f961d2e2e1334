// The system compiler: C sources of a bundle become a shared object.
#pragma once

#include "ir/temporary_folder.h"
#include "runtime/openmp/object_folder.h"
#include "runtime/openmp/shared_object.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// What to compile into one shared object.
struct Compilation {
  std::vector<std::filesystem::path> sources;
  /// Not compiled themselves, but part of the content: headers.
  std::vector<std::filesystem::path> included;
  std::vector<std::string> flags;
  /// NAME -> value, passed as -DNAME=value to sources that mention NAME.
  std::map<std::string, std::uint64_t> definitions;
};

/// A shared object that has been compiled. Loading it runs constructors of a bundle: a worker's matter.
struct ObjectFile {
  std::string path;
  std::string source; ///< for messages

  /// Error (Fault::Failed): "sum.c: the compiled object cannot be opened: ..." with the loader's message.
  Result<SharedObject> load() const;
};

/// Whether `name` stands in `text` as a whole word.
bool mentions(const std::string &text, const std::string &name);

/// Compiles with $CC (split at blanks) or cc, into a temporary folder that goes with this object. The same content with the same flags is compiled once.
class Compiler {
public:
  /// The least that one should be given: it takes seconds for what runs in microseconds, and more where others work, too.
  static constexpr double leastSeconds = 30;

  /// What is in `kept` need not be compiled, and what is compiled is kept there.
  explicit Compiler(double secondsLimit = leastSeconds, ObjectFolder kept = ObjectFolder());

  /// Errors (Fault::Failed): "FILE: cc failed (exit status 1):" and the compiler's output; "FILE: cc: ended after 30 s;
  /// --time-limit gives it longer". A failed compilation is not tried again either.
  Result<ObjectFile> compile(const Compilation &what);

  /// The first line of what it says of its version; the command where it says nothing.
  std::string version();

  /// $CC split at blanks, or cc.
  const std::vector<std::string> &words() const { return command; }

  /// How many times the compiler itself has run.
  std::size_t runs() const { return compiled; }

private:
  Result<ObjectFile> build(const std::vector<std::string> &arguments, const std::string &name);
  Result<std::filesystem::path> folder();

  double secondsLimit;
  ObjectFolder kept;
  std::vector<std::string> command;
  std::string itsVersion; ///< empty: nobody has asked
  std::optional<ir::TemporaryFolder> temporary;
  std::map<std::string, Result<ObjectFile>> done;
  std::size_t compiled = 0;
};

} // namespace tangram::runtime
