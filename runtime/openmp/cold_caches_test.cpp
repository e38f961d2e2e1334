#include "runtime/openmp/cold_caches.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tangram::runtime {
namespace {

TEST(ColdCaches, TheLargestCacheIsFound) {
  std::string pattern = testing::TempDir() + "caches-XXXXXX";
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  EXPECT_EQ(largestCacheBytes(folder.c_str()), std::uint64_t{32} << 20);
  int index = 0;
  for (const char *size : {"48K", "2048K", "480M"}) {
    const std::filesystem::path cache = folder / ("index" + std::to_string(index++));
    std::filesystem::create_directory(cache);
    std::ofstream(cache / "size") << size << "\n";
  }
  EXPECT_EQ(largestCacheBytes(folder.c_str()), std::uint64_t{480} << 20);
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace tangram::runtime
