#include "codegen/lowering/scope.h"

#include "algebra/bounds.h"
#include "algebra/simplify.h"
#include "algebra/wrapping.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "ir/expression_length.h"

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

bool isClosed(const ExprPtr &e, const LoweredPlan &plan) {
  return !contains(e, [&](const Expr &each) {
    if (each.kind == ExprKind::Index)
      return true;
    return each.kind == ExprKind::Var && each.var->kind != VarKind::Param &&
           plan.tunableOf(each.var) == nullptr;
  });
}

} // namespace

void Scope::remember(const VarPtr &var, const ExprPtr &definition) {
  if (!definitions_.insert_or_assign(var, definition).second)
    closedDefinitions_.clear();
  forgetFound();
}

void Scope::forgetFound() {
  meanings_.clear();
  upperBounds_.clear();
}

void Scope::keep(const VarPtr &var) {
  kept_.insert(var);
  forgetFound();
}

void Scope::boundWorker(const VarPtr &worker, const ExprPtr &count) {
  largest_[worker] = sub(count, intLiteral(1));
  forgetFound();
}

void Scope::bound(const ExprPtr &extent, const ExprPtr &most) {
  const ExprPtr known = upperBound(most);
  // What has no worker in it says itself how large it is.
  if (known && extent->kind == ExprKind::Var && !isClosed(extent, plan_))
    largest_[extent->var] = known;
  forgetFound();
}

void Scope::boundBelow(const VarPtr &counter, const ExprPtr &least) {
  smallest_[counter] = least;
  forgetFound();
}

const ExprPtr *Scope::smallest(const Var *var) const {
  auto found = smallest_.find(var);
  return found == smallest_.end() ? nullptr : &found->second;
}

const ExprPtr *Scope::largest(const Var *var) const {
  auto found = largest_.find(var);
  return found == largest_.end() ? nullptr : &found->second;
}

ExprPtr Scope::closed(const ExprPtr &e) const {
  if (!e)
    return e;
  if (e->kind == ExprKind::Var) {
    auto definition = definitions_.find(e->var.get());
    if (definition == definitions_.end())
      return e;
    if (const auto known = closedDefinitions_.find(e->var.get()); known != closedDefinitions_.end())
      return known->second ? known->second : e;
    const ExprPtr value = closed(definition->second);
    const bool isLong = isLongerThan(value, mostNodesOfMeaning);
    closedDefinitions_[e->var] = isLong ? nullptr : value;
    return isLong ? e : value;
  }
  return simplify(rewrite(e,
                          [&](const ExprPtr &each) -> ExprPtr {
                            return each->kind == ExprKind::Var ? closed(each) : each;
                          }),
                  {.proofs = plan_.proofs});
}

/// Of a difference in which counters are taken away: what all is taken away from. Null: it is no such difference.
/// What is left of `n - k - 1` may be as large as `n`; `n - 1` would be no bound where n is 0 and no round has a k.
ExprPtr Scope::lessCounters(const ExprPtr &e) const {
  bool any = false;
  ExprPtr whole = e;
  for (; whole->kind == ExprKind::Binary && whole->op == "-"; whole = whole->args[0]) {
    const ExprPtr less = closed(whole->args[1]);
    if (!isNeverNegative(*less))
      return nullptr;
    any |= contains(less, [&](const Expr &each) {
      return each.kind == ExprKind::Var && smallest(each.var.get());
    });
  }
  return any ? whole : nullptr;
}

/// Whether its form shows it: a difference of numbers without a sign may have wrapped, and what is taken away adds to
/// the rest then.
bool Scope::isNeverNegative(const Expr &e) const {
  switch (e.kind) {
  case ExprKind::Literal:
    return isInteger(e.type.scalar) && e.integer >= 0;
  case ExprKind::Cast:
    return isInteger(e.type.scalar) && isNeverNegative(*e.args[0]);
  case ExprKind::Var: {
    const ExprPtr *least = smallest(e.var.get());
    return isInteger(e.type.scalar) &&
           (!isSigned(e.type.scalar) || (least && literalValue(*least).value_or(-1) >= 0));
  }
  case ExprKind::Binary:
    return (e.op == "+" || e.op == "*") && isNeverNegative(*e.args[0]) &&
           isNeverNegative(*e.args[1]);
  default:
    return false;
  }
}

