#include "ir/temporary_folder.h"

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace tangram::ir {

namespace fs = std::filesystem;

TEST(TemporaryFolder, GoesWithTheObject) {
  fs::path path;
  {
    TemporaryFolder folder;
    path = folder.path();
    ASSERT_TRUE(fs::is_directory(path));
    std::ofstream(path / "file") << "content";
  }
  EXPECT_FALSE(fs::exists(path));
}

/// The folders that a child made, and the signal that ended it.
struct Ended {
  std::vector<fs::path> folders;
  int signal = 0;
};

Ended endedBy(int signal, bool leave) {
  int ends[2];
  if (pipe(ends) != 0)
    return {};
  pid_t child = fork();
  if (child == 0) {
    TemporaryFolder one, other;
    std::ofstream(one.path() / "file") << "content";
    std::string text = one.path().string() + "\n" + other.path().string() + "\n";
    if (write(ends[1], text.data(), text.size()) < 0)
      _exit(1);
    if (leave)
      leaveTemporaryFolders();
    raise(signal);
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  char chunk[512];
  for (ssize_t got; (got = read(ends[0], chunk, sizeof chunk)) > 0;)
    text.append(chunk, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Ended ended;
  ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    ended.folders.emplace_back(text.substr(at, end - at));
  return ended;
}

TEST(TemporaryFolder, GoesWhenASignalEndsTheProcess) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Ended ended = endedBy(signal, false);
    EXPECT_EQ(ended.signal, signal);
    ASSERT_EQ(ended.folders.size(), 2u);
    for (const fs::path &folder : ended.folders)
      EXPECT_FALSE(fs::exists(folder)) << folder;
  }
}

TEST(TemporaryFolder, IsLeftToTheProcessThatMadeIt) {
  Ended ended = endedBy(SIGTERM, true);
  EXPECT_EQ(ended.signal, SIGTERM);
  ASSERT_EQ(ended.folders.size(), 2u);
  for (const fs::path &folder : ended.folders) {
    EXPECT_TRUE(fs::exists(folder)) << folder;
    fs::remove_all(folder);
  }
}

} // namespace tangram::ir
