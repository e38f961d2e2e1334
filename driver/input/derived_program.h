// A program with the codelets that follow from its loops.
#pragma once

#include "composer/derive/derive.h"
#include "frontend/parse.h"
#include "ir/diagnostic.h"

#include <optional>
#include <string>

namespace tangram::driver {

/// Reads the value of `--derive`: none, loops (of spectrums whose authors wrote loops alone), all, or tags.
composer::DeriveOptions deriveOptions(const std::string &said);

/// The file name in places of derived codelets of a source.
std::string fileOfDerived(const std::string &file);

/// The header of numbers that have a name alone, where derived text names one; else "". Clang takes longer to read it than
/// all else.
std::string headerFor(const std::string &text);

/// The source of `file` with what follows from its loops behind it, read again.
struct DerivedProgram {
  std::optional<ir::Program> program; ///< none where nothing follows
  composer::Derivation derivation;
};
/// `parsed` is what the file says alone.
DerivedProgram withDerived(const std::string &file, const frontend::ParseResult &parsed,
                           const frontend::ParseOptions &parsing, composer::DeriveOptions options);

} // namespace tangram::driver
