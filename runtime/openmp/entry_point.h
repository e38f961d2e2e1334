// The functions of a compiled bundle, in the process that calls them.
#pragma once

#include "runtime/bundle/call.h"
#include "runtime/openmp/compiler.h"

#include <string>

namespace tangram::runtime {

/// In a worker: loads the object, which runs its constructors, and finds a function. Errors
/// (Fault::Failed): ObjectFile::load's, "FILE: expected a function tangram_call, found none".
Result<EntryPoint *> loadEntry(const ObjectFile &object, const std::string &function,
                               const std::string &file);

} // namespace tangram::runtime
