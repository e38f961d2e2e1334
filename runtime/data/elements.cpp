#include "runtime/data/elements.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tangram::runtime {

long double Elements::operator[](std::uint64_t i) const {
  switch (element) {
  case ir::Scalar::F32:
    return read<float>(i);
  case ir::Scalar::F64:
    return read<double>(i);
  case ir::Scalar::F128:
    return static_cast<long double>(read<Quad>(i));
  case ir::Scalar::I8:
    return read<std::int8_t>(i);
  case ir::Scalar::I16:
    return read<std::int16_t>(i);
  case ir::Scalar::U16:
    return read<std::uint16_t>(i);
  case ir::Scalar::I32:
    return read<std::int32_t>(i);
  case ir::Scalar::U32:
    return read<std::uint32_t>(i);
  case ir::Scalar::I64:
    return static_cast<long double>(read<std::int64_t>(i));
  case ir::Scalar::U64:
  case ir::Scalar::Index:
    return static_cast<long double>(read<std::uint64_t>(i));
  default: // bool is one byte
    return read<std::uint8_t>(i);
  }
}

Quad Elements::quad(std::uint64_t i) const {
  return element == ir::Scalar::F128 ? read<Quad>(i) : static_cast<Quad>((*this)[i]);
}

long double Elements::minus(const Elements &other, std::uint64_t i) const {
  if (element == ir::Scalar::F128 || other.element == ir::Scalar::F128)
    return static_cast<long double>(quad(i) - other.quad(i));
  return (*this)[i] - other[i];
}

long double Elements::distance(const Elements &other, std::uint64_t i) const {
  return std::abs(minus(other, i));
}

bool Elements::same(const Elements &other, std::uint64_t i) const {
  if (std::memcmp(data + i * size, other.data + i * size, size) == 0)
    return true;
  return ir::isFloating(element) && std::isnan((*this)[i]) && std::isnan(other[i]) &&
         isPoison(data + i * size, size) == isPoison(other.data + i * size, size);
}

bool isPoison(const std::byte *element, std::size_t bytes) {
  return std::all_of(element, element + bytes,
                     [](std::byte each) { return each == std::byte{0xFF}; });
}

FloatLimits limitsOf(ir::Scalar element) {
  switch (element) {
  case ir::Scalar::F32:
    return {0x1p-24, std::numeric_limits<float>::max(), std::numeric_limits<float>::min()};
  case ir::Scalar::F128:
    return {0x1p-113, std::numeric_limits<long double>::max(),
            std::numeric_limits<long double>::min()};
  default:
    return {0x1p-53, std::numeric_limits<double>::max(), std::numeric_limits<double>::min()};
  }
}

} // namespace tangram::runtime
