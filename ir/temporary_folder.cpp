#include "ir/temporary_folder.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace tangram::ir {

namespace fs = std::filesystem;

namespace {

constexpr std::array endings{SIGINT, SIGTERM, SIGHUP};

/// Paths of the folders there are; more than these stay when a signal ends the process.
std::array<std::atomic<char *>, 16> folders{};

/// Only what a signal handler may call: another program removes the folders.
void removeAndEnd(int signal) {
  std::array<char *, folders.size() + 4> argv{};
  char rm[] = "rm", options[] = "-rf", separator[] = "--";
  std::size_t count = 0;
  for (char *word : {rm, options, separator})
    argv[count++] = word;
  for (const std::atomic<char *> &folder : folders) {
    if (char *path = folder.load())
      argv[count++] = path;
  }
  pid_t child = _Fork();
  if (child == 0) {
    execv("/bin/rm", argv.data());
    _exit(127);
  }
  if (child > 0)
    waitpid(child, nullptr, 0);
  std::signal(signal, SIG_DFL);
  raise(signal);
}

/// Signals that somebody else handles, or that are ignored (nohup), are left alone.
void watchSignals() {
  for (int signal : endings) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL)
      continue;
    now.sa_handler = removeAndEnd;
    sigaction(signal, &now, nullptr);
  }
}

void keep(const std::string &path) {
  char *copy = strdup(path.c_str());
  for (std::atomic<char *> &folder : folders) {
    char *none = nullptr;
    if (copy && folder.compare_exchange_strong(none, copy))
      return watchSignals();
  }
  std::free(copy);
}

void forget(const std::string &path) {
  for (std::atomic<char *> &folder : folders) {
    char *kept = folder.load();
    if (kept && path == kept && folder.compare_exchange_strong(kept, nullptr))
      std::free(kept);
  }
}

} // namespace

std::string temporaryPattern() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  return ((error ? "/tmp" : base) / "tangram-XXXXXX").string();
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = temporaryPattern();
  wanted_ = pattern;
  if (mkdtemp(pattern.data()) == nullptr)
    return;
  path_ = pattern;
  keep(pattern);
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty())
    return;
  std::error_code error;
  fs::remove_all(path_, error);
  forget(path_.string());
}

void leaveTemporaryFolders() {
  for (int signal : endings) {
    struct sigaction now = {};
    if (sigaction(signal, nullptr, &now) == 0 && now.sa_handler == removeAndEnd)
      std::signal(signal, SIG_DFL);
  }
}

} // namespace tangram::ir
