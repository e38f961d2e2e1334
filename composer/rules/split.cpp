// Split (figure 5.3, for map primitives):
//   compose(map(s, ...), L)
//     -> split(..., L), compose(map(map(s), ...), L)      // s : spectrum
//
// "Typically applied to extend the reach of the original map to a lower
// subordinate level by specifying the Distribute rule to the outer map": so the
// outer map is distributed at once, and the inner one is left open below:
//     -> split(L), distribute(l_L), compose(map(s), l_L)
#include "composer/analysis/sites.h"
#include "composer/rules/nests.h"
#include "composer/rules/rule.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool concerns(const Term &term) { return term.kind == Term::Kind::Map; }

Rewriting apply(const Term &term, const RuleContext &context) {
  auto refuse = [&](std::string reason) {
    return Refusal{rules::split.id, term.level,
                   term.expr ? term.expr->location : term.spectrum->location, std::move(reason)};
  };
  if (term.expr && isOrdered(*term.expr))
    return refuse("a " + term.expr->op.text() + " takes its elements in order and cannot be split");
  if (!context.hasSubordinate(term.level))
    return refuse(context.levelText(term.level) +
                  " has no subordinate level to distribute the outer map to");
  if (std::ranges::count(context.offered(term.level), MapRule::Split) == 0)
    return refuse(context.levelText(term.level) + " does not offer split for maps");
  if (const std::string why = whyNotFlat(term, context); !why.empty())
    return refuse(why);
  const int subordinate = context.subordinate(term.level);
  return std::vector<Term>{
      {Term::Kind::Split, term.level},
      {Term::Kind::Distribute, subordinate},
      {Term::Kind::Map, subordinate, term.spectrum, nullptr, nullptr, term.child}};
}

} // namespace

const AbstractRule rules::split{"split", concerns, apply};

} // namespace tangram::composer
