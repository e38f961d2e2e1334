// Where the files are that a parse needs besides the source itself.
#pragma once

#include <string>

namespace tangram::frontend {

/// Folder of tangram.h for the running executable: `../include/tangram` from its
/// own folder when it is installed, else the source tree it was built from.
/// Empty when neither has one.
std::string languageDir();

/// Folder of the library's codelets: `../share/tangram/codelets` from the executable's own folder when it is installed,
/// else that of the source tree it was built from. Empty when neither is there.
std::string codeletsDir();

/// The file; where there is none, and the name is relative, that of the library's folder: `dot.cpp` and
/// `codelets/dot.cpp` are its dot.cpp. A name that neither has stays as it is.
std::string sourceFile(const std::string &name);

/// Clang's resource folder (its stddef.h and the like), which goes with the
/// libclang-cpp this process runs on. Empty when there is none.
std::string clangResourceDir();

} // namespace tangram::frontend
