// Serialize (figure 5.3, for map primitives):
//   compose(map(s, ...), L)
//     -> serialize(L), compose(s, L)      // s : spectrum
//
// The only rule for a fold, and for a chain whose workers may not wait for each other.
#include "composer/analysis/sites.h"
#include "composer/rules/rule.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool concerns(const Term &term) { return term.kind == Term::Kind::Map; }

Rewriting apply(const Term &term, const RuleContext &context) {
  auto refuse = [&](std::string reason) {
    return Refusal{rules::serialize.id, term.level,
                   term.expr ? term.expr->location : term.spectrum->location, std::move(reason)};
  };
  if (term.expr && isOrdered(*term.expr)) {
    // The order is the program's, not a choice that a level could offer or not.
    if (const std::string why = context.whyNoLoop(term.level); !why.empty())
      return refuse(why + ", as the order of a " + term.expr->op.text() + " demands");
  } else if (!context.computes(term.level)) {
    return refuse(context.levelText(term.level) + " has no computational capability to run a loop");
  } else if (std::ranges::count(context.offered(term.level), MapRule::Serialize) == 0) {
    return refuse(context.levelText(term.level) + " does not offer serialize for maps");
  }
  return std::vector<Term>{
      {Term::Kind::Serialize, term.level},
      {Term::Kind::Spectrum, term.level, term.spectrum, nullptr, nullptr, term.child}};
}

} // namespace

const AbstractRule rules::serialize{"serialize", concerns, apply};

} // namespace tangram::composer
