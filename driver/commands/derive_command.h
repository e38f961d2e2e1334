// tangram derive: the codelets that follow from the loops of a source, as source.
#pragma once

#include "composer/derive/derive.h"
#include "frontend/parse.h"

#include <ostream>
#include <string>

namespace tangram::driver {

struct DeriveCommandOptions {
  std::string spectrum; ///< empty: every one
  std::string output;   ///< file to write; empty: to `out`
  bool why = false;     ///< also what allowed each, and what could not be derived
  std::string format = "text";
};

/// Exit status: 0; 1 when the source is wrong, there is no such spectrum, or nothing follows from the one asked for.
int deriveCommand(const DeriveCommandOptions &options, const std::string &file,
                  const frontend::ParseOptions &parsing, composer::DeriveOptions what,
                  std::ostream &out, std::ostream &err);

} // namespace tangram::driver
