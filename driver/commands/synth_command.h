// tangram synth: plans become bundles.
#pragma once

#include "codegen/bundle/collection.h"
#include "codegen/bundle/write_bundle.h"
#include "composer/plans/planner.h"
#include "driver/choosing/plan_targets.h"
#include "driver/choosing/versions/plan_versions.h"
#include "runtime/data/inputs.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace tangram::driver {

class Predictor;

struct SynthOptions {
  std::string spectrum;
  std::string target;
  /// "best" (the first in rank that the target can express), "auto" (the same, or several in one
  /// library where that plan is predicted to be far slower than others at some typical sizes, and
  /// `sizes` are none), "all" (every one that `tangram plans` lists with the same options), a
  /// plan's id, or a saved plan.json.
  std::string plan = "best";
  composer::PlanOptions planning;
  std::size_t limit = SIZE_MAX; ///< with "all": at most so many
  /// Not 0: in place of `plan`, so many that differ (driver/choosing/tune_set.h), best first.
  std::size_t tuneSet = 0;
  /// Not 0: in place of `plan`, one bundle of at most so many, with rules that choose among them by
  /// sizes (driver/choosing/versions/plan_versions.h).
  std::size_t plans = 0;
  bool online = false; ///< of these the first calls choose, by measurements
  /// One plan: the bundle. "all" and a tune set: a folder with a bundle a plan, named by its id.
  std::filesystem::path output;
  codegen::WriteOptions writing;
  std::set<std::string> withoutPasses;
  /// Not empty: a store that knows the defaults of tunables, and with "best" the plan
  /// (driver/choosing/tuned_defaults.h), of this device (empty: the only one) at these sizes; with
  /// `plans` the times of plans with their own defaults
  /// (driver/choosing/versions/measured_times.h).
  std::string store, storeDevice;
  std::vector<runtime::SizeChoice> sizes;
  /// The model's other targets: asked where a plan's id is unknown, to say whose it is.
  std::function<std::vector<TargetMachine>()> otherTargets = nullptr;
  bool python = false;  ///< with a module for Python
  bool checked = false; ///< calls check the data of their containers
  std::string name;     ///< of the library: its function and files; empty: that of the spectrum
  std::string prefix;   ///< what goes before the name
  std::string
      collection; ///< the library of several spectrums that this one is a part of; empty: none
  /// Takes the bundle, which is then not written; null: it is.
  std::function<void(codegen::CollectionMember)> collect = nullptr;
  std::string version = "1.0.0";                        ///< of the library
  std::shared_ptr<const Predictor> predictor = nullptr; ///< by which plans are chosen, if by one
  std::string format = "text";
  bool quiet = false;                        ///< print no results
  const ir::Program *wholeProgram = nullptr; ///< codegen::BundleRequest::wholeProgram
};

/// What became of one plan.
struct SynthesizedPlan {
  std::string id;
  std::vector<std::string> steps;
  std::filesystem::path bundle; ///< empty when refused
  std::string refusal;
};

struct SynthResult {
  std::vector<SynthesizedPlan> plans;
  PlanVersions versions; ///< of a bundle of several plans, which are in `plans` in the same order
  int status = 0;        ///< exit status
  /// Of such a bundle: the device by whose times versions were chosen; empty: by predictions.
  std::string measuredOn = {};
};

/// The library's C name by --prefix and --name; without --name, the spectrum's identifier.
std::string libraryName(const SynthOptions &options);

/// Why a library of C, and of Python where it is asked for, cannot be called `name`; empty: it can.
std::string problemOfLibrary(const std::string &name, bool python);

/// `machine` is projected onto the target already.
SynthResult synthesize(const SynthOptions &options, const ir::Program &program,
                       const composer::Machine &machine, std::ostream &err);

/// Writes one plan that a planner gave into the folder. No plans in the result: it could not be written. `whole`: the program with
/// all codelets, of which the planner may have only some.
SynthResult synthesizePlan(const composer::Planner &planner, const composer::RankedPlan &plan,
                           const std::string &target, const std::filesystem::path &folder,
                           const ir::Program *whole);

/// The command: synthesize, then say on `out` what was written where.
int synthCommand(const SynthOptions &options, const ir::Program &program,
                 const composer::Machine &machine, std::ostream &out, std::ostream &err);

} // namespace tangram::driver
