#include "composer/analysis/small_cases.h"

#include "composer/analysis/partition_check_candidates.h"
#include "ir/checked_arithmetic.h"

#include <algorithm>

namespace tangram::composer {

namespace {

constexpr std::uint64_t mostCases = 20000; ///< keeps `check` instantaneous

std::vector<std::int64_t> range(std::int64_t from, std::int64_t below) {
  std::vector<std::int64_t> values;
  for (std::int64_t v = from; v < below; ++v)
    values.push_back(v);
  return values;
}

std::vector<std::int64_t> valuesOf(const ir::TunableDomain &domain, std::int64_t below) {
  const std::vector<std::int64_t> &v = domain.values;
  std::vector<std::int64_t> values;
  auto full = [&] { return static_cast<std::int64_t>(values.size()) + 1 >= below; };
  switch (domain.kind) {
  case ir::TunableDomain::Kind::Any:
    return range(1, below);
  case ir::TunableDomain::Kind::Pow2:
    for (ir::CheckedNumber x = std::max<std::int64_t>(v[0], 1); x && *x <= v[1] && !full();
         x = ir::checkedProduct(*x, 2))
      values.push_back(*x);
    return values;
  case ir::TunableDomain::Kind::Range:
    for (ir::CheckedNumber x = v[0]; x && *x <= v[1] && !full();
         x = ir::checkedSum(*x, std::max<std::int64_t>(v[2], 1)))
      values.push_back(*x);
    return values;
  case ir::TunableDomain::Kind::Choice:
    values = v;
    if (static_cast<std::int64_t>(values.size()) >= below)
      values.resize(static_cast<std::size_t>(below - 1));
    return values;
  }
  return values;
}

SmallCases::Name freeName(const ir::Codelet &codelet, const ir::ExprPtr &e,
                          const PartitionTrial &trial) {
  SmallCases::Name result{{}, e, {}, {}};
  if (e->kind == ir::ExprKind::Size) {
    result.name = nameOfSize(codelet, e);
    result.values = range(0, trial.sizeBelow);
    result.tried = result.name + " < " + std::to_string(trial.sizeBelow);
    return result;
  }
  result.name = e->var->name;
  result.values = valuesOf(e->var->domain, trial.tunableBelow);
  bool any = e->var->domain.kind == ir::TunableDomain::Kind::Any;
  result.tried = any ? result.name + " < " + std::to_string(trial.tunableBelow)
                     : result.name + " of its domain";
  return result;
}

bool isEquation(const ir::ExprPtr &guard) {
  return guard->kind == ir::ExprKind::Binary && guard->op == "==";
}

/// Sizes below this reach beyond what equations add to them: in.size() == out.size() + 16.
std::int64_t leastSizes(const std::vector<ir::ExprPtr> &guards) {
  constexpr std::int64_t fewest = 4;
  constexpr std::int64_t most = 24;
  std::int64_t added = 0;
  for (const ir::ExprPtr &guard : guards) {
    if (!isEquation(guard))
      continue;
    ir::rewrite(guard, [&](const ir::ExprPtr &e) {
      added = std::max(added, ir::literalValue(e).value_or(0));
      return e;
    });
  }
  return fewest + std::min(added, most - fewest);
}

/// The sizes, then the tunables, fewer values each when there are many names.
std::vector<SmallCases::Name> freeNames(const ir::Codelet &codelet,
                                        const std::vector<ir::ExprPtr> &expressions,
                                        const std::vector<ir::ExprPtr> &guards,
                                        PartitionTrial trial) {
  std::vector<ir::ExprPtr> sizes;
  std::vector<ir::ExprPtr> tunables;
  auto addNew = [](std::vector<ir::ExprPtr> &to, const ir::ExprPtr &e) {
    if (std::none_of(to.begin(), to.end(), [&](const auto &x) { return ir::sameExpr(x, e); }))
      to.push_back(e);
  };
  for (const ir::ExprPtr &each : expressions) {
    ir::rewrite(each, [&](const ir::ExprPtr &e) {
      if (e->kind == ir::ExprKind::Size)
        addNew(sizes, e);
      else if (e->kind == ir::ExprKind::Var && !e->type.isContainer())
        addNew(tunables, e);
      return e;
    });
  }
  sizes.insert(sizes.end(), tunables.begin(), tunables.end());
  while (true) {
    std::vector<SmallCases::Name> names;
    std::uint64_t cases = 1;
    for (const ir::ExprPtr &e : sizes) {
      names.push_back(freeName(codelet, e, trial));
      cases *= names.back().values.size();
    }
    if (cases <= mostCases || trial.sizeBelow <= leastSizes(guards))
      return names;
    trial.sizeBelow = std::max(trial.sizeBelow * 2 / 3, leastSizes(guards));
    trial.tunableBelow = std::max<std::int64_t>(trial.tunableBelow * 2 / 3, 3);
  }
}

bool isSize(const SmallCases::Name &name) { return name.expr->kind == ir::ExprKind::Size; }

/// Of each name: an equation between it and names before it.
std::vector<ir::ExprPtr> equationsOf(const std::vector<SmallCases::Name> &names,
                                     const std::vector<ir::ExprPtr> &guards) {
  std::vector<ir::ExprPtr> equations(names.size());
  for (const ir::ExprPtr &guard : guards) {
    if (!isEquation(guard))
      continue;
    std::size_t last = 0;
    bool known = true;
    ir::rewrite(guard, [&](const ir::ExprPtr &e) {
      const bool isName =
          e->kind == ir::ExprKind::Size || (e->kind == ir::ExprKind::Var && !e->type.isContainer());
      const auto found = std::ranges::find_if(
          names, [&](const SmallCases::Name &name) { return ir::sameExpr(name.expr, e); });
      known &= !isName || found != names.end();
      if (isName && found != names.end())
        last = std::max(last, static_cast<std::size_t>(found - names.begin()));
      return e;
    });
    if (known && !names.empty() && isSize(names[last]))
      equations[last] = guard;
  }
  return equations;
}

/// Of each name: the first of the sizes that are tried equal to it. Those are the sizes that no condition relates to
/// another and no equation gives a value; of all others it is the name itself.
std::vector<std::size_t> equalSizes(const std::vector<SmallCases::Name> &names,
                                    const std::vector<ir::ExprPtr> &equations,
                                    const std::vector<ir::ExprPtr> &guards) {
  std::vector<bool> alone(names.size());
  for (std::size_t k = 0; k < names.size(); ++k)
    alone[k] = isSize(names[k]) && !equations[k];
  for (const ir::ExprPtr &guard : guards) {
    std::vector<std::size_t> related;
    ir::rewrite(guard, [&](const ir::ExprPtr &e) {
      for (std::size_t k = 0; k < names.size(); ++k) {
        if (isSize(names[k]) && ir::sameExpr(names[k].expr, e))
          related.push_back(k);
      }
      return e;
    });
    for (std::size_t k : related)
      alone[k] =
          alone[k] && std::ranges::all_of(related, [&](std::size_t other) { return other == k; });
  }
  std::vector<std::size_t> equal(names.size());
  std::optional<std::size_t> first;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (alone[k] && !first)
      first = k;
    equal[k] = alone[k] ? *first : k;
  }
  return equal;
}

} // namespace

