#include "composer/analysis/sites.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

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

/// Whether computing `e` reads no data and makes no container: sizes, tunables, views.
bool runsNothing(const ir::ExprPtr &e) {
  return !ir::contains(e, [](const ir::Expr &node) {
    return ir::callsSpectrum(node) || node.kind == ir::ExprKind::Atomic ||
           node.kind == ir::ExprKind::Allocate;
  });
}

/// A parameter, by position, and a dimension of it.
using Cut = std::pair<std::size_t, std::int64_t>;

/// The dimensions in which a partition takes parameter `param` apart.
void addCuts(const ir::Expr &arg, std::size_t param, std::set<Cut> &cuts) {
  for (std::size_t i = 0; 4 * i + 1 < arg.args.size(); ++i)
    cuts.insert({param, arg.integer + static_cast<std::int64_t>(i)});
}

bool isTunable(const ir::Expr &e) {
  return e.kind == ir::ExprKind::Var && e.var->kind == ir::VarKind::Tunable;
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

bool isOrdered(const ir::Expr &map) { return !map.op.empty(); }

bool isMapAlone(const ir::Codelet &codelet) {
  int maps = 0;
  for (const Site &site : sites(codelet)) {
    if (site.kind == Site::Kind::Call || (site.kind == Site::Kind::Map && isOrdered(*site.expr)))
      return false;
    maps += site.kind == Site::Kind::Map ? 1 : 0;
  }
  return maps == 1 && std::ranges::all_of(codelet.body->children, [](const ir::StmtPtr &s) {
           switch (s->kind) {
           case ir::StmtKind::Require:
             return true;
           case ir::StmtKind::Decl:
             return !s->var->extent && (!s->value || runsNothing(s->value));
           case ir::StmtKind::Eval:
             return s->value->kind == ir::ExprKind::Map;
           case ir::StmtKind::Assign:
             return s->value->kind == ir::ExprKind::Map && s->target->kind == ir::ExprKind::Var &&
                    s->target->var->kind == ir::VarKind::Param;
           default:
             return false;
           }
         });
}

namespace {

/// The first expression in a loop that is asked for; null when there is none.
const ir::Expr *firstInLoop(const ir::Codelet &codelet,
                            const std::function<bool(const ir::Expr &)> &wanted) {
  const ir::Expr *found = nullptr;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (!ir::isLoop(s))
      return;
    for (const ir::StmtPtr &child : s.children) {
      ir::forEachExpr(child, [&](const ir::Expr &e) {
        if (!found && wanted(e))
          found = &e;
      });
    }
  });
  return found;
}

} // namespace

const ir::Expr *siteInLoop(const ir::Codelet &codelet) {
  return firstInLoop(codelet, ir::callsSpectrum);
}

bool isInLoop(const ir::Codelet &codelet, const ir::Expr &expr) {
  return firstInLoop(codelet, [&](const ir::Expr &e) { return &e == &expr; }) != nullptr;
}

bool worksAhead(const ir::Codelet &codelet) {
  if (codelet.params.empty())
    return false;
  for (const ir::StmtPtr &s : codelet.body->children) {
    if (s->kind == ir::StmtKind::Require)
      continue;
    bool works = s->kind == ir::StmtKind::For || s->kind == ir::StmtKind::While ||
                 s->kind == ir::StmtKind::DoWhile;
    bool asks = false;
    ir::forEachExpr(s, [&](const ir::Expr &e) {
      asks |= e.var == codelet.params.front();
      works |= ir::callsSpectrum(e);
    });
    if (asks || works)
      return !asks;
  }
  return false;
}

bool cutsAgain(const ir::Expr &map, const ir::Codelet &codelet) {
  // A map inside sees the other dimensions of a container's elements alone, unlike those of its parts.
  std::set<Cut> outer;
  for (std::size_t k = 0; k < map.args.size(); ++k) {
    // Parts of sizes that nobody chooses are what they are: a map inside cuts them further.
    if (map.args[k]->kind == ir::ExprKind::Partition && ir::contains(map.args[k], isTunable))
      addCuts(*map.args[k], k, outer);
  }
  bool again = false;
  for (const Site &site : sites(codelet)) {
    if (site.kind != Site::Kind::Map)
      continue;
    for (const ir::ExprPtr &arg : site.expr->args) {
      const ir::Expr &container = arg->kind == ir::ExprKind::Partition ? *arg->args[0] : *arg;
      auto param = std::ranges::find(codelet.params, container.var);
      if (container.kind != ir::ExprKind::Var || param == codelet.params.end())
        continue;
      const auto number = static_cast<std::size_t>(param - codelet.params.begin());
      std::set<Cut> inner;
      if (arg->kind == ir::ExprKind::Partition)
        addCuts(*arg, number, inner);
      else
        inner.insert({number, 0});
      again |= std::ranges::any_of(inner, [&](const Cut &cut) { return outer.contains(cut); });
    }
  }
  return again;
}

bool isCompound(const ir::Codelet &codelet) {
  bool compound = false;
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) { compound |= ir::callsSpectrum(e); });
  return compound;
}

std::optional<unsigned> meaningOf(const ir::Spectrum &spectrum) {
  for (unsigned i = 0; i < spectrum.codelets.size(); ++i) {
    if (!spectrum.codelets[i].cooperative && !isCompound(spectrum.codelets[i]))
      return i;
  }
  return std::nullopt;
}

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

} // namespace tangram::composer
