// Regroup (figure 5.3, for partition primitives):
//   compose(partition(..., p), L)
//     -> S_L, regroup(p, L)      // p : a partitioning scheme
//
// A level with no subordinate has nobody to wait for, and a row of workers is left as it was
// entered: there S_L is left out.
#include "composer/rules/rule.h"

namespace tangram::composer {

namespace {

bool concerns(const Term &term) { return term.kind == Term::Kind::Partition; }

Rewriting apply(const Term &term, const RuleContext &context) {
  std::vector<Term> terms;
  if (context.hasSubordinate(term.level) && !context.isOfNests(term.level))
    terms.push_back({Term::Kind::Sync, term.level});
  terms.push_back({Term::Kind::Regroup, term.level, nullptr, term.codelet, term.expr});
  return terms;
}

} // namespace

const AbstractRule rules::regroup{"regroup", concerns, apply};

} // namespace tangram::composer
