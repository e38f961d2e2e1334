#include "composer/derive/local_containers.h"

#include "composer/derive/own_names.h"
#include "composer/derive/source_text.h"
#include "composer/derive/statements.h"
#include "composer/derive/windows.h"

#include <map>
#include <set>

namespace tangram::composer {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;

bool isAllocation(const ir::Stmt &s) {
  return s.kind == StmtKind::Decl && s.value && s.value->kind == ExprKind::Allocate;
}

/// The values of locals that keep them, over sizes and parameters.
class Constants {
public:
  explicit Constants(const ir::Codelet &codelet) {
    std::set<const ir::Var *> assigned;
    ir::forEach(codelet.body, [&](const ir::Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        assigned.insert(s.target->var.get());
    });
    for (const ir::VarPtr &param : codelet.params) {
      if (!assigned.contains(param.get()))
        known_.insert(param.get());
    }
    for (const StmtPtr &s : codelet.body->children) {
      if (s->kind != StmtKind::Decl || !s->value || s->var->extent || namesElements(s) ||
          assigned.contains(s->var.get()) || s->var->type.isContainer())
        continue;
      if (const ExprPtr value = valueOf(s->value))
        values_[s->var.get()] = ir::cast(s->var->type.scalar, value);
    }
  }

  /// Null where it has none.
  ExprPtr valueOf(const ExprPtr &e) const {
    bool isKnown = true;
    const ExprPtr value = ir::rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind == ExprKind::Index)
        isKnown = false;
      if (each->kind != ExprKind::Var)
        return each;
      const auto found = values_.find(each->var.get());
      isKnown = isKnown && (found != values_.end() || known_.contains(each->var.get()));
      return found == values_.end() ? each : found->second;
    });
    return isKnown ? value : nullptr;
  }

private:
  std::set<const ir::Var *> known_;
  std::map<const ir::Var *, ExprPtr> values_;
};

} // namespace

std::string declarationOf(const LocalContainer &local) {
  std::string text = "  " + ir::spelling(local.container->type) + " " + local.container->name + "(";
  for (std::size_t d = 0; d < local.extents.size(); ++d)
    text += (d == 0 ? "" : ", ") + sourceOf(local.extents[d]);
  return text + ");\n";
}

std::optional<LocalContainers> withLocalContainers(const ir::Codelet &codelet) {
  LocalContainers made{codelet, {}};
  const Constants constants(codelet);
  std::map<const ir::Var *, ir::VarPtr> parameters;
  std::vector<StmtPtr> body, requirements;
  for (const StmtPtr &s : codelet.body->children) {
    if (!isAllocation(*s)) {
      body.push_back(s);
      continue;
    }
    auto param = std::make_shared<ir::Var>(*s->var);
    param->kind = ir::VarKind::Param;
    param->type.isConst = false;
    parameters[s->var.get()] = param;
    LocalContainer local{param, {}};
    for (unsigned d = 0; d < s->value->args.size(); ++d) {
      local.extents.push_back(constants.valueOf(s->value->args[d]));
      if (!local.extents.back())
        return std::nullopt;
      requirements.push_back(
          ir::require(ir::binary("==", sizeOf(param, d), local.extents.back()), s->location));
    }
    made.containers.push_back(local);
    made.codelet.params.push_back(param);
  }
  if (made.containers.empty())
    return std::nullopt;
  requirements.insert(requirements.end(), body.begin(), body.end());
  made.codelet.body = withVariables(ir::block(requirements), parameters);
  return made;
}

} // namespace tangram::composer
