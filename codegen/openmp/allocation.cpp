#include "codegen/openmp/allocation.h"

namespace tangram::codegen {

std::string allocatingFunction() {
  return R"(/// Memory in large pages, where there are any: each page costs time when it is touched first.
static void *tangram_allocate(size_t bytes) {
#ifdef MADV_HUGEPAGE
  const size_t page = (size_t)1 << 21;
  if (bytes >= page && bytes <= (size_t)-1 / 2) {
    const size_t whole = (bytes + page - 1) / page * page;
    void *memory = aligned_alloc(page, whole);
    if (memory)
      madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
  }
#endif
  return malloc(bytes);
}

)";
}

std::string allocatingIncludes() { return "#ifdef __linux__\n#include <sys/mman.h>\n#endif\n"; }

} // namespace tangram::codegen
