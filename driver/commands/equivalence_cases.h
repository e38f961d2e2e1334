// The cases that `tangram check --equiv` runs a bundle on: sizes, tunables and kinds of data, spread over the runs.
#pragma once

#include "ir/program.h"
#include "runtime/session/case_list.h"

#include <map>
#include <string>
#include <vector>

namespace tangram::driver {

struct RunChoice {
  std::vector<std::string> sizes; ///< values of --size; empty: awkward ones, and large ones
  std::vector<runtime::DataKind> kinds = runtime::usualKinds();
  std::uint64_t seed = 1;     ///< and the next ones
  double timeLimit = 10;      ///< seconds of one call
  double budget = 30;         ///< seconds of all runs of a spectrum
  bool verifyWidened = false; ///< compare in wider numbers where bytes are the same, too
  std::vector<std::uint64_t> constants{}; ///< integers of the source, near which sizes are tried
  /// Extents of problems for which the reference took too long with another bundle: neither these nor larger ones are tried.
  std::vector<std::map<std::string, std::uint64_t>> tooLong{};
};

/// Integers of the program's codelets and functions that may be a limit of a size, the smallest first.
std::vector<std::uint64_t> sizesNamedIn(const ir::Program &program);

/// Extents that no equation of the signature gives.
std::vector<std::string> freeExtentsOf(const runtime::Manifest &manifest);

/// The runs of one bundle. Small awkward shapes (nothing, one, about a tile, a ragged one) meet every kind of data and
/// every setting of tunables; a setting gives all of them a value, and every value of a list of them takes part. Large
/// odd ones (above 256, 4096 and 65536, each extent alone and all together) meet the kinds and the first settings.
/// `share` of `shares`: which of the settings that need a compilation are tried, where several bundles share them.
/// Error (Fault::Usage): RunChoice::sizes cannot be read.
runtime::Result<runtime::CaseList> casesFor(const runtime::Manifest &manifest,
                                            const RunChoice &choice, unsigned share,
                                            unsigned shares);

/// Leaves out those that RunChoice::tooLong names, unless sizes were asked for; the number of them.
std::size_t leaveOutLong(runtime::CaseList &cases, const RunChoice &choice);

/// Shapes smaller than that of `known`, which failed, with its tunables or few workers, and its data or ordinary ones.
runtime::CaseList smallerCases(const runtime::Manifest &manifest, const runtime::Case &known);

} // namespace tangram::driver
