#include "runtime/openmp/entry_point.h"

namespace tangram::runtime {

Result<EntryPoint *> loadEntry(const ObjectFile &object, const std::string &function,
                               const std::string &file) {
  Result<SharedObject> loaded = object.load();
  if (!loaded)
    return loaded.error();
  if (EntryPoint *entry = loaded->function<EntryPoint>(function.c_str()))
    return entry;
  return failure(file + ": expected a function " + function + ", found none");
}

} // namespace tangram::runtime
