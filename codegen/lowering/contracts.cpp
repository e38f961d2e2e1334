#include "codegen/lowering/contracts.h"
#include "algebra/simplify.h"

#include "composer/analysis/sites.h"

#include <algorithm>
#include <filesystem>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

bool isSizeOfParameter(const ExprPtr &e) {
  const ExprPtr &bare = e->kind == ExprKind::Cast ? e->args[0] : e;
  return bare->kind == ExprKind::Size && bare->args[0]->kind == ExprKind::Var &&
         bare->args[0]->var->kind == VarKind::Param;
}

} // namespace

std::string inParentheses(const SourceLocation &place) {
  // Without its folder: it goes into bundles, which say nothing of the machine that they were made on.
  return "(" + std::filesystem::path(place.file).filename().string() + ":" +
         std::to_string(place.line) + ":" + std::to_string(place.column) + ")";
}

bool isShape(const ExprPtr &condition) {
  return condition->kind == ExprKind::Binary && condition->op == "==" &&
         (isSizeOfParameter(condition->args[0]) || isSizeOfParameter(condition->args[1]));
}

namespace {

/// The summands of a sum: those that are added, and those that are subtracted.
struct Summands {
  std::vector<ExprPtr> added;
  std::vector<ExprPtr> subtracted;

  explicit Summands(const ExprPtr &sum) { collect(sum, false); }

  auto sizes() const {
    return std::ranges::count_if(added, [](const ExprPtr &e) { return e->kind == ExprKind::Size; });
  }

private:
  void collect(const ExprPtr &e, bool negative) {
    if (e->kind == ExprKind::Binary && (e->op == "+" || e->op == "-")) {
      collect(e->args[0], negative);
      collect(e->args[1], negative != (e->op == "-"));
    } else {
      (negative ? subtracted : added).push_back(e);
    }
  }
};

/// An equation between sums of sizes, `in.size() + 1 == out.size() + filter.size()`, solved for a size that stands in it
/// once: on the side with fewer of them, which is mostly the size that follows from the others.
std::optional<std::pair<ExprPtr, ExprPtr>> solvedForSize(const ExprPtr &equation) {
  if (equation->kind != ExprKind::Binary || equation->op != "==" ||
      equation->args[0]->type.scalar != Scalar::Index ||
      equation->args[1]->type.scalar != Scalar::Index)
    return std::nullopt;
  const Summands left(equation->args[0]);
  const Summands right(equation->args[1]);
  const bool fromRight = left.sizes() == 0 || (right.sizes() > 0 && right.sizes() < left.sizes());
  const Summands &side = fromRight ? right : left;
  for (const ExprPtr &size : side.added) {
    if (size->kind != ExprKind::Size || !isSizeOfParameter(size))
      continue;
    int mentions = 0;
    forEach(equation, [&](const Expr &e) {
      mentions += e.kind == ExprKind::Size && e.integer == size->integer &&
                  e.args[0]->var == size->args[0]->var;
    });
    if (mentions != 1)
      continue;
    ExprPtr equals = equation->args[fromRight ? 0 : 1];
    for (const ExprPtr &each : side.subtracted)
      equals = add(equals, each);
    for (const ExprPtr &each : side.added) {
      if (each != size)
        equals = sub(equals, each);
    }
    return std::pair(size, equals);
  }
  return std::nullopt;
}

} // namespace

bool isEquationOfSizes(const ExprPtr &condition) { return solvedForSize(condition).has_value(); }

namespace {

void recordContract(LoweredPlan &plan, const Stmt &s, const std::function<ExprPtr(ExprPtr)> &onHost,
                    const Spectrum &spectrum, const Scope &scope) {
  const ExprPtr &condition = s.value;
  const std::string reason =
      spectrum.name + " requires " + asWritten(condition) + " " + inParentheses(s.location);
  if (isShape(condition)) {
    bool left = isSizeOfParameter(condition->args[0]);
    ExprPtr extent = onHost(condition->args[left ? 0 : 1]);
    if (extent->kind == ExprKind::Cast)
      extent = extent->args[0];
    // A size is compared as one, so that hosts compare no number with a sign and one without.
    ExprPtr equals = onHost(condition->args[left ? 1 : 0]);
    if (equals->type.scalar != Scalar::Index)
      equals = simplify(cast(Scalar::Index, equals));
    plan.shape.push_back({extent->var, equals});
    plan.constraints.push_back({binary("==", extent, equals), reason});
  } else if (condition->kind == ExprKind::Call &&
             (condition->callee == "within" || condition->callee == "ascending")) {
    for (std::size_t i = 0; i < spectrum.params.size(); ++i) {
      if (spectrum.params[i]->name == condition->args[0]->var->name &&
          condition->args[0]->var->kind == VarKind::Param)
        plan.data.push_back({plan.parameters[i], condition->callee, onHost(condition->args[1]),
                             onHost(condition->args[2])});
    }
  } else if (ExprPtr known = onHost(condition); scope.upperBound(known) == known) {
    plan.constraints.push_back({known, reason});
    if (const auto solved = solvedForSize(condition))
      plan.shape.push_back({onHost(solved->first)->var, onHost(solved->second)});
  }
}

} // namespace

void recordContracts(LoweredPlan &plan, const Spectrum &spectrum, const Scope &scope) {
  const std::optional<unsigned> first = composer::meaningOf(spectrum);
  if (!first)
    return;
  const Codelet *meaning = &spectrum.codelets[*first];
  auto number = [&](const Var *param) {
    auto found = std::find_if(meaning->params.begin(), meaning->params.end(),
                              [&](const VarPtr &each) { return each.get() == param; });
    return static_cast<std::size_t>(found - meaning->params.begin());
  };
  auto onHost = [&](const ExprPtr &e) {
    return simplify(rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      bool size = each->kind == ExprKind::Size && each->args[0]->kind == ExprKind::Var;
      const Var *var =
          size ? each->args[0]->var.get()
               : (each->kind == ExprKind::Var && !each->type.isContainer() ? each->var.get()
                                                                           : nullptr);
      std::size_t i = var ? number(var) : meaning->params.size();
      if (i == meaning->params.size())
        return each;
      if (!size)
        return varRef(spectrum.params[i]);
      std::size_t extent = static_cast<std::size_t>(each->integer);
      for (std::size_t before = 0; before < i; ++before)
        extent += spectrum.params[before]->type.rank;
      return varRef(plan.extents[extent]);
    }));
  };
  for (const StmtPtr &s : meaning->body->children) {
    if (s->kind == StmtKind::Require)
      recordContract(plan, *s, onHost, spectrum, scope);
  }
}

} // namespace tangram::codegen
