// Where the files are that a parse needs besides the source itself.
#pragma once

#include <string>

namespace tangram::frontend {

/// Folder of tangram.h for the running executable: `../include/tangram` from its
/// own folder when it is installed, else the source tree it was built from.
/// Empty when neither has one.
std::string languageDir();

/// Clang's resource folder (its stddef.h and the like), which goes with the
/// libclang-cpp this process runs on. Empty when there is none.
std::string clangResourceDir();

} // namespace tangram::frontend
