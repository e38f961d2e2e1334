#include "files/write_file.h"

#include "files/scratch.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace tangram::files {
namespace {

namespace fs = std::filesystem;

class WriteFile : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "files-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = fs::canonical(name);
  }
  void TearDown() override { fs::remove_all(root); }

  static void put(const fs::path &file, const std::string &text) { std::ofstream(file) << text; }

  static std::string textOf(const fs::path &file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(root), fs::directory_iterator()));
  }

  fs::path root;
};

TEST_F(WriteFile, MakesAFileAndReplacesOne) {
  EXPECT_EQ(writeFile(root / "a", "one"), "");
  EXPECT_EQ(writeFile(root / "a", "two"), "");
  EXPECT_EQ(textOf(root / "a"), "two");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(WriteFile, WritesMoreThanABufferHolds) {
  const std::string large(3 << 16, 'x');
  EXPECT_EQ(writeFile(root / "a",
                      [&](std::ostream &out) {
                        for (char c : large)
                          out << c;
                        out << large << "end";
                      }),
            "");
  EXPECT_EQ(textOf(root / "a"), large + large + "end");
}

TEST_F(WriteFile, KeepsPermissions) {
  put(root / "a", "one");
  fs::permissions(root / "a", fs::perms(0640));
  EXPECT_EQ(writeFile(root / "a", "two"), "");
  EXPECT_EQ(fs::status(root / "a").permissions(), fs::perms(0640));
}

TEST_F(WriteFile, FollowsLinks) {
  fs::create_directory(root / "far");
  put(root / "far" / "a", "one");
  fs::create_symlink("far/a", root / "link");
  fs::create_symlink(root / "link", root / "second");
  EXPECT_EQ(writeFile(root / "second", "two"), "");
  EXPECT_TRUE(fs::is_symlink(root / "second"));
  EXPECT_EQ(textOf(root / "far" / "a"), "two");
  fs::create_symlink("far/new", root / "dangling");
  EXPECT_EQ(writeFile(root / "dangling", "three"), "");
  EXPECT_EQ(textOf(root / "far" / "new"), "three");
  fs::create_symlink("loop", root / "loop");
  EXPECT_EQ(writeFile(root / "loop", "x"), "Too many levels of symbolic links");
}

TEST_F(WriteFile, SaysWhyItCannot) {
  EXPECT_EQ(writeFile(root, "x"), "it is a folder");
  EXPECT_EQ(writeFile(root / "no" / "such", "x"), "No such file or directory");
  put(root / "file", "mine");
  EXPECT_EQ(writeFile(root / "file" / "below", "x"), "Not a directory");
  EXPECT_EQ(writeFile("/dev/full", "x"), "No space left on device");
  EXPECT_EQ(writeFile("", "x"), "No such file or directory");
}

TEST_F(WriteFile, WritesDevicesAndPipesThrough) {
  EXPECT_EQ(writeFile("/dev/null", "x"), "");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  ASSERT_EQ(mkfifo((root / "pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = textOf(root / "pipe"); });
  EXPECT_EQ(writeFile(root / "pipe", "through"), "");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(fs::is_fifo(root / "pipe"));
}

/// In a child, whose limits are its own: the exit status of what `body` returns.
template <class Body> int inChild(const Body &body) {
  const pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_F(WriteFile, AFullDiskLeavesWhatWasThere) {
  put(root / "a", "one");
  const int status = inChild([&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit few{1 << 17, 1 << 17};
    setrlimit(RLIMIT_FSIZE, &few);
    return writeFile(root / "a", std::string(1 << 20, 'x')) == "File too large" ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(textOf(root / "a"), "one");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(WriteFile, AFolderThatIsNotOursLeavesWhatWasThere) {
  put(root / "a", "one");
  fs::permissions(root, fs::perms(0555));
  const int status = inChild([&] {
    if (geteuid() == 0 && setuid(65534) != 0) // everything is the superuser's to change
      return 2;
    return writeFile(root / "a", "two") == "Permission denied" ? 0 : 1;
  });
  fs::permissions(root, fs::perms(0755));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(textOf(root / "a"), "one");
}

TEST_F(WriteFile, TheNextOneRemovesWhatAKilledOneLeft) {
  put(root / "a", "one");
  const int status = inChild([&]() -> int {
    (void)writeFile(root / "a", [](std::ostream &out) {
      out << "half" << std::flush;
      raise(SIGKILL);
    });
    return 0;
  });
  EXPECT_EQ(status, 128 + SIGKILL);
  EXPECT_EQ(textOf(root / "a"), "one");
  EXPECT_EQ(entries(), 2U);
  EXPECT_EQ(writeFile(root / "a", "two"), "");
  EXPECT_EQ(textOf(root / "a"), "two");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(WriteFile, LeavesWhatOthersAreWritingAlone) {
  const Scratch file = scratchFile(root);
  const Scratch folder = scratchFolder(root);
  EXPECT_EQ(writeFile(root / "a", "one"), "");
  EXPECT_TRUE(fs::exists(file.path));
  EXPECT_TRUE(fs::exists(folder.path));
  EXPECT_EQ(entries(), 3U);
}

TEST_F(WriteFile, TwoAtATimeWriteOneOfTheirTexts) {
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i)
    writers.emplace_back([&, i] {
      for (int round = 0; round < 5; ++round)
        EXPECT_EQ(writeFile(root / "a", std::string(100000, static_cast<char>('a' + i))), "");
    });
  for (std::thread &writer : writers)
    writer.join();
  const std::string text = textOf(root / "a");
  EXPECT_EQ(text, std::string(100000, text.at(0)));
  EXPECT_EQ(entries(), 1U);
}

} // namespace
} // namespace tangram::files
