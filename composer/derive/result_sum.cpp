#include "composer/derive/result_sum.h"

#include "composer/derive/statements.h"

#include <algorithm>
#include <set>

namespace tangram::composer {

using algebra::Nest;
using ir::StmtKind;
using ir::StmtPtr;

const BlockedLoop *blockedAt(const ir::Stmt &s, const Nest &nest,
                             const std::vector<BlockedLoop> &blocked) {
  const auto found = std::ranges::find(blocked, nest.loopOf(s), &BlockedLoop::loop);
  return s.kind != StmtKind::For || found == blocked.end() ? nullptr : &*found;
}

bool isContainerWrite(const ir::Stmt &s) {
  return s.kind == StmtKind::Assign && s.target->kind == ir::ExprKind::Index &&
         s.target->args[0]->type.isContainer();
}

bool isProduct(const Nest &nest, const std::vector<BlockedLoop> &around) {
  std::set<std::vector<bool>> named;
  for (const algebra::NestAccess &access : nest.accesses) {
    if (access.writes)
      continue;
    std::vector<bool> loops;
    for (const BlockedLoop &loop : around)
      loops.push_back(std::ranges::any_of(access.place, [&](const auto &place) {
        return place && place->mentions(nest.loops[static_cast<std::size_t>(loop.loop)].atom);
      }));
    named.insert(loops);
  }
  return std::ranges::any_of(named, [&](const std::vector<bool> &a) {
    return std::ranges::any_of(named, [&](const std::vector<bool> &b) {
      bool onlyA = false, onlyB = false;
      for (std::size_t i = 0; i < a.size(); ++i) {
        onlyA |= a[i] && !b[i];
        onlyB |= b[i] && !a[i];
      }
      return onlyA && onlyB;
    });
  });
}

std::optional<ResultSum> resultSumOf(const ir::Codelet &codelet, const Nest &nest,
                                     const std::vector<BlockedLoop> &blocked) {
  ResultSum sum;
  std::vector<StmtPtr> at;
  for (const StmtPtr &s : codelet.body->children) {
    if (std::ranges::find(nest.names, s.get()) != nest.names.end())
      sum.outside.push_back(s);
    else if (s->kind != StmtKind::Require)
      flatten(s, at);
  }
  while (at.size() == 1 && blockedAt(*at[0], nest, blocked) != nullptr) {
    sum.loops.push_back(at[0]);
    const StmtPtr body = at[0]->children[2];
    at.clear();
    flatten(body, at);
  }
  for (const StmtPtr &s : at) {
    if (!sum.loop && s->kind == StmtKind::For)
      sum.loop = s;
    else if (sum.loop && !hasLoop(s))
      sum.after.push_back(s);
    else if (!sum.loop && s->kind == StmtKind::Decl && s->value && !s->var->extent)
      sum.before.push_back(s);
    else
      return std::nullopt;
  }
  if (!sum.loop || nest.loopOf(*sum.loop) < 0)
    return std::nullopt;
  LoopSums sums = loopSums(nest, nest.loopOf(*sum.loop));
  if (sums.why)
    return std::nullopt;
  sum.updates = std::move(sums.updates);
  return sum;
}

} // namespace tangram::composer
