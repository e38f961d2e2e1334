// tangram rules: the composition rules a source gives rise to (dissertation
// figure 5.5), specialized when a machine is given (figures 5.6 and 5.7).
#pragma once

#include "composer/machine/machine.h"
#include "composer/rules/rule.h"
#include "ir/program.h"

#include <ostream>
#include <string>
#include <vector>

namespace tangram::driver {

struct RulesOptions {
  std::string spectrum;             ///< empty: every spectrum of the program (JSON: its only one)
  std::vector<std::string> without; ///< codelets left out, as composer::leftOut takes them
  std::vector<composer::MapRule> mapRules; ///< replaces what the levels offer; empty: the model's
  composer::NestedMaps nests = composer::NestedMaps::Offered;
  std::string target;          ///< only codelets for this target; empty: any
  bool why = false;            ///< text: also the rules that cannot be applied, and why
  std::string format = "text"; ///< "text" or "json" (docs/plans.md has its fields)
};

/// Print the rules on `out`. `machine` is null before one is named. Exit status: 0; 1 for an
/// unknown spectrum or codelet; 2 when JSON is asked of several spectrums. Messages go to `err`.
int rulesCommand(const RulesOptions &options, const ir::Program &program,
                 const composer::Machine *machine, std::ostream &out, std::ostream &err);

} // namespace tangram::driver
