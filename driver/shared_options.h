// Options that several commands of tangram share, and what they make of them.
#pragma once

#include "composer/derive/derive.h"
#include "composer/plans/planner.h"
#include "driver/choosing/plan_targets.h"
#include "driver/command_words.h"
#include "frontend/parse.h"
#include "ir/program.h"
#include "runtime/data/inputs.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

class Predictor;

/// Headings in the help of options.
inline constexpr const char *sourceGroup = "Source";
inline constexpr const char *machineGroup = "Machine";
inline constexpr const char *planningGroup = "Planning";

/// What --spectrum is for.
inline constexpr const char *spectrumText =
    "What to compute (default: the only spectrum that no other one calls)";

/// The same where several may be named.
inline constexpr const char *spectrumsText =
    "What to compute; several, [NAME=]SPECTRUM,..., become one library of a function each "
    "(default: the only spectrum that no other one calls)";

/// Options that several commands share.
struct Shared {
  std::string file;
  frontend::ParseOptions parsing;
  std::string machine;
  std::string target;
  std::string format = "text";
  std::string strategy; ///< empty: the best plan is the one predicted so, lists are by rank
  std::vector<std::string> mapRules;
  unsigned dims = 0;       ///< 0: what nested maps of the program can use
  bool keepsOrder = false; ///< --keep-order
  std::string derive;      ///< --derive; empty: of loops, unless plans are the dissertation's
  std::vector<std::string> sizes;
  std::string depfile; ///< file for what a library was made of; empty: nobody asks
  double effort = 1;   ///< of searches by predictions
  composer::PlanOptions planning;
};

/// --without-pass PASS,...: into `passes`.
void addWithoutPass(CLI::App &command, std::set<std::string> &passes, const std::string &what);
void addSource(CLI::App &command, Shared &shared);
void addFormat(CLI::App &command, Shared &shared, std::vector<std::string> formats);
void addMachine(CLI::App &command, Shared &shared, bool required);
void addRuleChoice(CLI::App &command, Shared &shared);
void addPlanning(CLI::App &command, Shared &shared);
CLI::Option *addTarget(CLI::App &command, Shared &shared, const std::string &what,
                       std::vector<std::string> targets);
/// Of what is looked at: also one that there is no code for.
CLI::Option *addAnyTarget(CLI::App &command, Shared &shared);

void addDeriving(CLI::App &command, Shared &shared);
/// Codelets to derive: what --derive says, else those of spectrums that are loops alone, and none where plans are the
/// dissertation's.
composer::DeriveOptions derivingOf(const Shared &shared);

/// What the words of the options mean, once they are read.
void finishPlanning(Shared &shared);

/// The passes that are left out: `named`, and with --keep-order the one that adds up terms in another order.
std::set<std::string> passesLeftOut(const Shared &shared, std::set<std::string> named = {});

/// Whether there is code, and so predictions, of the plans asked for.
bool hasCode(const Shared &shared);
/// The sizes of --for-size. Exit status; 0: all is well.
int readSizes(const Shared &shared, const ir::Program &program, const std::string &spectrum,
              std::vector<runtime::SizeChoice> &sizes);
/// Give the planner what predicts times, where it needs it, and `predictor`, where it is not null, the same. Exit
/// status; 0: all is well.
int addPredictions(const Shared &shared, composer::PlanOptions &planning,
                   const ir::Program &program, const composer::Machine &machine,
                   const std::string &spectrum, const std::set<std::string> &withoutPasses,
                   std::shared_ptr<const Predictor> *predictor = nullptr);

/// Null: it could not be read.
const ir::Program *known(const std::optional<ir::Program> &program);

/// The machine as each of its targets among `names` can express it.
std::vector<TargetMachine> machinesFor(const Shared &shared, const composer::Machine &machine,
                                       const std::vector<std::string> &names,
                                       const ir::Program *program);

} // namespace tangram::driver
