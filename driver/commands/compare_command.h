// tangram compare: plans beside machines, as text, as JSON, or as one page to read in a browser.
#pragma once

#include "driver/commands/comparison.h"

#include <filesystem>
#include <ostream>

namespace tangram::driver {

struct CompareOptions {
  ComparisonOptions comparison;
  std::string format = "text"; ///< "text" or "json" (docs/compare.md)
  std::filesystem::path page;  ///< write the page to this file; empty: nowhere
  std::filesystem::path store; ///< measurements of `tangram-run tune`; empty: none
};

/// Exit status: 0; 1 when no machine has a plan, the store cannot be read or the page not be written.
/// With a page, text says on `out` where it is.
int compareCommand(const CompareOptions &options, ComparedMachines machines, std::ostream &out,
                   std::ostream &err);

/// The sizes that `store` has measurements of: what to predict for where nobody says. `spectrum`: the name
/// that bundles have for it.
runtime::Result<std::vector<runtime::SizeChoice>> measuredSizes(const std::filesystem::path &store,
                                                                const std::string &spectrum);

} // namespace tangram::driver
