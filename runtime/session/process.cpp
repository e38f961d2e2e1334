#include "runtime/session/process.h"

#include "runtime/session/time_limit.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>

extern char **environ;

namespace tangram::runtime {

namespace {

using Clock = std::chrono::steady_clock;
using Deadline = std::optional<Clock::time_point>; ///< none: for ever

/// Milliseconds until then, as poll() takes them.
int left(const Deadline &until) {
  if (!until)
    return -1;
  const auto span = std::chrono::ceil<std::chrono::milliseconds>(*until - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(span, 0, INT_MAX));
}

/// False when it is not at its end by then.
bool readAll(int descriptor, const Deadline &until, std::string &text) {
  char chunk[4096];
  for (;;) {
    pollfd ready{descriptor, POLLIN, 0};
    const int any = poll(&ready, 1, left(until));
    if (any == 0)
      return false;
    if (any < 0 && errno == EINTR)
      continue;
    const ssize_t got = read(descriptor, chunk, sizeof chunk);
    if (got > 0)
      text.append(chunk, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      return true;
  }
}

int waitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR)
      return 127;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

Result<ProcessResult> runProcess(const std::vector<std::string> &arguments,
                                 std::optional<double> secondsLimit) {
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return failure(arguments[0] + ": cannot be started: " + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  // A group of its own, which can be ended as a whole: compilers are drivers of other programs.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (secondsLimit)
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  int code = posix_spawnp(&process, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (code != 0) {
    close(ends[0]);
    return failure(arguments[0] + ": cannot be started: " + std::strerror(code));
  }
  Deadline until;
  if (secondsLimit)
    until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(*secondsLimit));
  ProcessResult result;
  const bool ended = readAll(ends[0], until, result.output);
  close(ends[0]);
  if (!ended)
    kill(-process, SIGKILL);
  result.status = waitFor(process);
  if (!ended)
    return Error{Fault::Failed, arguments[0] + ": " + endedAfter(*secondsLimit), Ending::TimedOut};
  return result;
}

} // namespace tangram::runtime
