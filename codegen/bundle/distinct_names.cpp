#include "codegen/bundle/distinct_names.h"

#include "codegen/pipeline/backends.h"
#include "codegen/printing/c_types.h"
#include "codegen/printing/host_rounds.h"

#include <map>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

void distinguishNames(LoweredPlan &plan, bool localsToo) {
  std::map<const Var *, VarPtr> renamed;
  std::set<std::string> taken;
  auto distinct = [&](VarPtr &v) {
    const std::string name = claimName(v->name, taken);
    if (name == v->name)
      return;
    auto copy = std::make_shared<Var>(*v);
    copy->name = name;
    renamed[v.get()] = copy;
    v = copy;
  };
  for (VarPtr &v : plan.extents)
    distinct(v);
  for (VarPtr &v : plan.scalars)
    distinct(v);
  bool isParameter = true;
  for (Buffer &b : plan.buffers) {
    const bool isFirstTemporary = std::exchange(isParameter, !b.access.empty()) && b.access.empty();
    if (isFirstTemporary)
      taken.insert(backendOf(*plan.target).firstArgument(plan));
    if (b.space == Space::Global || localsToo)
      distinct(b.var);
  }
  for (Tunable &t : plan.tunables)
    distinct(t.var);
  // Rounds that the host of kernels counts: those are handed their numbers.
  std::set<const Var *> counters;
  for (VarPtr v : plan.target->groupsRunInKernels ? countersOf(plan) : std::vector<VarPtr>{}) {
    counters.insert(v.get());
    distinct(v);
  }
  if (renamed.empty())
    return;
  auto replace = [&](const ExprPtr &e) {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      auto found = each->kind == ExprKind::Var ? renamed.find(each->var.get()) : renamed.end();
      return found == renamed.end() ? each : varRef(found->second);
    });
  };
  plan.body = mapExprs(plan.body, replace);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const bool counter = s->kind == StmtKind::Decl && counters.contains(s->var.get());
    const auto found = counter ? renamed.find(s->var.get()) : renamed.end();
    return found == renamed.end() ? s : declare(found->second, s->value, s->location);
  });
  for (Buffer &b : plan.buffers)
    b.count = replace(b.count);
  for (auto &[level, workers] : plan.workers)
    workers = replace(workers);
  for (Constraint &c : plan.constraints)
    c.require = replace(c.require);
  for (Tunable &t : plan.tunables) {
    if (t.sizedDefault)
      t.sizedDefault = replace(t.sizedDefault);
  }
  for (ExprPtr *number : {&plan.mostIndex, &plan.roundings}) {
    if (*number)
      *number = replace(*number);
  }
}

} // namespace tangram::codegen
