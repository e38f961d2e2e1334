// A program with the codelets that follow from its loops.
#pragma once

#include "composer/derive/derive.h"
#include "frontend/parse.h"
#include "ir/diagnostic.h"

#include <optional>
#include <string>

namespace tangram::driver {

/// What `--derive` says: none, loops (of spectrums whose authors wrote loops alone), all, or tags.
composer::DeriveOptions deriveOptions(const std::string &said);

/// The source of `file` with what follows from its loops behind it, read again. `program` is what it said alone; null
/// where nothing follows. An error is one of ours: text that the frontend does not take.
struct DerivedProgram {
  std::optional<ir::Program> program;
  composer::Derivation derivation;
  ir::Diagnostics diagnostics;
};
DerivedProgram withDerived(const std::string &file, const ir::Program &program,
                           const frontend::ParseOptions &parsing,
                           const composer::DeriveOptions &options);

} // namespace tangram::driver
