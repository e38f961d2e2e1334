// Cascade (figure 5.3, for spectrums and primitives):
//   compose(f(g(...)), L)
//     -> compose(g(...), L), compose(f(...), L)      // f, g : primitives or spectrum invocations
//
// Applied to the body of a compound codelet, all the way down: one open term a
// site, operands first.
#include "composer/analysis/sites.h"
#include "composer/rules/rule.h"
#include "ir/swap.h"

namespace tangram::composer {

namespace {

bool concerns(const Term &term) {
  return term.kind == Term::Kind::Codelet && isCompound(*term.codelet);
}

/// What a level cannot carry out.
struct Step {
  ir::SourceLocation location;
  std::string what;
};

/// Whether a jump that leaves the loop, or its round, stands in it.
const ir::Stmt *jumpIn(const ir::Stmt &loop) {
  const ir::Stmt *found = nullptr;
  for (const ir::StmtPtr &child : loop.children) {
    ir::forEach(child, [&](const ir::Stmt &s) {
      const bool jumps = s.kind == ir::StmtKind::Break || s.kind == ir::StmtKind::Continue ||
                         s.kind == ir::StmtKind::Return;
      if (jumps && !found)
        found = &s;
    });
  }
  return found;
}

/// What a launcher of kernels cannot do: atomic operations, and jumps out of loops.
std::optional<Step> notForLaunchers(const ir::Codelet &codelet) {
  std::optional<Step> found;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    const ir::Stmt *jump = ir::isLoop(s) ? jumpIn(s) : nullptr;
    if (jump && !found)
      found = {jump->location, "leaves a loop in its middle"};
    ir::forEachOwnExpr(s, [&](const ir::ExprPtr &e) {
      ir::forEach(e, [&](const ir::Expr &each) {
        if (each.kind == ir::ExprKind::Atomic && !found)
          found = {each.location, "has an atomic operation"};
      });
    });
  });
  return found;
}

const ir::Stmt *swapIn(const ir::Codelet &codelet) {
  const ir::Stmt *found = nullptr;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (ir::isSwap(s) && !found)
      found = &s;
  });
  return found;
}

Rewriting apply(const Term &term, const RuleContext &context) {
  if (context.isOfNests(term.level) && !isMapAlone(*term.codelet))
    return Refusal{rules::cascade.id, term.level, term.codelet->location,
                   context.levelText(term.level) +
                       " takes codelets that are one map, in any order, and nothing else; " +
                       term.codelet->name() + " is not"};
  const std::string whyNoRounds = context.whyNoRounds(term.level);
  if (const ir::Expr *site = siteInLoop(*term.codelet); site && !whyNoRounds.empty())
    return Refusal{rules::cascade.id, term.level, site->location,
                   whyNoRounds + ", and codelet " + term.codelet->name() + " composes " +
                       site->callee + " in one"};
  if (const ir::Stmt *swap = swapIn(*term.codelet); swap && !context.isHost(term.level))
    return Refusal{rules::cascade.id, term.level, swap->location,
                   "workers of " + context.levelText(term.level) +
                       " have no pointers to exchange, and codelet " + term.codelet->name() +
                       " swaps containers"};
  const auto step =
      context.onlyLaunches(term.level) ? notForLaunchers(*term.codelet) : std::nullopt;
  if (step)
    return Refusal{rules::cascade.id, term.level, step->location,
                   "with target " + context.target + " " + context.levelText(term.level) +
                       " can only launch kernels, and codelet " + term.codelet->name() + " " +
                       step->what};
  std::vector<Term> terms;
  for (const Site &site : sites(*term.codelet)) {
    if (site.kind == Site::Kind::Partition) {
      terms.push_back({Term::Kind::Partition, term.level, nullptr, term.codelet, site.expr});
      continue;
    }
    const ir::Spectrum *callee = context.program->spectrum(site.expr->callee);
    if (!callee)
      return Refusal{rules::cascade.id, term.level, site.expr->location,
                     "'" + site.expr->callee + "' is not a spectrum of this program"};
    if (site.kind == Site::Kind::Map)
      terms.push_back({Term::Kind::Map, term.level, callee, term.codelet, site.expr, site.child});
    else
      terms.push_back({Term::Kind::Spectrum, term.level, callee, nullptr, site.expr, site.child});
  }
  return terms;
}

} // namespace

const AbstractRule rules::cascade{"cascade", concerns, apply};

} // namespace tangram::composer
