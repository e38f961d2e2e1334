// A bundle: the directory that travels from the synthesizer to the machine that
// runs it (docs/bundle.md).
#pragma once

#include "codegen/form/kernel_ir.h"
#include "codegen/form/refusal.h"
#include "codegen/lowering/findings.h"
#include "composer/machine/machine.h"
#include "ir/plan.h"
#include "ir/program.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <variant>

namespace tangram::codegen {

struct BundleRequest {
  const ir::Program *program = nullptr; ///< with index variables widened
  std::string spectrum;
  ir::PlanPtr plan;
  const composer::Machine *machine = nullptr; ///< projected onto the target
  std::string target;
  std::string planId;
  std::vector<std::string> steps;      ///< the plan in linear notation
  std::vector<std::string> derivation; ///< rule by rule
  std::set<std::string> withoutPasses;
  /// Of tunables, by the names that the manifest has: what is known to be better than what the model and
  /// the passes say. A value that a tunable cannot have is left alone.
  std::map<std::string, std::uint64_t> defaults = {};
  /// Where there are no such: chooses them for the plan as its passes leave it; null: nobody does.
  std::function<std::map<std::string, std::uint64_t>(const LoweredPlan &)> chooseDefaults = nullptr;
  /// What the library's function, files and kernels are called; empty: as the spectrum is.
  std::string function = {};
  /// Of plans that this one is compared with; null: there are none.
  std::shared_ptr<Findings> findings = nullptr;
  /// With a module for Python; OpenMP only.
  bool python = false;
  /// The library of several spectrums that this one becomes a part of; empty: it stands by itself.
  std::string collection = {};
  /// Calls check what contracts say of the elements of containers.
  bool checked = false;
  /// The version of the library for package managers: numbers with dots between them.
  std::string version = "1.0.0";
  /// The program whose source names the numbers for data of the kind "constants", where `program` has only some of its
  /// codelets; null: `program`.
  const ir::Program *wholeProgram = nullptr;
};

/// File name -> content; "manifest.json" among them. A library of several plans has files in folders:
/// "17ebc08c/manifest.json".
using BundleFiles = std::map<std::string, std::string>;

/// The plan as it will be printed but for names and for where its workers meet, or why it cannot become a
/// bundle: what codegen/timing predicts the time of.
std::variant<LoweredPlan, Refusal> planForPrediction(const BundleRequest &request);

/// Everything of the bundle, in memory, or why the plan cannot become one.
std::variant<BundleFiles, Refusal> makeBundle(const BundleRequest &request);

} // namespace tangram::codegen
