// Shared objects opened at run time.
#pragma once

#include "runtime/session/result.h"

#include <string>

namespace tangram::runtime {

/// A handle of dlopen. Objects stay mapped until the process ends: the threads
/// of an OpenMP runtime or an OpenCL driver may still stand in their code when the last
/// user is done with them.
class SharedObject {
public:
  /// `name` is a path, or a name the loader looks for. Error (Fault::Failed): the loader's message.
  static Result<SharedObject> open(const std::string &name);

  /// Null when there is no such symbol.
  template <class Function> Function *function(const char *name) const {
    return reinterpret_cast<Function *>(symbol(name));
  }

private:
  explicit SharedObject(void *handle) : handle(handle) {}
  void *symbol(const char *name) const;
  void *handle;
};

} // namespace tangram::runtime
