// Arrays in host memory, as the kernels under test see them.
#pragma once

#include "ir/type.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace tangram::runtime {

/// Uninitialised memory on a 64-byte boundary, followed by a guard zone that
/// shows whether somebody wrote past the end. Move only.
class HostMemory {
public:
  HostMemory() : HostMemory(0) {}
  /// Throws std::bad_alloc.
  explicit HostMemory(std::size_t bytes) : size(bytes) {
    if (bytes > SIZE_MAX - 2 * guardBytes)
      throw std::bad_alloc();
    std::size_t whole = (bytes + 2 * guardBytes - 1) / guardBytes * guardBytes;
    memory.reset(static_cast<std::byte *>(std::aligned_alloc(guardBytes, whole)));
    if (!memory)
      throw std::bad_alloc();
    std::memset(memory.get() + size, guardByte, whole - size);
  }

  std::byte *data() { return memory.get(); }
  const std::byte *data() const { return memory.get(); }
  std::size_t bytes() const { return size; }

  bool guardIntact() const {
    for (std::size_t i = 0; i < guardBytes; ++i) {
      if (memory.get()[size + i] != std::byte{guardByte})
        return false;
    }
    return true;
  }

private:
  struct Free {
    void operator()(std::byte *p) const { std::free(p); }
  };
  static constexpr std::size_t guardBytes = 64;
  static constexpr unsigned char guardByte = 0xC3;
  std::unique_ptr<std::byte, Free> memory;
  std::size_t size;
};

/// A dense row-major array; a scalar has an empty shape and one element.
struct HostArray {
  ir::Scalar element = ir::Scalar::I32;
  std::vector<std::uint64_t> shape;
  HostMemory memory;

  std::uint64_t count() const {
    std::uint64_t n = 1;
    for (std::uint64_t extent : shape)
      n *= extent;
    return n;
  }

  /// Of all elements, whether there is memory for them or not; nothing when 64 bits do not hold it.
  std::optional<std::uint64_t> bytes() const;
};

/// The element type as NumPy calls it: "int32", "float64", "bool".
std::string numpyName(ir::Scalar element);

/// Where element `i` (row-major) of an array of this shape is: "7", or "(3, 4)" in more dimensions.
std::string indexText(const std::vector<std::uint64_t> &shape, std::uint64_t i);

/// Every byte such that an element nobody wrote is seen to be wrong: NaN for
/// floating point, an unlikely number otherwise.
void poison(ir::Scalar element, std::byte *data, std::size_t bytes);

} // namespace tangram::runtime
