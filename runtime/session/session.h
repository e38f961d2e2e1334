// Bundles in, records out: every combination of size, bundle and tunable
// setting is verified, timed or both, and whatever goes wrong with one of them
// leaves the others alone. Several kinds of data are tried one after the other, for one record.
#pragma once

#include "runtime/session/case_list.h"
#include "runtime/session/runner.h"

#include <functional>
#include <string>
#include <vector>

namespace tangram::runtime {

struct SessionOptions : RunnerOptions {
  std::vector<std::string> bundles;
  std::map<std::string, std::string> inputs; ///< see readInputs
  std::vector<SizeChoice> sizes{SizeChoice{}};
  /// What to fix, one record each; a tunable a bundle does not have does not concern it.
  std::vector<TunableValues> settings{TunableValues{}};
  /// A combination is tried with all of them, until one shows a mistake or they have taken usualSeconds.
  std::vector<DataKind> kinds{DataKind::Ordinary};
  /// Where it has cases, these instead of sizes, settings and kinds, one record each. What it leaves out is refused.
  CaseList cases;
  /// Of a bundle of several plans: every version at each of the sizes, or the one that the rules say.
  bool allVersions = false;
  /// The bundles' folders go before anybody reads about them: call bundles by their plan's id.
  bool temporary = false;
};

/// After so many seconds a combination is not tried with more kinds of data.
inline constexpr double usualSeconds = 5;

/// Announces how many combinations there are and which one is next.
using Progress =
    std::function<void(std::size_t done, std::size_t total, const std::string &bundle)>;
using Sink = std::function<void(const Record &)>;

/// Run all combinations, sizes outermost, and give each record to `sink` as it
/// is made. Error: what makes the whole call pointless (Fault::Usage: a tunable no
/// bundle has, a value outside its domain, --output with several combinations;
/// Fault::Input: an input file that cannot be read).
Status runSession(const SessionOptions &options, const Sink &sink, const Progress &progress);

/// The exit status these records call for: 2 if some were Fault::Usage, 3 when something is wrong or not
/// comparable, failed, or nothing at all could be verified or timed, 1 when a bundle or an input is wrong,
/// else 0.
int exitStatus(const std::vector<Record> &records);

} // namespace tangram::runtime
