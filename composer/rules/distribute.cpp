// Distribute (figure 5.3, for map primitives):
//   compose(map(s, ...), L)
//     -> distribute(l_L), compose(s, l_L)      // s : spectrum
//
// l_L may be a row of the subordinate's workers, or these flattened (`across`): a level that only a
// codelet made of one map can be composed at. A fold is never distributed; a chain only where a worker
// may wait for another.
#include "composer/analysis/sites.h"
#include "composer/analysis/tunable_domains.h"
#include "composer/rules/nests.h"
#include "composer/rules/rule.h"

#include <algorithm>

namespace tangram::composer {

namespace {

bool concerns(const Term &term) { return term.kind == Term::Kind::Map; }

/// Why the tunable that counts the map's parts cannot be the number of the level's workers; empty where it can.
std::string whyNoWorkers(const Term &term, const RuleContext &context, int level) {
  const ir::Var *parts = term.expr && term.codelet ? partsOf(*term.expr, *term.codelet) : nullptr;
  if (!parts || !context.machine || parts->domain.kind == ir::TunableDomain::Kind::Any)
    return "";
  const Workers &workers = context.machine->levels[static_cast<std::size_t>(level)].workers;
  const auto number = [](std::uint64_t bound) {
    return static_cast<std::int64_t>(std::min<std::uint64_t>(bound, INT64_MAX));
  };
  if (!valuesWithin(number(workers.min), number(workers.max), parts->domain).empty())
    return "";
  const auto range = [&](std::int64_t low, std::int64_t high, const ir::TunableDomain &domain) {
    return toString(rangeOf(nullptr, low, high, domain));
  };
  return "tunable '" + parts->name + "' is one of " + range(INT64_MIN, INT64_MAX, parts->domain) +
         ", and the workers of " + context.levelText(level) + " are " +
         range(number(workers.min), number(workers.max), {});
}

Rewriting apply(const Term &term, const RuleContext &context) {
  auto refuse = [&](std::string reason) {
    return Refusal{rules::distribute.id, term.level,
                   term.expr ? term.expr->location : term.spectrum->location, std::move(reason)};
  };
  const ir::Operator kind = term.expr ? term.expr->op : ir::Operator();
  if (kind == "fold")
    return refuse("a fold takes its elements in order, so " + context.levelText(term.level) +
                  " cannot distribute them");
  if (!context.hasSubordinate(term.level))
    return refuse(context.levelText(term.level) + " has no subordinate level to distribute to");
  if (std::ranges::count(context.offered(term.level), MapRule::Distribute) == 0)
    return refuse(context.levelText(term.level) + " does not offer distribute for maps");
  if (kind == "chain") {
    if (const std::string why = context.whyNoWaiting(term.level); !why.empty())
      return refuse("each element of a chain waits for the one before it, and " + why);
  }
  if (term.across >= 0 && std::ranges::none_of(term.spectrum->codelets, isMapAlone))
    return refuse("no codelet of " + term.spectrum->name + " is one map and nothing else, to be " +
                  "distributed along " + context.levelText(term.across));
  if (const std::string why = whyNotFlat(term, context); !why.empty())
    return refuse(why);
  const int subordinate = term.across >= 0 ? term.across : context.subordinate(term.level);
  if (const std::string why = whyNoWorkers(term, context, subordinate); !why.empty())
    return refuse(why);
  return std::vector<Term>{
      {Term::Kind::Distribute, subordinate},
      {Term::Kind::Spectrum, subordinate, term.spectrum, nullptr, nullptr, term.child}};
}

} // namespace

const AbstractRule rules::distribute{"distribute", concerns, apply};

} // namespace tangram::composer
