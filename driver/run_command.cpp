#include "driver/run_command.h"

#include "driver/input.h"

#include <cerrno>
#include <cstring>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace tangram::driver {

namespace fs = std::filesystem;

namespace {

/// A folder that goes when the command does.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "tangram-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr)
      path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty())
      fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const fs::path &path() const { return path_; }

private:
  fs::path path_;
};

int runAndWait(const fs::path &program, const std::vector<std::string> &arguments,
               std::ostream &err) {
  std::string name = program.string();
  std::vector<std::string> words{name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    execv(name.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) {
    err << "error: cannot start " << name << ": " << std::strerror(errno) << "\n";
    return 1;
  }
  if (WIFSIGNALED(status)) {
    err << "error: tangram-run was ended by signal " << WTERMSIG(status) << " ("
        << strsignal(WTERMSIG(status)) << ")\n";
    return 3;
  }
  if (WEXITSTATUS(status) == 127)
    err << "error: cannot run " << name << "\n";
  return WEXITSTATUS(status) == 127 ? 1 : WEXITSTATUS(status);
}

} // namespace

int runCommand(const RunOptions &options, const ir::Program &program,
               const composer::Machine &machine, std::ostream &err) {
  TemporaryFolder temporary;
  SynthOptions synth = options.synth;
  bool kept = !synth.output.empty();
  if (!kept) {
    if (temporary.path().empty()) {
      err << "error: cannot make a temporary folder: " << std::strerror(errno) << "\n";
      return 1;
    }
    synth.output = synth.plan == "all" ? temporary.path() : temporary.path() / "bundle";
  }
  SynthResult result = synthesize(synth, program, machine, err);
  if (result.status != 0)
    return result.status;
  std::vector<std::string> arguments{"run"};
  if (!kept)
    arguments.emplace_back("--temporary");
  for (const SynthesizedPlan &plan : result.plans) {
    if (plan.refusal.empty())
      arguments.push_back(plan.bundle.string());
    else
      err << "note: plan " << plan.id << " is refused: " << plan.refusal << "\n";
  }
  arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
  return runAndWait(executableFolder() / "tangram-run", arguments, err);
}

} // namespace tangram::driver
