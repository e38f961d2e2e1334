#include "composer/plans/plan_tunables.h"

#include "composer/analysis/sites.h"
#include "ir/stmt.h"

namespace tangram::composer {

namespace {

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
