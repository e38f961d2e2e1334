// Compute (figure 5.3, for codelets):
//   compose(c, L)
//     -> compute(c, C_L)      // c : atomic codelet
#include "composer/analysis/coverage.h"
#include "composer/analysis/partition_check_candidates.h"
#include "composer/analysis/sites.h"
#include "composer/rules/rule.h"

namespace tangram::composer {

namespace {

bool concerns(const Term &term) {
  return term.kind == Term::Kind::Codelet && !isCompound(*term.codelet);
}

Rewriting apply(const Term &term, const RuleContext &context) {
  const ir::Codelet &codelet = *term.codelet;
  auto refuse = [&](std::string reason) {
    return Refusal{rules::compute.id, term.level, codelet.location, std::move(reason)};
  };
  const std::string level = context.levelText(term.level);
  if (!context.computes(term.level))
    return refuse(level + " has no computational capability");
  if (!context.canExecute(codelet, term.level))
    return refuse(codelet.cooperative ? "codelet " + codelet.name() +
                                            " is cooperative and needs vector execution; " + level +
                                            " has scalar execution"
                                      : "codelet " + codelet.name() +
                                            " is autonomous and needs scalar execution; " + level +
                                            " has vector execution");
  if (codelet.impossible) {
    Refusal impossible =
        refuse("codelet " + codelet.name() + " cannot run: " + codelet.impossible->message);
    impossible.location = codelet.impossible->location;
    return impossible;
  }
  const std::vector<ir::ExprPtr> contracts =
      term.spectrum ? sizeContracts(*term.spectrum, codelet) : std::vector<ir::ExprPtr>();
  if (const std::optional<LaneBound> unproved = unprovedCoverage(codelet, contracts)) {
    Refusal dropsData = refuse(whyUnproved(codelet, *unproved));
    dropsData.location = unproved->location;
    return dropsData;
  }
  return std::vector<Term>{{Term::Kind::Compute, term.level, term.spectrum, &codelet}};
}

} // namespace

const AbstractRule rules::compute{"compute", concerns, apply};

} // namespace tangram::composer
