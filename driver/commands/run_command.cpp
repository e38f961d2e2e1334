#include "driver/commands/run_command.h"

#include "driver/commands/child_process.h"
#include "driver/input/input.h"
#include "ir/temporary_folder.h"

#include <cerrno>
#include <cstring>

namespace tangram::driver {

int runCommand(const RunOptions &options, const ir::Program &program,
               const composer::Machine &machine, std::ostream &err) {
  ir::TemporaryFolder temporary;
  SynthOptions synth = options.synth;
  bool kept = !synth.output.empty();
  if (!kept) {
    if (temporary.path().empty()) {
      err << "error: cannot make a temporary folder: " << std::strerror(errno) << "\n";
      return 1;
    }
    synth.writing.isTemporary = true;
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
