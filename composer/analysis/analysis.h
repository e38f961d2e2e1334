// The analyser (dissertation section 6.5): what the composer has to know about
// the spectrums and codelets of a program before it chooses among them.
//
// Parallelism comes from the kinds of codelets (algorithms 2 and 3), locality
// from their accesses (composer/analysis/locality.h); level matching (table 6.1) says
// which codelets a level of a machine can take. What an analysis finds wrong in
// the source, it reports as warnings.
#pragma once

#include "composer/analysis/coverage.h"
#include "composer/analysis/locality.h"
#include "composer/machine/machine.h"
#include "ir/diagnostic.h"
#include "ir/program.h"

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace tangram::composer {

/// Section 6.5.1, in the order of its list.
struct Properties {
  bool cooperative = false;
  bool compound = false;
  bool map = false;
  bool autonomous = false;

  bool operator==(const Properties &) const = default;
};

/// "cooperative", "compound", "map", "autonomous": those that hold, in this order.
std::vector<std::string> names(const Properties &properties);

/// A codelet by its spectrum and its index among that spectrum's codelets.
struct CodeletKey {
  std::string spectrum;
  unsigned codelet = 0;
  auto operator<=>(const CodeletKey &) const = default;
};

struct CodeletAnalysis {
  /// What its qualifiers and body say: `__coop`; a spectrum is called; a map is
  /// there; autonomous when none of these holds.
  Properties own;
  /// How it can run: `own`, and for a compound codelet without a map what its
  /// callee spectrums offer ("its parallelism is determined by its callee spectrum").
  Properties parallelism;
  /// Spectrums it calls or maps, in order of first call.
  std::vector<std::string> callees;
  std::vector<ir::VarPtr> tunables; ///< in order of declaration
  std::vector<Access> accesses;
  std::vector<Requirement> requirements;
};

struct Analysis {
  std::map<CodeletKey, CodeletAnalysis> codelets;
  /// Of a spectrum: the union of what its codelets offer.
  std::map<std::string, Properties> spectrums;
  /// Sweeps over all spectrums, in declaration order, until nothing changed.
  unsigned sweeps = 0;
  /// In source order: partitions that lose or repeat elements, cooperative codelets
  /// that cover only so many elements and do not say so.
  ir::Diagnostics warnings;

  const CodeletAnalysis &of(const CodeletKey &key) const { return codelets.at(key); }
};

/// Analyses a program the frontend accepted. Calls of spectrums that the program
/// does not have contribute nothing.
Analysis analyse(const ir::Program &program);

/// The codelets one level can take, by the capability that takes them (table 6.1).
struct LevelMatch {
  int level = 0; ///< index into Machine::levels
  /// Scalar execution: autonomous codelets, and those with a map where the level
  /// serializes maps.
  std::vector<CodeletKey> scalar;
  /// Vector execution: cooperative codelets.
  std::vector<CodeletKey> vector;
  /// Distribution to the subordinate level: codelets with a map.
  std::vector<CodeletKey> distribute;
};

/// One entry a level, top level first. A codelet written for other targets than
/// the machine's (`__env`) is on none.
std::vector<LevelMatch> matchLevels(const ir::Program &program, const Analysis &analysis,
                                    const Machine &machine);

} // namespace tangram::composer
