#include "driver/commands/child_process.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tangram::driver {

namespace fs = std::filesystem;

namespace {

/// In the child: let `descriptor` write to the file.
void redirect(int descriptor, const char *file) {
  if (*file == '\0')
    return;
  int opened = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (opened < 0 || dup2(opened, descriptor) < 0)
    _exit(127);
}

} // namespace

int runAndWait(const fs::path &program, const std::vector<std::string> &arguments,
               std::ostream &err, const ChildOutput &output) {
  const std::string name = program.string();
  const std::string out = output.out.string();
  const std::string errors = output.err.string();
  std::vector<std::string> words{name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    redirect(STDOUT_FILENO, out.c_str());
    redirect(STDERR_FILENO, errors.c_str());
    execv(name.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) {
    err << "error: cannot start " << name << ": " << std::strerror(errno) << "\n";
    return 1;
  }
  if (WIFSIGNALED(status)) {
    err << "error: " << program.filename().string() << " was ended by signal " << WTERMSIG(status)
        << " (" << strsignal(WTERMSIG(status)) << ")\n";
    return 3;
  }
  if (WEXITSTATUS(status) == 127)
    err << "error: cannot run " << name << "\n";
  return WEXITSTATUS(status) == 127 ? 1 : WEXITSTATUS(status);
}

} // namespace tangram::driver
