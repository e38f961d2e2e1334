#include "composer/rules/nests.h"

#include "composer/analysis/sites.h"

#include <algorithm>

namespace tangram::composer {

bool hasNests(const ir::Program &program) {
  return std::ranges::any_of(program.spectrums, [&](const ir::Spectrum &spectrum) {
    return std::ranges::any_of(spectrum.codelets, [&](const ir::Codelet &codelet) {
      return std::ranges::any_of(sites(codelet), [&](const Site &site) {
        const bool isOuter = site.kind == Site::Kind::Map && !isOrdered(*site.expr);
        const ir::Spectrum *inner = isOuter ? program.spectrum(site.expr->callee) : nullptr;
        return inner && std::ranges::any_of(inner->codelets, isMapAlone);
      });
    });
  });
}

Machine withNests(const Machine &machine, const ir::Program &program) {
  // Planes of workers are for who asks for them: three maps and more are flattened.
  return hasNests(program) ? withFlatLevels(withDimensions(machine, 2)) : machine;
}

std::string whyNotFlat(const Term &term, const RuleContext &context) {
  const int flat = term.across >= 0 ? term.across : term.level;
  const ir::Var *parts = context.isFlat(flat) && term.expr && term.codelet
                             ? partsOf(*term.expr, *term.codelet)
                             : nullptr;
  return parts ? "tunable '" + parts->name + "' of " + term.codelet->name() +
                     " counts workers, a part for each, and " + context.levelText(flat) +
                     " has none of its own"
               : "";
}

} // namespace tangram::composer
