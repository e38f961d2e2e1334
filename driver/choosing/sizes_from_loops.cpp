#include "driver/choosing/sizes_from_loops.h"

#include "algebra/simplify.h"

#include <algorithm>
#include <numeric>

namespace tangram::driver {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;

ExprPtr withoutCasts(ExprPtr e) {
  while (e->kind == ExprKind::Cast)
    e = e->args[0];
  return e;
}

bool names(const ExprPtr &e, const ir::VarPtr &var) {
  return ir::contains(e, [&](const ir::Expr &each) { return each.var == var; });
}

/// Whether a written element of a container is named by a counter.
bool writesBy(const StmtPtr &body, const ir::VarPtr &counter) {
  bool writes = false;
  ir::forEach(body, [&](const Stmt &s) {
    writes |=
        s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index && names(s.target, counter);
  });
  return writes;
}

/// Whether a counter is added to another one in an expression, or taken from it: `i + p`.
bool isSumWithOthers(const ir::Expr &e, const ir::VarPtr &counter) {
  const auto isOther = [&](const ExprPtr &e) {
    return ir::contains(e, [&](const ir::Expr &each) {
      return each.kind == ExprKind::Var && !each.type.isContainer() && each.var != counter &&
             each.var->kind == ir::VarKind::Local && ir::isInteger(each.type.scalar);
    });
  };
  if (e.kind != ExprKind::Binary || (e.op != "+" && e.op != "-") || !ir::isInteger(e.type.scalar))
    return false;
  return (names(e.args[0], counter) && isOther(e.args[1])) ||
         (names(e.args[1], counter) && isOther(e.args[0]));
}

/// The same of any expression in a loop.
bool isBesideOthers(const StmtPtr &body, const ir::VarPtr &counter) {
  bool found = false;
  ir::forEachExpr(body, [&](const ir::Expr &e) { found |= isSumWithOthers(e, counter); });
  return found;
}

const runtime::Parameter *parameterOf(const ir::VarPtr &var, const ir::Codelet &codelet,
                                      const runtime::Signature &signature) {
  const auto found = std::ranges::find(codelet.params, var);
  return found == codelet.params.end()
             ? nullptr
             : &signature.parameters[static_cast<std::size_t>(found - codelet.params.begin())];
}

/// The container extents that this counter and other ones index together, `x[i + p]`.
std::set<std::string> slidOver(const StmtPtr &body, const ir::VarPtr &counter,
                               const ir::Codelet &codelet, const runtime::Signature &signature) {
  std::set<std::string> found;
  ir::forEachExpr(body, [&](const ir::Expr &e) {
    if (e.kind != ExprKind::Index || e.args[0]->kind != ExprKind::Var)
      return;
    for (std::size_t i = 1; i < e.args.size(); ++i) {
      const bool joins = ir::contains(
          e.args[i], [&](const ir::Expr &each) { return isSumWithOthers(each, counter); });
      const runtime::Parameter *p =
          joins ? parameterOf(e.args[0]->var, codelet, signature) : nullptr;
      if (p && i <= p->extents.size())
        found.insert(p->extents[i - 1]);
    }
  });
  return found;
}

/// The size that a loop's counter is compared with: `p < w.size()`, also where another condition stands beside it.
ExprPtr endOf(const ExprPtr &condition, const ir::VarPtr &counter) {
  if (condition->kind != ExprKind::Binary)
    return nullptr;
  if (condition->op == "&&") {
    const ExprPtr first = endOf(condition->args[0], counter);
    return first ? first : endOf(condition->args[1], counter);
  }
  const ExprPtr end = withoutCasts(condition->args[1]);
  const bool counts = condition->op == "<" && withoutCasts(condition->args[0])->var == counter &&
                      end->kind == ExprKind::Size;
  return counts ? end : nullptr;
}

/// Whether a contract says a size from this one and others.
bool isSummand(const std::string &extent, const runtime::Signature &signature) {
  return std::ranges::any_of(signature.shape, [&](const auto &contract) {
    const std::vector<std::string> all = contract.equals.names();
    return all.size() > 1 && std::ranges::find(all, extent) != all.end();
  });
}

} // namespace

std::string nameOf(const ir::Expr &what, const ir::Codelet &codelet,
                   const runtime::Signature &signature) {
  const bool isSize = what.kind == ExprKind::Size;
  const runtime::Parameter *p =
      parameterOf(isSize ? what.args[0]->var : what.var, codelet, signature);
  if (!p)
    return "";
  return isSize ? p->extents[static_cast<std::size_t>(what.integer)] : p->name;
}

std::set<std::string> filterExtents(const ir::Codelet &codelet, const runtime::Signature &signature,
                                    const std::function<std::string(const std::string &)> &rootOf) {
  std::set<std::string> found;
  const auto look = [&](const auto &self, const StmtPtr &s, unsigned depth) -> void {
    if (!s)
      return;
    const bool counts =
        s->kind == StmtKind::For && s->children[0] && s->children[0]->var && s->value;
    if (counts && depth > 0 && !writesBy(s->children[2], s->children[0]->var)) {
      const ir::VarPtr &counter = s->children[0]->var;
      const ExprPtr end = endOf(s->value, counter);
      const std::string extent = end ? nameOf(*end, codelet, signature) : "";
      const std::string root = rootOf(extent);
      const std::set<std::string> slid = slidOver(s->children[2], counter, codelet, signature);
      // A container that slides over one as long as itself, as in an autocorrelation, is no filter.
      const bool slidesOverItself = std::ranges::any_of(
          slid, [&](const std::string &extent) { return rootOf(extent) == root; });
      if (!root.empty() && !slidesOverItself &&
          (isSummand(extent, signature) || isBesideOthers(s->children[2], counter)))
        found.insert(root);
    }
    for (const StmtPtr &child : s->children)
      self(self, child, depth + (s->kind == StmtKind::For ? 1 : 0));
  };
  look(look, codelet.body, 0);
  return found;
}

std::map<std::string, std::uint64_t> multiples(const ir::Codelet &codelet,
                                               const runtime::Signature &signature) {
  std::map<std::string, std::uint64_t> found;
  for (const StmtPtr &s : codelet.body->children) {
    if (s->kind != StmtKind::Require || s->value->kind != ExprKind::Binary || s->value->op != "==")
      continue;
    const ExprPtr rest = withoutCasts(s->value->args[0]);
    const bool isRest = rest->kind == ExprKind::Binary && rest->op == "%" &&
                        ir::literalValue(algebra::simplify(s->value->args[1])) == 0;
    const auto number = isRest ? ir::literalValue(algebra::simplify(rest->args[1])) : std::nullopt;
    const ExprPtr size = isRest ? withoutCasts(rest->args[0]) : nullptr;
    if (!number || *number < 1 || size->kind != ExprKind::Size)
      continue;
    std::uint64_t &of = found.try_emplace(nameOf(*size, codelet, signature), 1).first->second;
    of = std::lcm(of, static_cast<std::uint64_t>(*number));
  }
  found.erase("");
  return found;
}

} // namespace tangram::driver
