#include "runtime/openmp/shared_object.h"

#include <dlfcn.h>

namespace tangram::runtime {

Result<SharedObject> SharedObject::open(const std::string &name) {
  void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    return failure(dlerror());
  return SharedObject(handle);
}

void *SharedObject::symbol(const char *name) const { return dlsym(handle, name); }

} // namespace tangram::runtime
