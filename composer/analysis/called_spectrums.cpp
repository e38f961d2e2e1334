#include "composer/analysis/called_spectrums.h"

#include <set>

namespace tangram::composer {

std::vector<const ir::Spectrum *> calledBy(const ir::Program &program,
                                           const std::string &spectrum) {
  std::set<std::string> called;
  std::vector<std::string> open{spectrum};
  while (!open.empty()) {
    const ir::Spectrum *each = program.spectrum(open.back());
    open.pop_back();
    if (!each)
      continue;
    for (const ir::Codelet &codelet : each->codelets)
      ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
        if (ir::callsSpectrum(e) && called.insert(e.callee).second)
          open.push_back(e.callee);
      });
  }
  std::vector<const ir::Spectrum *> found;
  for (const ir::Spectrum &each : program.spectrums) {
    if (called.contains(each.name) && each.name != spectrum)
      found.push_back(&each);
  }
  return found;
}

} // namespace tangram::composer
