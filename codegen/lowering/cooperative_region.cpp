#include "codegen/lowering/cooperative_region.h"

#include "codegen/form/building.h"
#include "codegen/lockstep/resolve_views.h"
#include "ir/assigned_variables.h"
#include "ir/early_return.h"

namespace tangram::codegen {

using namespace ir;

namespace {

/// `body` with variables in the place of scalar parameters that it assigns to.
StmtPtr withOwnParameters(const Codelet &codelet, const StmtPtr &body) {
  const std::set<const Var *> changed = assignedIn(body);
  std::map<const Var *, VarPtr> own;
  std::vector<StmtPtr> statements;
  for (const VarPtr &param : codelet.params) {
    if (param->type.isContainer() || !changed.contains(param.get()))
      continue;
    auto variable = std::make_shared<Var>(*param);
    variable->kind = VarKind::Local;
    own[param.get()] = variable;
    statements.push_back(declare(variable, varRef(param), codelet.location));
  }
  statements.push_back(mapExprs(body, [&](const ExprPtr &e) {
    return rewrite(e, [&](const ExprPtr &each) {
      auto found = each->kind == ExprKind::Var ? own.find(each->var.get()) : own.end();
      return found == own.end() ? each : varRef(found->second, each->location);
    });
  }));
  return block(std::move(statements));
}

} // namespace

LockstepRegion regionOf(const Codelet &codelet, Scalar result) {
  LockstepRegion region;
  region.body = resolveViews(withOwnParameters(codelet, tailReturns(codelet.body, result)));
  return region;
}

std::optional<Refusal> whyNotInLockstep(const Codelet &codelet, Scalar result) {
  LockstepRegion region = regionOf(codelet, result);
  region.lane = newVariable("lane", Scalar::Index, VarKind::Worker);
  auto split = splitLockstep(region);
  if (auto *refusal = std::get_if<Refusal>(&split))
    return *refusal;
  return std::nullopt;
}

} // namespace tangram::codegen
