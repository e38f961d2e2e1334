// C texts that the OpenMP printer makes of a plan; the library's functions are built around them.
#pragma once

#include <string>
#include <vector>

namespace tangram::codegen {

/// The plan's code, and what a caller settles before it runs.
struct PlanParts {
  std::string elements;              ///< C of what no number of workers need exceed
  std::string settle;                ///< tangram_settle, if there is anything to settle
  std::vector<std::string> settled;  ///< its arguments
  std::string bytes;                 ///< tangram_workspace, if there are temporaries
  std::vector<std::string> measured; ///< its arguments
  /// Whether the temporaries are larger with larger containers, or begin where a vector may.
  bool grows = false;
  bool maySaturate = false; ///< tangram_workspace may return SIZE_MAX: no memory is as large
  std::string run;          ///< NAME_run
  std::vector<std::string> arguments; ///< of the latter, but for the workspace
  std::vector<std::string> launched;  ///< launch tunables by name
  std::string dataFunctions;          ///< of calls that check their data: what they call
  std::vector<std::string> keeps;     ///< and what has to hold
};

} // namespace tangram::codegen
