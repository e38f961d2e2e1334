// tangram check --equiv: the codelets of each spectrum against each other. The first autonomous one
// says what the spectrum means; plans that use one of the others are run against it.
#pragma once

#include "composer/machine/machine.h"
#include "driver/commands/equivalence_runs.h"
#include "ir/program.h"

#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

struct EquivalenceOptions {
  /// Only this one; empty: those that the source itself defines, not the included files.
  std::string spectrum;
  std::vector<std::string> sourceOptions; ///< -I and --instantiate, for commands that are printed
  std::string format = "text"; ///< "text" or "json" (docs/command-line.md has its fields)
  RunChoice runs;
};

/// A line on `out` for each codelet as it is known. `machines`: projected onto OpenMP; plans are
/// looked for on each. Exit status: 0; 1 when the spectrum is unknown; 3 when a codelet differs or
/// cannot be compared.
int checkEquivalence(const EquivalenceOptions &options, const ir::Program &program,
                     const std::vector<composer::Machine> &machines, std::ostream &out,
                     std::ostream &err);

} // namespace tangram::driver
