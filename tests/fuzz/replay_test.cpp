// Replay of the fuzzer inputs worth keeping (tests/fuzz/corpus): each goes once through its reader, without the fuzzer.
#include "fuzz/readers.h"

#include "files/read_file.h"

#include <gtest/gtest.h>

namespace tangram::fuzz {
namespace {

namespace fs = std::filesystem;

class Replay : public ::testing::TestWithParam<std::string> {};

TEST_P(Replay, NoInputEndsItsReader) {
  std::size_t read = 0;
  for (const auto &each : fs::directory_iterator(fs::path(TANGRAM_SOURCE_DIR) / "tests/fuzz/corpus" /
                                                 GetParam())) {
    SCOPED_TRACE(each.path().string());
    const auto text = files::readFile(each.path());
    ASSERT_TRUE(std::holds_alternative<std::string>(text));
    readers().at(GetParam())(std::get<std::string>(text));
    ++read;
  }
  EXPECT_GT(read, 0U);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto &[name, reader] : readers())
    all.push_back(name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(EveryReader, Replay, ::testing::ValuesIn(names()), [](const auto &each) {
  std::string name = each.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

} // namespace
} // namespace tangram::fuzz
