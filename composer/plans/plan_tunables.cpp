#include "composer/plans/plan_tunables.h"

#include "composer/analysis/sites.h"
#include "ir/stmt.h"

namespace tangram::composer {

namespace {

/// The tunable that counts the parts of a partition among a map's containers, or null.
const ir::Var *partsOf(const ir::Expr &map, const ir::Codelet &codelet) {
  const ir::Var *parts = nullptr;
  auto look = [&](const ir::Expr &e) {
    // Of tiles the workers are as many as there are in both dimensions: neither number is bound.
    if (e.kind != ir::ExprKind::Partition || e.args.size() != 5)
      return;
    ir::ExprPtr count = e.args[1];
    while (count->kind == ir::ExprKind::Cast)
      count = count->args[0];
    if (count->kind == ir::ExprKind::Var && count->var->kind == ir::VarKind::Tunable)
      parts = count->var.get();
  };
  for (const ir::ExprPtr &arg : map.args) {
    if (arg->kind == ir::ExprKind::Map)
      continue;
    ir::forEach(arg, look);
    // A partition may have a name: the local it initialises.
    if (arg->kind == ir::ExprKind::Var) {
      ir::forEach(codelet.body, [&](const ir::Stmt &s) {
        if (s.kind == ir::StmtKind::Decl && s.var == arg->var && s.value)
          look(*s.value);
      });
    }
  }
  return parts;
}

void collect(const ir::PlanPtr &plan, const ir::Program &program, const Machine &machine,
             std::vector<PlanTunable> &found) {
  const ir::Spectrum *spectrum = program.spectrum(plan->spectrum);
  if (plan->codelet >= 0 && spectrum) {
    const ir::Codelet &codelet = spectrum->codelets[static_cast<std::size_t>(plan->codelet)];
    std::map<const ir::Var *, int> workers;
    for (const Site &site : sites(codelet)) {
      if (site.kind != Site::Kind::Map)
        continue;
      const ir::PlanNode &map = *plan->children[static_cast<std::size_t>(site.child)];
      if (map.policy == ir::MapPolicy::Distribute)
        workers[partsOf(*site.expr, codelet)] = map.children.front()->level;
    }
    ir::forEach(codelet.body, [&](const ir::Stmt &s) {
      if (s.kind != ir::StmtKind::Decl || s.var->kind != ir::VarKind::Tunable)
        return;
      auto bound = workers.find(s.var.get());
      found.push_back({s.var->name, codelet.name(), plan->level,
                       bound == workers.end() ? -1 : bound->second, s.var->location});
    });
  }
  for (const ir::PlanPtr &child : plan->children)
    collect(child, program, machine, found);
}

} // namespace

std::vector<PlanTunable> tunables(const ir::PlanPtr &plan, const ir::Program &program,
                                  const Machine &machine) {
  std::vector<PlanTunable> found;
  collect(plan, program, machine, found);
  return found;
}

} // namespace tangram::composer
