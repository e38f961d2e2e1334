// tangram check: diagnose a codelet source, and say what the analyser knows
// about its spectrums and codelets.
#pragma once

#include "composer/machine/machine.h"
#include "ir/diagnostic.h"
#include "ir/program.h"

#include <ostream>
#include <string>

namespace tangram::driver {

struct CheckOptions {
  std::string format = "text"; ///< "text" or "json" (docs/command-line.md has its fields)
  bool countsDerived = false;  ///< text: of codelets that follow from loops only how many there are
};

/// `diagnostics` are those of the frontend; the analyser's warnings follow them on
/// `err`. On `out` comes a summary, of the levels of `machine` too unless it is null.
/// When a diagnostic is an error, `program` is not looked at: text prints no summary,
/// JSON one without spectrums.
/// Exit status: 0, or 1 when there is an error. Warnings do not count.
int checkCommand(const CheckOptions &options, const ir::Program &program,
                 const ir::Diagnostics &diagnostics, const composer::Machine *machine,
                 std::ostream &out, std::ostream &err);

} // namespace tangram::driver
