#include "runtime/session/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char **environ;

namespace tangram::runtime {

namespace {

std::string readAll(int descriptor) {
  std::string text;
  char chunk[4096];
  for (;;) {
    ssize_t got = read(descriptor, chunk, sizeof chunk);
    if (got > 0)
      text.append(chunk, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      return text;
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

Result<ProcessResult> runProcess(const std::vector<std::string> &arguments) {
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
  pid_t process = 0;
  int code = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (code != 0) {
    close(ends[0]);
    return failure(arguments[0] + ": cannot be started: " + std::strerror(code));
  }
  ProcessResult result;
  result.output = readAll(ends[0]);
  close(ends[0]);
  result.status = waitFor(process);
  return result;
}

} // namespace tangram::runtime