ExprPtr Scope::upperBound(const ExprPtr &e) const {
  if (isClosed(e, plan_))
    return e;
  if (e->kind != ExprKind::Var)
    return findUpperBound(e);
  if (const auto known = upperBounds_.find(e->var.get()); known != upperBounds_.end())
    return known->second;
  const ExprPtr bound = findUpperBound(e);
  return upperBounds_[e->var] = isLongerThan(bound, mostNodesOfMeaning) ? nullptr : bound;
}

ExprPtr Scope::findUpperBound(const ExprPtr &e) const {
  switch (e->kind) {
  case ExprKind::Var: {
    auto worker = largest_.find(e->var.get());
    if (worker != largest_.end())
      return upperBound(worker->second);
    auto definition = definitions_.find(e->var.get());
    return definition == definitions_.end() ? nullptr : upperBound(definition->second);
  }
  case ExprKind::Cast: {
    ExprPtr inner = upperBound(e->args[0]);
    return inner ? cast(e->type.scalar, inner) : nullptr;
  }
  case ExprKind::Binary: {
    if (const ExprPtr whole = lessCounters(e))
      return upperBound(whole);
    ExprPtr a = upperBound(e->args[0]);
    // Subtraction and division do not grow with their right operand, so only its
    // exact value will do there.
    ExprPtr b = e->op == "+" || e->op == "*" ? upperBound(e->args[1]) : closed(e->args[1]);
    bool monotone = e->op == "+" || e->op == "*" || e->op == "-" || e->op == "/";
    if (!monotone || !a || !b || !isClosed(b, plan_))
      return nullptr;
    return simplify(binary(e->op, a, b), {.proofs = plan_.proofs});
  }
  case ExprKind::Call: {
    if (e->callee != "min" && e->callee != "max")
      return nullptr;
    ExprPtr a = upperBound(e->args[0]);
    ExprPtr b = upperBound(e->args[1]);
    if (a && b)
      return simplify(call(e->callee, e->type, {a, b}), {.proofs = plan_.proofs});
    if (e->callee == "min")
      return a ? a : b;
    return nullptr;
  }
  default:
    return nullptr;
  }
}

ExprPtr Scope::boundOf(const ExprPtr &e) const {
  ExprPtr written = upperBound(closed(e));
  if (written && compileTimeBound(written))
    return written;
  // The extent of a part has a bound of its own, which is lost where its definition is put in.
  ExprPtr named = upperBound(e);
  return named && (!written || compileTimeBound(named)) ? named : written;
}

ExprPtr Scope::compileTimeBound(const ExprPtr &e) const {
  if (isCompileTime(e))
    return e;
  // It depends on the form of what is asked, and on which variables are known.
  const KnownVariables none;
  ExpressionForm form(none);
  form.add(std::uint64_t{0xa3});
  form.add(e);
  for (const ExpressionForm::Numbered &each : std::vector(form.numbered())) {
    const Tunable *tunable = plan_.tunableOf(each.var);
    form.add(tunable && tunable->kind == Tunable::Kind::Compile ? std::uint64_t{tunable->min >= 1}
                                                                : std::uint64_t{2});
  }
  SimplifiedForms *forms =
      plan_.proofs && form.isComplete() ? &plan_.proofs->simplifiedForms() : nullptr;
  if (const ExprPtr known = forms ? forms->find(e, form) : nullptr)
    return known->type.scalar == Scalar::Void ? nullptr : known;
  ExprPtr bound = findCompileTimeBound(e);
  if (forms)
    forms->keep(e, form, bound ? bound : intLiteral(0, Scalar::Void));
  return bound;
}

