// Names a codelet may use and generated code may not.
#pragma once

#include <string>
#include <vector>

namespace tangram::ir {

/// What a variable `name` of a codelet is called in generated code and in manifests: `name`, or
/// `name_` where it is a word of C, OpenCL C or CUDA ("half", "restrict"), a macro of theirs, or
/// something that generated code calls ("barrier", "max_index") or declares ("result").
std::string variableName(const std::string &name);

/// Whether a function of this name, in C or in a kernel, would collide with a keyword or with a
/// function of the C library, of OpenCL C or of generated code.
bool isReservedFunction(const std::string &name);

/// Why a library's function cannot be called `name`, which is also what its files are called: "is a function
/// of the C library", "makes timer_create, which is a function of the C library"; empty: it can.
std::string problemOfEntry(const std::string &name);

/// Suffixes of a library's name in the names of its interface: "", "_workspace", ...
const std::vector<std::string> &interfaceEnds();

} // namespace tangram::ir
