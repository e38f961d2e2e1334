// Distribute (figure 5.3, for map primitives):
//   compose(map(s, ...), L)
//     -> distribute(l_L), compose(s, l_L)      // s : spectrum
#include "composer/rule.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool concerns(const Term &term) { return term.kind == Term::Kind::Map; }

Rewriting apply(const Term &term, const RuleContext &context) {
  auto refuse = [&](std::string reason) {
    return Refusal{rules::distribute.id, term.level,
                   term.expr ? term.expr->location : term.spectrum->location, std::move(reason)};
  };
  if (!context.hasSubordinate(term.level))
    return refuse(context.levelText(term.level) + " has no subordinate level to distribute to");
  if (std::ranges::count(context.offered(term.level), MapRule::Distribute) == 0)
    return refuse(context.levelText(term.level) + " does not offer distribute for maps");
  const int subordinate = context.subordinate(term.level);
  return std::vector<Term>{
      {Term::Kind::Distribute, subordinate},
      {Term::Kind::Spectrum, subordinate, term.spectrum, nullptr, nullptr, term.child}};
}

} // namespace

const AbstractRule rules::distribute{"distribute", concerns, apply};

} // namespace tangram::composer
