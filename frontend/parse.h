// From a codelet source to the program it declares. The text is C++17, read by an
// unmodified Clang; what the synthesizer cannot use is an error at its own place.
//
// This is the only part that knows Clang, and its headers stay behind this one.
#pragma once

#include "frontend/written_source.h"
#include "ir/diagnostic.h"
#include "ir/program.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tangram::frontend {

struct ParseOptions {
  /// Folders for `#include`, searched in order, as with the compiler's -I.
  std::vector<std::string> includeDirs;
  /// Folder of tangram.h. Empty: `../include/tangram` beside the folder of the
  /// running executable, or the source tree it was built from.
  std::string languageDir;
  /// Instances of templates to make besides those the source asks for: `sum<float>`.
  /// One that cannot be made is an error without a line.
  std::vector<std::string> instantiate;
  /// Where it is not null: gets the files that were read, but for those of the language and of systems.
  std::shared_ptr<std::vector<std::string>> filesRead = nullptr;
};

struct ParseResult {
  /// Empty exactly when `diagnostics` has an error.
  std::optional<ir::Program> program;
  /// Clang's in its order, then the language's own in source order.
  ir::Diagnostics diagnostics;
  WrittenSource source = {};
};

/// Read and lower one source file. Places carry `file` as it was given. A file
/// that cannot be read is an error without a line.
ParseResult parseFile(const std::string &file, const ParseOptions &options = {});

/// The same for text that stands in `name`, which need not exist. A relative
/// `#include "..."` is looked up beside it.
ParseResult parseText(const std::string &text, const std::string &name,
                      const ParseOptions &options = {});

} // namespace tangram::frontend
