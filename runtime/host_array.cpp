#include "runtime/host_array.h"

namespace tangram::runtime {

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
