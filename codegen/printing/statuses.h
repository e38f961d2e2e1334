// Status codes of a library's functions: the enumeration in its header, and NAME_message, which puts a code in words.
#pragma once

#include <string>
#include <vector>

namespace tangram::codegen {

/// 0 is success, numbers below 0 are OpenCL's own errors.
enum class Status {
  Refused = 1,
  NoMemory = 2,       ///< OpenMP
  SmallWorkspace = 3, ///< OpenMP
  Overlap = 4,
  SmallBuffer = 5, ///< OpenCL
  BadData = 6,     ///< of libraries that check the data of calls (synth --checked)
};

/// "sum_overlap" of the library `name`.
std::string statusName(const std::string &name, Status status);

/// The names that the enumeration defines for a library.
std::vector<std::string> statusNames(const std::string &name);

/// `enum NAME_status` and the declaration of NAME_message.
std::string statusDeclarations(const std::string &name, bool isOpencl);

/// The definition of NAME_message.
std::string messageFunction(const std::string &name, bool isOpencl);

} // namespace tangram::codegen
