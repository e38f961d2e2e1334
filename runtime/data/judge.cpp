#include "runtime/data/judged_run.h"

namespace tangram::runtime {

Result<Verification> judge(const JudgedCase &asked, Runs &runs) {
  JudgedRun run(asked, runs);
  const Verification &done = run.found.done;
  if (Status status = run.gather(); !status)
    return status.error();
  for (auto ask : {askSameFunction, askOnlyRounding}) {
    if (done.verdict != Verification::Verdict::Right)
      break;
    if (Status status = ask(run); !status)
      return status.error();
  }
  return done;
}

} // namespace tangram::runtime
