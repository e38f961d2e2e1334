// A list of runs in a file: each with sizes, tunables, kind of data and seed of its own, where all combinations would be
// too many.
#pragma once

#include "runtime/bundle/tunables.h"
#include "runtime/data/inputs.h"

#include <filesystem>
#include <limits>
#include <vector>

namespace tangram::runtime {

/// One run. Its seed is added to that of the call.
struct Case {
  SizeChoice sizes;
  TunableValues setting;
};

struct CaseList {
  std::vector<Case> cases; ///< what matters most first
  /// Seconds for all runs, and as many for compilations; what would take longer is left out.
  double budget = std::numeric_limits<double>::infinity();
  double referenceTimeLimit = 0; ///< seconds of one call of a reference; 0: as the call has it
};

/// {"budget": 10, "reference_time_limit": 2, "cases": [{"size": {"in": [300, 400], "n": [7]}, "set": {"p": 3},
/// "data": "full", "seed": 1}]}; a case's "all" is the size of all extents that nothing else fixes.
std::string casesText(const CaseList &list);

/// Errors (Fault::Input): "cases.json: expected a list of cases, found ...".
Result<CaseList> readCases(const std::filesystem::path &file);

} // namespace tangram::runtime
