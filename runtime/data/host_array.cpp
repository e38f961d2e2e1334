#include "runtime/data/host_array.h"

#include <algorithm>

namespace tangram::runtime {

std::optional<std::uint64_t> HostArray::bytes() const {
  // A zero anywhere makes the array empty, whatever the other extents are.
  if (std::count(shape.begin(), shape.end(), 0U) > 0)
    return 0;
  std::uint64_t product = ir::byteSize(element);
  for (std::uint64_t extent : shape) {
    if (__builtin_mul_overflow(product, extent, &product))
      return std::nullopt;
  }
  return product;
}

std::string numpyName(ir::Scalar element) {
  if (element == ir::Scalar::Bool)
    return "bool";
  std::string bits = std::to_string(ir::byteSize(element) * 8);
  if (ir::isFloating(element))
    return "float" + bits;
  return (ir::isSigned(element) ? "int" : "uint") + bits;
}

std::string indexText(const std::vector<std::uint64_t> &shape, std::uint64_t i) {
  if (shape.size() < 2)
    return std::to_string(i);
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0; i /= shape[d])
    text = std::to_string(i % shape[d]) + (text.empty() ? "" : ", ") + text;
  return "(" + text + ")";
}

void poison(ir::Scalar element, std::byte *data, std::size_t bytes) {
  // All bits set is a NaN in every IEEE format.
  std::memset(data, ir::isFloating(element) ? 0xFF : 0xA5, bytes);
}

} // namespace tangram::runtime