ExprPtr Scope::findCompileTimeBound(const ExprPtr &e) const {
  std::vector<VarPtr> positive;
  for (const Tunable &each : plan_.tunables) {
    if (each.kind == Tunable::Kind::Compile && each.min >= 1)
      positive.push_back(each.var);
  }
  auto isCompileTunable = [&](const Expr &variable) {
    const Tunable *tunable = plan_.tunableOf(variable.var);
    return tunable && tunable->kind == Tunable::Kind::Compile;
  };
  return upperBoundOver(e, isCompileTunable, [](const VarPtr &) { return nullptr; }, positive);
}

View Scope::withBound(View view) {
  for (Dimension &d : view.dims) {
    ExprPtr most = upperBound(d.bound);
    d.bound = most ? most : d.bound;
    // What is cut out of this view again is bounded in terms of this extent's name.
    bound(d.extent, d.bound);
  }
  return view;
}

StmtPtr Scope::collect(const std::function<void()> &body) {
  std::vector<StmtPtr> statements;
  std::vector<StmtPtr> *outer = std::exchange(out_, &statements);
  const std::size_t visible = names_.size();
  body();
  names_.resize(visible);
  out_ = outer;
  return block(std::move(statements));
}

void Scope::emitComment(const std::string &text) {
  lastComment_ = text;
  emit(comment(text));
}

ExprPtr Scope::named(const std::string &name, ExprPtr value) {
  value = simplify(value, {.proofs = plan_.proofs});
  // The name of a variable that changes is no name of the value it has now.
  if (value->kind == ExprKind::Literal || (value->kind == ExprKind::Var && isFixed(value)))
    return value;
  bool fixed = isFixed(value);
  if (fixed) {
    for (const auto &[known, var] : names_) {
      if (sameExpr(known, value) && known->type.scalar == value->type.scalar)
        return varRef(var);
    }
  }
  auto var = std::make_shared<Var>(*newVariable(name, value->type.scalar));
  var->wraps = value->type.scalar == Scalar::Index && mayHaveWrapped(value);
  remember(var, value);
  emit(declare(var, value));
  if (fixed)
    names_.emplace_back(value, var);
  return varRef(var);
}

bool Scope::mayHaveWrapped(const ExprPtr &value) const {
  return mayWrap(value) && facts_.mayWrap(value);
}

bool Scope::isAtLeast(const ExprPtr &a, const ExprPtr &b) const {
  constexpr unsigned effort = 50; // it is asked at every map
  return facts_.isAtLeast(a, b, effort);
}

/// Whether `value` is the same wherever its variables are visible.
bool Scope::isFixed(const ExprPtr &value) const {
  return !contains(value, [&](const Expr &e) {
    bool changes = e.kind == ExprKind::Var && e.var->kind == VarKind::Local &&
                   !definitions_.contains(e.var.get()) && !largest_.contains(e.var.get()) &&
                   !kept_.contains(e.var.get());
    return changes || e.kind == ExprKind::Index || e.kind == ExprKind::Atomic;
  });
}

ExprPtr Scope::meaningOf(const ExprPtr &e) const {
  return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
    auto definition =
        each->kind == ExprKind::Var ? definitions_.find(each->var.get()) : definitions_.end();
    // What was read from memory may be something else there by now.
    if (definition == definitions_.end() || !isFixed(definition->second))
      return each;
    if (const auto known = meanings_.find(each->var.get()); known != meanings_.end())
      return known->second ? known->second : each;
    const ExprPtr meaning = meaningOf(definition->second);
    const bool isLong = isLongerThan(meaning, mostNodesOfMeaning);
    meanings_[each->var] = isLong ? nullptr : meaning;
    return isLong ? each : meaning;
  });
}

bool Scope::isCompileTime(const ExprPtr &count) const {
  return codegen::isCompileTime(plan_, count);
}

} // namespace tangram::codegen
