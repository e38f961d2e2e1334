// A fuzz target of libFuzzer for the reader that the build names: tests/README.md says how to run one.
#include "fuzz/readers.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  static const tangram::fuzz::Reader &reader = tangram::fuzz::readers().at(TANGRAM_READER);
  reader(std::string(reinterpret_cast<const char *>(data), size));
  return 0;
}
