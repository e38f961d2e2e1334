// The program of a file, once Clang has accepted it.
#pragma once

#include "frontend/codelet_pragma.h"
#include "frontend/written_source.h"
#include "ir/program.h"

#include <string>

namespace tangram::frontend {

class Places;

/// A file that Clang has read, and what the preprocessor kept of it.
struct ParsedFile {
  clang::Sema &sema;
  const Places &places;
  const CodeletDeclarations &declarations;
  Qualifiers &qualifiers;
  /// Variables that hold the addresses of instances somebody has asked for.
  std::vector<std::string> requests;
};

/// Lowers every spectrum and codelet of `parsed`, and the instances that are asked for
/// or called. What is wrong goes to `diagnostics`, in source order; the program is of
/// use only when that has no error. `file` and `contentHash` are left to the caller.
/// `source` gets what the program does not say.
ir::Program lowerProgram(const ParsedFile &parsed, ir::Diagnostics &diagnostics,
                         WrittenSource &source);

} // namespace tangram::frontend
