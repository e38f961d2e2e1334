#include "composer/plans/codelet_maps.h"

#include "composer/analysis/sites.h"
#include "ir/stmt.h"

#include <algorithm>

namespace tangram::composer {

namespace {

/// Whether a cut of a partition gives the size of the parts and not their number, as chunks does.
bool givesSize(const ir::Expr &partition, std::size_t cut) {
  const ir::Expr &start = *partition.args[4 * cut + 2];
  const ir::Expr &count = *partition.args[4 * cut + 1];
  if (start.kind != ir::ExprKind::Sequence || start.args.size() != 3)
    return false;
  const ir::ExprPtr &size = start.args[1];
  return partition.callee != "slide" && count.kind == ir::ExprKind::Binary && count.op == "/" &&
         ir::sameExpr(count.args[1], size) && !start.args[0]->type.isContainer();
}

std::size_t cutsOf(const ir::Expr &partition) { return (partition.args.size() - 1) / 4; }

} // namespace

bool isOverTiles(const ir::Expr &map) {
  return !isOrdered(map) && std::ranges::any_of(map.args, [](const ir::ExprPtr &arg) {
    if (arg->kind != ir::ExprKind::Partition || cutsOf(*arg) < 2 ||
        cutsOf(*arg) < arg->args[0]->type.rank)
      return false;
    for (std::size_t c = 0; c < cutsOf(*arg); ++c) {
      if (!givesSize(*arg, c))
        return false;
    }
    return true;
  });
}

bool isOverParts(const ir::Expr &map) {
  return std::ranges::any_of(map.args, [](const ir::ExprPtr &arg) {
    return arg->kind == ir::ExprKind::Partition && cutsOf(*arg) == 1 &&
           arg->args[0]->type.rank == 1 && givesSize(*arg, 0);
  });
}

bool isChainOverParts(const ir::Expr &map) { return map.op == "chain" && isOverParts(map); }

bool isFoldOverChunks(const ir::Expr &map) {
  return map.op == "fold" && std::ranges::any_of(map.args, [](const ir::ExprPtr &arg) {
           return arg->kind == ir::ExprKind::Partition && givesSize(*arg, 0);
         });
}

Feeders::Feeders(const ir::Codelet &codelet) {
  for (const Site &site : sites(codelet)) {
    if (site.kind != Site::Kind::Partition)
      childOf[site.expr] = site.child;
  }
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    ir::forEachOwnExpr(s, [&](const ir::ExprPtr &e) { noteCalls(e); });
    if (s.kind == ir::StmtKind::Decl && s.value) {
      if (s.value->kind == ir::ExprKind::Partition)
        partitions.insert(s.var.get());
      mapsIn(s.value, held[s.var.get()]);
    }
    if (s.kind == ir::StmtKind::Assign && s.target && s.target->kind == ir::ExprKind::Var)
      mapsIn(s.value, held[s.target->var.get()]);
  });
}

void Feeders::noteCalls(const ir::ExprPtr &root) {
  if (!root)
    return;
  ir::forEach(root, [&](const ir::Expr &e) {
    if (e.kind != ir::ExprKind::SpectrumCall)
      return;
    for (const ir::ExprPtr &arg : e.args)
      mapsIn(arg, feeding[childOf[&e]]);
  });
}

/// Children that are maps whose results `e` holds. What a call makes of them is another value.
void Feeders::mapsIn(const ir::ExprPtr &e, std::set<int> &found) {
  if (e->kind == ir::ExprKind::SpectrumCall)
    return;
  if (e->kind == ir::ExprKind::Map) {
    if (std::ranges::any_of(e->args, [&](const ir::ExprPtr &arg) { return isPartition(*arg); }))
      found.insert(childOf[e.get()]);
    return;
  }
  if (e->kind == ir::ExprKind::Var) {
    const std::set<int> known = held[e->var.get()];
    found.insert(known.begin(), known.end());
    return;
  }
  for (const ir::ExprPtr &arg : e->args)
    mapsIn(arg, found);
}

bool Feeders::isPartition(const ir::Expr &e) const {
  return e.kind == ir::ExprKind::Partition ||
         (e.kind == ir::ExprKind::Var && partitions.contains(e.var.get()));
}

} // namespace tangram::composer
