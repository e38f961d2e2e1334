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

/// What a launcher of kernels cannot carry out.
struct Step {
  ir::SourceLocation location;
  const char *what;
};

/// The first loop, or statement that changes a variable, or atomic operation.
std::optional<Step> notForLaunchers(const ir::Codelet &codelet) {
  std::optional<Step> found;
  auto note = [&](bool is, const ir::SourceLocation &at, const char *what) {
    if (is && !found)
      found = {at, what};
  };
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    note(ir::isLoop(s), s.location, "has a loop");
    note(s.kind == ir::StmtKind::Assign && s.target->kind == ir::ExprKind::Var &&
             !s.target->type.isContainer(),
         s.location, "changes a variable");
    ir::forEachOwnExpr(s, [&](const ir::ExprPtr &e) {
      ir::forEach(e, [&](const ir::Expr &each) {
        note(each.kind == ir::ExprKind::Atomic, each.location, "has an atomic operation");
      });
    });
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
