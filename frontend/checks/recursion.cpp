#include "frontend/checks/recursion.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::frontend {

namespace {

/// Spectrum calls and maps of a codelet, by spectrum; the first of each.
std::map<std::string, ir::SourceLocation> calledBy(const ir::Codelet &codelet) {
  std::map<std::string, ir::SourceLocation> called;
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    if (e.kind == ir::ExprKind::SpectrumCall || e.kind == ir::ExprKind::Map)
      called.emplace(e.callee, e.location);
  });
  return called;
}

/// Spectrums that some choice of codelets computes in finitely many steps: those with a
/// codelet that calls only such spectrums.
std::set<std::string> computable(const ir::Program &program) {
  std::set<std::string> known;
  for (bool changed = true; changed;) {
    changed = false;
    for (const ir::Spectrum &spectrum : program.spectrums) {
      auto ends = [&](const ir::Codelet &codelet) {
        auto called = calledBy(codelet);
        return std::all_of(called.begin(), called.end(),
                           [&](const auto &each) { return known.count(each.first) != 0; });
      };
      if (std::any_of(spectrum.codelets.begin(), spectrum.codelets.end(), ends))
        changed |= known.insert(spectrum.name).second;
    }
  }
  return known;
}

struct Step {
  std::string spectrum; ///< called
  ir::SourceLocation location;
};

/// A shortest way from `from` back to it through spectrums that are not computable;
/// empty when there is none.
std::vector<Step> cycleThrough(const ir::Program &program, const std::string &from,
                               const std::set<std::string> &known) {
  std::set<std::string> seen;
  std::vector<std::vector<Step>> open{{}};
  for (std::size_t next = 0; next < open.size(); ++next) {
    std::vector<Step> path = open[next];
    const ir::Spectrum *last = program.spectrum(path.empty() ? from : path.back().spectrum);
    for (const ir::Codelet &codelet : last->codelets) {
      for (const auto &[called, location] : calledBy(codelet)) {
        if (known.count(called) != 0 || (called != from && !seen.insert(called).second))
          continue;
        path.push_back({called, location});
        if (called == from)
          return path;
        open.push_back(path);
        path.pop_back();
      }
    }
  }
  return {};
}

} // namespace

void checkRecursion(const ir::Program &program, ir::Diagnostics &diagnostics) {
  std::set<std::string> known = computable(program);
  std::set<std::string> reported;
  for (const ir::Spectrum &spectrum : program.spectrums) {
    if (known.count(spectrum.name) != 0 || reported.count(spectrum.name) != 0)
      continue;
    std::vector<Step> cycle = cycleThrough(program, spectrum.name, known);
    if (cycle.empty())
      continue; // it only depends on a cycle, which is reported itself
    std::string way = spectrum.name;
    for (const Step &step : cycle)
      way += " -> " + step.spectrum;
    diagnostics.push_back(ir::errorAt(spectrum.location, "recursion of spectrum '" + spectrum.name +
                                                             "' has no base: every codelet "
                                                             "leads back to it (" +
                                                             way + ")"));
    for (const Step &step : cycle) {
      reported.insert(step.spectrum);
      diagnostics.back().notes.push_back(
          ir::noteAt(step.location, "'" + step.spectrum + "' is called here"));
    }
  }
}

} // namespace tangram::frontend
