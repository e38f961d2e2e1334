#include "composer/sites.h"

namespace tangram::composer {

namespace {

void collect(const ir::ExprPtr &e, std::vector<Site> &found, int &children) {
  if (!e)
    return;
  for (const ir::ExprPtr &arg : e->args)
    collect(arg, found, children);
  if (e->kind == ir::ExprKind::Partition)
    found.push_back({Site::Kind::Partition, e.get(), -1});
  else if (e->kind == ir::ExprKind::Map)
    found.push_back({Site::Kind::Map, e.get(), children++});
  else if (e->kind == ir::ExprKind::SpectrumCall)
    found.push_back({Site::Kind::Call, e.get(), children++});
}

} // namespace

std::vector<Site> sites(const ir::Codelet &codelet) {
  std::vector<Site> found;
  int children = 0;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    ir::forEachOwnExpr(s, [&](const ir::ExprPtr &e) { collect(e, found, children); });
  });
  return found;
}

bool isCompound(const ir::Codelet &codelet) {
  bool compound = false;
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    compound |= e.kind == ir::ExprKind::SpectrumCall || e.kind == ir::ExprKind::Map;
  });
  return compound;
}

} // namespace tangram::composer