SmallCases::SmallCases(const ir::Codelet &codelet, const std::vector<ir::ExprPtr> &expressions,
                       const std::vector<ir::ExprPtr> &guards, const PartitionTrial &trial)
    : names_(freeNames(codelet, expressions, guards, trial)),
      equations_(equationsOf(names_, guards)), equal_(equalSizes(names_, equations_, guards)) {}

std::string SmallCases::tried() const {
  std::string text;
  for (const Name &each : names_)
    text += (text.empty() ? "" : ", ") + each.tried;
  return text;
}

void SmallCases::forEach(
    const std::function<void(const Environment &, const Values &)> &each) const {
  std::vector<std::size_t> chosen(names_.size(), 0);
  Environment env;
  forEachFrom(0, chosen, env, each);
}

void SmallCases::assign(std::size_t k, std::int64_t value, Environment &env) const {
  const ir::Expr &e = *names_[k].expr;
  if (e.kind == ir::ExprKind::Size)
    env.sizes[{e.args[0]->var.get(), e.integer}] = value;
  else
    env.variables[e.var.get()] = value;
}

std::optional<std::int64_t> SmallCases::tied(std::size_t k, Environment env) const {
  // The difference of the sides at 0, 1 and 2: a line has one root.
  std::int64_t at[3] = {};
  for (std::int64_t value = 0; value < 3; ++value) {
    assign(k, value, env);
    const auto left = evaluate(equations_[k]->args[0], env);
    const auto right = evaluate(equations_[k]->args[1], env);
    if (!left || !right)
      return std::nullopt;
    const auto difference = ir::checkedDifference(*left, *right);
    if (!difference)
      return std::nullopt;
    at[value] = *difference;
  }
  const auto slope = ir::checkedDifference(at[0], at[1]);
  if (!slope || *slope == 0 || ir::checkedDifference(at[1], at[2]) != slope)
    return std::nullopt;
  const auto root = ir::checkedQuotient(at[0], *slope);
  return root && *root * *slope == at[0] ? *root : -1;
}

void SmallCases::forEachFrom(
    std::size_t k, std::vector<std::size_t> &chosen, Environment &env,
    const std::function<void(const Environment &, const Values &)> &each) const {
  if (k == names_.size()) {
    Values values;
    for (std::size_t i = 0; i < names_.size(); ++i)
      values.emplace_back(names_[i].name, names_[i].values[chosen[i]]);
    each(env, values);
    return;
  }
  const std::vector<std::int64_t> &values = names_[k].values;
  if (equal_[k] != k) {
    chosen[k] = chosen[equal_[k]];
    assign(k, values[chosen[k]], env);
    forEachFrom(k + 1, chosen, env, each);
    return;
  }
  const std::optional<std::int64_t> only = equations_[k] ? tied(k, env) : std::nullopt;
  for (chosen[k] = 0; chosen[k] < values.size(); ++chosen[k]) {
    if (only && values[chosen[k]] != *only)
      continue;
    assign(k, values[chosen[k]], env);
    forEachFrom(k + 1, chosen, env, each);
  }
}

} // namespace tangram::composer
