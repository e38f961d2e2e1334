// Devolve (figure 5.3, for spectrums):
//   compose(s, L)
//     -> S_L, devolve(l_L), compose(s, l_L)      // s : spectrum
#include "composer/rules/rule.h"

namespace tangram::composer {

namespace {

bool concerns(const Term &term) { return term.kind == Term::Kind::Spectrum; }

Rewriting apply(const Term &term, const RuleContext &context) {
  if (!context.hasSubordinate(term.level))
    return Refusal{rules::devolve.id, term.level, term.spectrum->location,
                   context.levelText(term.level) + " has no subordinate level to devolve to"};
  if (context.isOfNests(term.level))
    return Refusal{rules::devolve.id, term.level, term.spectrum->location,
                   context.levelText(term.level) + " only distributes"};
  const int subordinate = context.subordinate(term.level);
  return std::vector<Term>{{Term::Kind::Sync, term.level},
                           {Term::Kind::Devolve, subordinate},
                           {Term::Kind::Spectrum, subordinate, term.spectrum}};
}

} // namespace

const AbstractRule rules::devolve{"devolve", concerns, apply};

} // namespace tangram::composer
