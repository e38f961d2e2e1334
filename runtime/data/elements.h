// Elements of arrays of any type as numbers that can be compared with each other.
#pragma once

#include "ir/type.h"
#include "runtime/data/host_array.h"

#include <cstdint>

namespace tangram::runtime {

/// A floating-point number of 128 bits, as widened programs have it.
using Quad = __float128;

/// A view of an array. Numbers are read as long double, which holds every integer and every float and double.
class Elements {
public:
  Elements(ir::Scalar element, const HostMemory &memory)
      : element(element), size(ir::byteSize(element)), data(memory.data()) {}

  long double operator[](std::uint64_t i) const;

  /// The difference of two elements, without rounding that matters: Quads are subtracted as Quads.
  long double minus(const Elements &other, std::uint64_t i) const;
  long double distance(const Elements &other, std::uint64_t i) const;

  /// The same bytes, or both NaN. Of arrays of one type.
  bool same(const Elements &other, std::uint64_t i) const;

private:
  Quad quad(std::uint64_t i) const;
  template <class T> T read(std::uint64_t i) const {
    T value;
    std::memcpy(&value, data + i * sizeof(T), sizeof(T));
    return value;
  }

  ir::Scalar element;
  std::size_t size;
  const std::byte *data;
};

/// Whether a floating-point element still is what poison() made of it: nobody wrote it.
bool isPoison(const std::byte *element, std::size_t bytes);

/// Unit roundoff, largest and least normal number of a floating-point type.
struct FloatLimits {
  double roundoff;
  long double largest, leastNormal;
};
FloatLimits limitsOf(ir::Scalar element);

} // namespace tangram::runtime
