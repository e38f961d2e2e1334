// tangram-run store: what a store of measurements holds, merged and exported.
#pragma once

#include "runtime/tune/store.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tangram::driver {

struct StoreCommand {
  std::string what; ///< "show", "best", "export", "merge"; empty: not on the command line
  std::string file;
  std::vector<std::string> others; ///< of merge
  std::string output;              ///< of export; empty: standard output
  runtime::StoreQuery query;
  std::string format = "text";
};

void addStore(CLI::App &app, StoreCommand &command);

/// Errors (Fault::Input): of files.
runtime::Status showStore(const StoreCommand &command);

} // namespace tangram::driver
