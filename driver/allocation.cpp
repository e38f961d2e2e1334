// operator new where mimalloc takes the place of the C library's allocator: its own ends the process when memory
// runs out, these throw, so that the command can say so (driver/whole_command.h).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

void *orThrow(void *memory) {
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}

/// As aligned_alloc wants them, sizes are multiples of the alignment.
void *aligned(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  if (bytes > SIZE_MAX - unit)
    throw std::bad_alloc();
  return orThrow(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}

} // namespace

void *operator new(std::size_t bytes) { return orThrow(std::malloc(bytes)); }
void *operator new[](std::size_t bytes) { return orThrow(std::malloc(bytes)); }
void *operator new(std::size_t bytes, std::align_val_t alignment) {
  return aligned(bytes, alignment);
}
void *operator new[](std::size_t bytes, std::align_val_t alignment) {
  return aligned(bytes, alignment);
}
