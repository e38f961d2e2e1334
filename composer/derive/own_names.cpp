#include "composer/derive/own_names.h"

#include "ir/unique_name.h"

#include <map>
#include <set>

namespace tangram::composer {

namespace {

const std::set<std::string> primitives{"all",     "chunks",   "col_chunks", "cols",   "coopDim",
                                       "coopIdx", "fold",     "map",        "max",    "min",
                                       "rows",    "sequence", "slice",      "require"};

} // namespace

ir::Codelet withoutPrimitiveNames(const ir::Codelet &codelet) {
  std::set<std::string> taken = primitives;
  std::map<const ir::Var *, ir::VarPtr> renamed;
  const auto visit = [&](const ir::VarPtr &var) {
    if (!var)
      return;
    if (!primitives.contains(var->name)) {
      taken.insert(var->name);
      return;
    }
    renamed[var.get()] = var;
  };
  for (const ir::VarPtr &param : codelet.params)
    visit(param);
  ir::forEach(codelet.body, [&](const ir::Stmt &s) { visit(s.var); });
  if (renamed.empty())
    return codelet;
  for (auto &[old, var] : renamed) {
    auto copy = std::make_shared<ir::Var>(*var);
    copy->name =
        ir::uniqueName(var->name, [&](const std::string &name) { return taken.contains(name); });
    taken.insert(copy->name);
    var = copy;
  }
  const auto nameOf = [&](const ir::VarPtr &var) {
    const auto found = renamed.find(var.get());
    return found == renamed.end() ? var : found->second;
  };
  ir::Codelet made = codelet;
  for (ir::VarPtr &param : made.params)
    param = nameOf(param);
  made.body = ir::mapExprs(codelet.body, [&](const ir::ExprPtr &e) {
    return ir::rewrite(e, [&](const ir::ExprPtr &each) -> ir::ExprPtr {
      const bool isRenamed = each->kind == ir::ExprKind::Var && renamed.contains(each->var.get());
      return isRenamed ? ir::varRef(nameOf(each->var), each->location) : each;
    });
  });
  made.body = ir::rewrite(made.body, [&](const ir::StmtPtr &s) -> ir::StmtPtr {
    if (!s->var || !renamed.contains(s->var.get()))
      return s;
    auto copy = std::make_shared<ir::Stmt>(*s);
    copy->var = nameOf(s->var);
    return copy;
  });
  return made;
}

} // namespace tangram::composer
