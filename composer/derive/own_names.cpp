#include "composer/derive/own_names.h"

#include "ir/unique_name.h"

#include <set>
#include <utility>
#include <vector>

namespace tangram::composer {

namespace {

const std::set<std::string> primitives{"all",     "chunks",   "col_chunks", "cols",   "coopDim",
                                       "coopIdx", "fold",     "map",        "max",    "min",
                                       "rows",    "sequence", "slice",      "require"};

/// Adds to `hiding` the variables that hide another one: where they are declared, a variable of the same name is visible.
void addHiding(const ir::StmtPtr &s, std::set<std::string> &visible,
               std::set<const ir::Var *> &hiding) {
  if (!s)
    return;
  if (s->kind == ir::StmtKind::Decl) {
    if (!visible.insert(s->var->name).second)
      hiding.insert(s->var.get());
    return;
  }
  std::set<std::string> inside = visible;
  for (const ir::StmtPtr &child : s->children)
    addHiding(child, inside, hiding);
}

/// Names of a codelet: those that stay, and the variables that need another one, by place.
struct Names {
  std::set<std::string> taken = primitives;
  std::vector<ir::VarPtr> unusable;
};

Names namesOf(const ir::Codelet &codelet) {
  Names names;
  std::set<std::string> visible;
  for (const ir::VarPtr &param : codelet.params)
    visible.insert(param->name);
  std::set<const ir::Var *> hiding;
  addHiding(codelet.body, visible, hiding);
  const auto visit = [&](const ir::VarPtr &var) {
    if (var && (hiding.contains(var.get()) || primitives.contains(var->name)))
      names.unusable.push_back(var);
    else if (var)
      names.taken.insert(var->name);
  };
  for (const ir::VarPtr &param : codelet.params)
    visit(param);
  ir::forEach(codelet.body, [&](const ir::Stmt &s) { visit(s.var); });
  return names;
}

} // namespace

ir::StmtPtr withVariables(const ir::StmtPtr &s,
                          const std::map<const ir::Var *, ir::VarPtr> &others) {
  const ir::StmtPtr used = ir::mapExprs(s, [&](const ir::ExprPtr &e) {
    return ir::rewrite(e, [&](const ir::ExprPtr &each) -> ir::ExprPtr {
      const auto found =
          each->kind == ir::ExprKind::Var ? others.find(each->var.get()) : others.end();
      return found == others.end() ? each : ir::varRef(found->second, each->location);
    });
  });
  return ir::rewrite(used, [&](const ir::StmtPtr &each) -> ir::StmtPtr {
    const auto found = each->var ? others.find(each->var.get()) : others.end();
    if (found == others.end())
      return each;
    auto copy = std::make_shared<ir::Stmt>(*each);
    copy->var = found->second;
    return copy;
  });
}

ir::StmtPtr withOwnLocals(const ir::StmtPtr &s) {
  std::map<const ir::Var *, ir::VarPtr> own;
  ir::forEach(s, [&](const ir::Stmt &each) {
    if (each.kind == ir::StmtKind::Decl)
      own[each.var.get()] = std::make_shared<ir::Var>(*each.var);
  });
  return withVariables(s, own);
}

ir::Codelet withWritableNames(const ir::Codelet &codelet) {
  auto [taken, unusable] = namesOf(codelet);
  if (unusable.empty())
    return codelet;
  std::map<const ir::Var *, ir::VarPtr> renamed;
  for (const ir::VarPtr &var : unusable) {
    if (renamed.contains(var.get()))
      continue;
    auto copy = std::make_shared<ir::Var>(*var);
    copy->name =
        ir::uniqueName(var->name, [&](const std::string &name) { return taken.contains(name); });
    taken.insert(copy->name);
    renamed.emplace(var.get(), std::move(copy));
  }
  ir::Codelet made = codelet;
  for (ir::VarPtr &param : made.params) {
    if (const auto found = renamed.find(param.get()); found != renamed.end())
      param = found->second;
  }
  made.body = withVariables(codelet.body, renamed);
  return made;
}

} // namespace tangram::composer
