#include "files/read_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace tangram::files {
namespace {

namespace fs = std::filesystem;

class ReadFile : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "files-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override { fs::remove_all(root); }

  static std::string read(const fs::path &file, std::uint64_t most = mostTextBytes) {
    const auto got = readFile(file, most);
    if (const auto *why = std::get_if<Unreadable>(&got))
      return "unreadable: " + why->reason;
    return std::get<std::string>(got);
  }

  fs::path root;
};

TEST_F(ReadFile, ReadsFilesAndPipes) {
  std::ofstream(root / "a") << std::string("text\0more", 9);
  EXPECT_EQ(read(root / "a"), std::string("text\0more", 9));
  EXPECT_EQ(read("/dev/null"), "");
  ASSERT_EQ(mkfifo((root / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(root / "pipe") << "through"; });
  EXPECT_EQ(read(root / "pipe"), "through");
  writer.join();
}

TEST_F(ReadFile, SaysWhyItCannot) {
  EXPECT_EQ(read(root / "a"), "unreadable: No such file or directory");
  EXPECT_EQ(read(root), "unreadable: it is a folder");
  EXPECT_EQ(read("/dev/zero"), "unreadable: it is a device, no file");
  std::ofstream(root / "a") << std::string(3 << 20, 'x');
  EXPECT_EQ(read(root / "a", 2 << 20), "unreadable: it is larger than 2 MiB");
  ASSERT_EQ(mkfifo((root / "pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(root / "pipe") << std::string(3 << 20, 'x'); });
  std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(read(root / "pipe", 2 << 20), "unreadable: it is larger than 2 MiB");
  writer.join();
}

} // namespace
} // namespace tangram::files
