// Names with external linkage that every C program has already.
#pragma once

#include <string>

namespace tangram::ir {

/// Whether the C library (C11, POSIX, glibc) has a function or variable of this name: a program that defines
/// another one replaces it for all that it links.
bool isOfLibrary(const std::string &name);

/// Likewise, of names as they stand in its list: neither forms of others nor all that a family may have.
bool isFunctionOfLibrary(const std::string &name);

} // namespace tangram::ir
