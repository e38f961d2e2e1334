// Cascade (figure 5.3, for spectrums and primitives):
//   compose(f(g(...)), L)
//     -> compose(g(...), L), compose(f(...), L)      // f, g : primitives or spectrum invocations
//
// Applied to the body of a compound codelet, all the way down: one open term a
// site, operands first.
#include "composer/analysis/sites.h"
#include "composer/rules/rule.h"

namespace tangram::composer {

namespace {

bool concerns(const Term &term) {
  return term.kind == Term::Kind::Codelet && isCompound(*term.codelet);
}

/// A statement that a launcher of kernels cannot carry out: a loop, or one that changes a variable.
const ir::Stmt *changing(const ir::Codelet &codelet) {
  const ir::Stmt *found = nullptr;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    const bool loops = s.kind == ir::StmtKind::For || s.kind == ir::StmtKind::While ||
                       s.kind == ir::StmtKind::DoWhile;
    const bool assigns = s.kind == ir::StmtKind::Assign && s.target->kind == ir::ExprKind::Var &&
                         !s.target->type.isContainer();
    if (!found && (loops || assigns))
      found = &s;
  });
  return found;
}

Rewriting apply(const Term &term, const RuleContext &context) {
  if (context.isDimension(term.level) && !isMapAlone(*term.codelet))
    return Refusal{rules::cascade.id, term.level, term.codelet->location,
                   context.levelText(term.level) +
                       " takes codelets that are one map, in any order, and nothing else; " +
                       term.codelet->name() + " is not"};
  const std::string whyNoLoop = context.whyNoLoop(term.level);
  if (const ir::Expr *site = siteInLoop(*term.codelet); site && !whyNoLoop.empty())
    return Refusal{rules::cascade.id, term.level, site->location,
                   whyNoLoop + ", and codelet " + term.codelet->name() + " composes " +
                       site->callee + " in one"};
  if (const ir::Stmt *step = context.onlyLaunches(term.level) ? changing(*term.codelet) : nullptr)
    return Refusal{
        rules::cascade.id, term.level, step->location,
        "with target " + context.target + " " + context.levelText(term.level) +
            " can only launch kernels, and codelet " + term.codelet->name() +
            (step->kind == ir::StmtKind::Assign ? " changes a variable" : " has a loop")};
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
