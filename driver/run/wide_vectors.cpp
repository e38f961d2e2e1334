#include "driver/run/wide_vectors.h"

#include "runtime/bundle/library.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

namespace tangram::driver {

unsigned widestVector(const std::string &source) {
  constexpr std::string_view attribute = "vector_size(";
  unsigned widest = 0;
  for (std::size_t at = source.find(attribute); at != std::string::npos;
       at = source.find(attribute, at + 1)) {
    unsigned bytes = 0;
    std::from_chars(source.data() + at + attribute.size(), source.data() + source.size(), bytes);
    widest = std::max(widest, bytes);
  }
  return widest;
}

unsigned vectorBytesHere() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return 64;
  return __builtin_cpu_supports("avx") ? 32 : 16;
#else
  return 0;
#endif
}

std::string tooWideVectors(const std::string &source, unsigned bytes) {
  const unsigned widest = widestVector(source);
  if (bytes == 0 || widest <= bytes)
    return "";
  return "made for vectors of " + std::to_string(8 * widest) + " bits, this processor has " +
         std::to_string(8 * bytes) +
         ": GCC makes slow code of it; `tangram hw detect > here.json` and `synth --hw here.json` "
         "suit it";
}

void tellOfWideVectors(const std::vector<std::string> &bundles) {
  if (isatty(STDERR_FILENO) == 0)
    return;
  for (const std::string &bundle : bundles) {
    const auto library = runtime::readLibrary(bundle);
    if (!library)
      continue; // whoever runs it says why
    for (const runtime::Manifest &version : library->versions) {
      if (version.target != runtime::Target::OpenMP)
        continue;
      std::ifstream file(version.path("source"));
      const std::string told =
          tooWideVectors({std::istreambuf_iterator<char>(file), {}}, vectorBytesHere());
      if (told.empty())
        continue;
      std::cerr << "tangram-run: note: " << bundle << ": " << told << "\n";
      return;
    }
  }
}

} // namespace tangram::driver
