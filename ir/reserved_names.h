// Names a codelet may use and generated code may not.
#pragma once

#include <string>

namespace tangram::ir {

/// What a variable `name` of a codelet is called in generated code and in manifests: `name`, or
/// `name_` where it is a word of C, OpenCL C or CUDA ("half", "restrict"), a macro of theirs, or
/// something that generated code calls ("barrier", "max_index") or declares ("result").
std::string variableName(const std::string &name);

/// Whether a function of this name, in C or in a kernel, would collide with a keyword or with a
/// function of the C library, of OpenCL C or of generated code.
bool isReservedFunction(const std::string &name);

/// The same of a C function with external linkage, whose name goes to files too.
bool isReservedEntry(const std::string &name);

} // namespace tangram::ir
