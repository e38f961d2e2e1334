// Serialize (figure 5.3, for map primitives):
//   compose(map(s, ...), L)
//     -> serialize(L), compose(s, L)      // s : spectrum
#include "composer/rule.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool concerns(const Term &term) { return term.kind == Term::Kind::Map; }

Rewriting apply(const Term &term, const RuleContext &context) {
  auto refuse = [&](std::string reason) {
    return Refusal{rules::serialize.id, term.level,
                   term.expr ? term.expr->location : term.spectrum->location, std::move(reason)};
  };
  if (!context.computes(term.level))
    return refuse(context.levelText(term.level) + " has no computational capability to run a loop");
  if (std::ranges::count(context.offered(term.level), MapRule::Serialize) == 0)
    return refuse(context.levelText(term.level) + " does not offer serialize for maps");
  return std::vector<Term>{
      {Term::Kind::Serialize, term.level},
      {Term::Kind::Spectrum, term.level, term.spectrum, nullptr, nullptr, term.child}};
}

} // namespace

const AbstractRule rules::serialize{"serialize", concerns, apply};

} // namespace tangram::composer
