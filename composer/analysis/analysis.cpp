#include "composer/analysis/analysis.h"

#include "composer/analysis/partition_check.h"
#include "composer/analysis/partition_check_candidates.h"
#include "composer/analysis/sites.h"
#include "composer/analysis/window_check.h"

#include <algorithm>
#include <future>

namespace tangram::composer {

namespace {

Properties ownProperties(const ir::Codelet &codelet, bool compound) {
  Properties own;
  own.cooperative = codelet.cooperative;
  own.compound = compound;
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) { own.map |= e.kind == ir::ExprKind::Map; });
  own.autonomous = !own.cooperative && !own.compound && !own.map;
  return own;
}

std::vector<std::string> calleesOf(const ir::Codelet &codelet) {
  std::vector<std::string> callees;
  for (const Site &site : sites(codelet)) {
    bool calls = site.kind != Site::Kind::Partition;
    if (calls && std::find(callees.begin(), callees.end(), site.expr->callee) == callees.end())
      callees.push_back(site.expr->callee);
  }
  return callees;
}

std::vector<ir::VarPtr> tunablesOf(const ir::Codelet &codelet) {
  std::vector<ir::VarPtr> tunables;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Decl && s.var->kind == ir::VarKind::Tunable)
      tunables.push_back(s.var);
  });
  return tunables;
}

/// `to` with what `from` offers; true when that is more than before.
bool merge(Properties &to, const Properties &from) {
  Properties before = to;
  to.cooperative |= from.cooperative;
  to.compound |= from.compound;
  to.map |= from.map;
  to.autonomous |= from.autonomous;
  return !(to == before);
}

/// One step of algorithm 3: what the callees are known to offer so far goes into
/// the codelet, what the codelet offers into its spectrum.
bool traverse(const ir::Spectrum &spectrum, Analysis &analysis) {
  bool changed = false;
  for (unsigned i = 0; i < spectrum.codelets.size(); ++i) {
    CodeletAnalysis &codelet = analysis.codelets[{spectrum.name, i}];
    if (codelet.own.compound && !codelet.own.map) {
      for (const std::string &callee : codelet.callees) {
        if (auto found = analysis.spectrums.find(callee); found != analysis.spectrums.end())
          changed |= merge(codelet.parallelism, found->second);
      }
    }
    changed |= merge(analysis.spectrums[spectrum.name], codelet.parallelism);
  }
  return changed;
}

bool isFor(const ir::Codelet &codelet, const Machine &machine) {
  if (codelet.targets.empty())
    return true;
  return std::any_of(codelet.targets.begin(), codelet.targets.end(), [&](const std::string &t) {
    return std::find(machine.targets.begin(), machine.targets.end(), t) != machine.targets.end();
  });
}

/// Whether every map of the codelet takes its elements in order: a loop wherever one may stand.
bool isInOrder(const ir::Codelet &codelet) {
  const std::vector<Site> all = sites(codelet);
  return std::all_of(all.begin(), all.end(), [](const Site &site) {
    return site.kind != Site::Kind::Map || isOrdered(*site.expr);
  });
}

void match(const CodeletKey &key, const ir::Codelet &codelet, const Properties &properties,
           const Level &level, LevelMatch &to) {
  bool serializes = properties.map &&
                    (level.offers(MapRule::Serialize) || (isInOrder(codelet) && level.runsLoops()));
  if (level.compute == Capability::Scalar && (properties.autonomous || serializes))
    to.scalar.push_back(key);
  if (level.compute == Capability::Vector && properties.cooperative)
    to.vector.push_back(key);
  bool distributes =
      level.subordinate >= 0 && (level.offers(MapRule::Distribute) || level.offers(MapRule::Split));
  if (distributes && properties.map && !isInOrder(codelet))
    to.distribute.push_back(key);
}

/// Whether a codelet was derived, not written: its partitions follow from what the loop accesses. All small cases of one with
/// a dozen sizes are millions.
bool followsFromLoop(const ir::Codelet &codelet) {
  return codelet.location.file.ends_with("(derived)");
}

} // namespace

std::vector<std::string> names(const Properties &properties) {
  std::vector<std::string> result;
  if (properties.cooperative)
    result.emplace_back("cooperative");
  if (properties.compound)
    result.emplace_back("compound");
  if (properties.map)
    result.emplace_back("map");
  if (properties.autonomous)
    result.emplace_back("autonomous");
  return result;
}

Analysis analyse(const ir::Program &program) {
  Analysis analysis;
  // What tries cases takes longest: some of it goes on beside the rest.
  std::future<std::vector<ir::Diagnostics>> partitions = std::async(std::launch::async, [&program] {
    std::vector<ir::Diagnostics> found;
    for (const ir::Spectrum &spectrum : program.spectrums) {
      for (const ir::Codelet &codelet : spectrum.codelets)
        found.push_back(followsFromLoop(codelet)
                            ? ir::Diagnostics{}
                            : partitionWarnings(codelet, sizeContracts(spectrum, codelet)));
    }
    return found;
  });
  std::vector<ir::Diagnostics> others;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    analysis.spectrums[spectrum.name] = {};
    for (unsigned i = 0; i < spectrum.codelets.size(); ++i) {
      const ir::Codelet &codelet = spectrum.codelets[i];
      CodeletAnalysis &each = analysis.codelets[{spectrum.name, i}];
      each.callees = calleesOf(codelet);
      each.own = ownProperties(codelet, !each.callees.empty());
      each.parallelism = each.own;
      each.tunables = tunablesOf(codelet);
      each.accesses = accesses(program, codelet);
      const std::vector<ir::ExprPtr> contracts = sizeContracts(spectrum, codelet);
      each.requirements = requirements(codelet, contracts);
      ir::Diagnostics &warnings = others.emplace_back();
      if (codelet.tag.starts_with("derived_each_"))
        continue; // its windows are those of the loop: trying sizes of four containers takes long
      for (const ir::Diagnostics &found :
           {windowWarnings(program, codelet, contracts), coverageWarnings(codelet, contracts)})
        warnings.insert(warnings.end(), found.begin(), found.end());
    }
  }
  const std::vector<ir::Diagnostics> ofPartitions = partitions.get();
  for (std::size_t i = 0; i < others.size(); ++i) {
    for (const auto &found : {ofPartitions[i], others[i]})
      analysis.warnings.insert(analysis.warnings.end(), found.begin(), found.end());
  }
  std::stable_sort(analysis.warnings.begin(), analysis.warnings.end(),
                   [](const auto &a, const auto &b) { return a.location < b.location; });
  bool changed = true;
  while (changed) {
    changed = false;
    ++analysis.sweeps;
    for (const ir::Spectrum &spectrum : program.spectrums)
      changed |= traverse(spectrum, analysis);
  }
  return analysis;
}

std::vector<LevelMatch> matchLevels(const ir::Program &program, const Analysis &analysis,
                                    const Machine &machine) {
  std::vector<LevelMatch> matches;
  for (std::size_t l = 0; l < machine.levels.size(); ++l) {
    LevelMatch &to = matches.emplace_back();
    to.level = static_cast<int>(l);
    for (const ir::Spectrum &spectrum : program.spectrums) {
      for (unsigned i = 0; i < spectrum.codelets.size(); ++i) {
        CodeletKey key{spectrum.name, i};
        if (isFor(spectrum.codelets[i], machine))
          match(key, spectrum.codelets[i], analysis.of(key).parallelism, machine.levels[l], to);
      }
    }
  }
  return matches;
}

} // namespace tangram::composer
