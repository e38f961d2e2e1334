#include "composer/analysis/small_cases.h"

#include "composer/analysis/partition_check_candidates.h"

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
    for (std::int64_t x = std::max<std::int64_t>(v[0], 1); x <= v[1] && !full(); x *= 2)
      values.push_back(x);
    return values;
  case ir::TunableDomain::Kind::Range:
    for (std::int64_t x = v[0]; x <= v[1] && !full(); x += std::max<std::int64_t>(v[2], 1))
      values.push_back(x);
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

/// The sizes, then the tunables, fewer values each when there are many names.
std::vector<SmallCases::Name> freeNames(const ir::Codelet &codelet,
                                        const std::vector<ir::ExprPtr> &expressions,
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
    if (cases <= mostCases || trial.sizeBelow <= 4)
      return names;
    trial.sizeBelow = trial.sizeBelow * 2 / 3;
    trial.tunableBelow = std::max<std::int64_t>(trial.tunableBelow * 2 / 3, 3);
  }
}

bool isSize(const SmallCases::Name &name) { return name.expr->kind == ir::ExprKind::Size; }

/// Whether a condition says how the sizes are related.
bool relatesSizes(const std::vector<ir::ExprPtr> &guards) {
  return std::any_of(guards.begin(), guards.end(), [](const ir::ExprPtr &guard) {
    std::vector<ir::ExprPtr> sizes;
    ir::rewrite(guard, [&](const ir::ExprPtr &e) {
      if (e->kind == ir::ExprKind::Size)
        sizes.push_back(e);
      return e;
    });
    return std::any_of(sizes.begin(), sizes.end(),
                       [&](const ir::ExprPtr &each) { return !ir::sameExpr(each, sizes.front()); });
  });
}

/// Whether the chosen values are to be tried: unrelated sizes are one.
bool isTried(const std::vector<SmallCases::Name> &names, const std::vector<std::size_t> &chosen) {
  for (std::size_t k = 1; k < names.size() && isSize(names[k]); ++k) {
    if (chosen[k] != chosen[0])
      return false;
  }
  return true;
}

} // namespace

SmallCases::SmallCases(const ir::Codelet &codelet, const std::vector<ir::ExprPtr> &expressions,
                       const std::vector<ir::ExprPtr> &guards, const PartitionTrial &trial)
    : names_(freeNames(codelet, expressions, trial)), related_(relatesSizes(guards)) {}

std::string SmallCases::tried() const {
  std::string text;
  for (const Name &each : names_)
    text += (text.empty() ? "" : ", ") + each.tried;
  return text;
}

void SmallCases::forEach(
    const std::function<void(const Environment &, const Values &)> &each) const {
  if (std::ranges::any_of(names_, [](const Name &name) { return name.values.empty(); }))
    return;
  std::vector<std::size_t> chosen(names_.size(), 0);
  while (true) {
    if (related_ || isTried(names_, chosen)) {
      Environment env;
      Values values;
      for (std::size_t k = 0; k < names_.size(); ++k) {
        const ir::Expr &e = *names_[k].expr;
        const std::int64_t value = names_[k].values[chosen[k]];
        values.emplace_back(names_[k].name, value);
        if (e.kind == ir::ExprKind::Size)
          env.sizes[{e.args[0]->var.get(), e.integer}] = value;
        else
          env.variables[e.var.get()] = value;
      }
      each(env, values);
    }
    std::size_t k = names_.size();
    while (k > 0 && ++chosen[k - 1] == names_[k - 1].values.size())
      chosen[--k] = 0;
    if (k == 0)
      return;
  }
}

} // namespace tangram::composer
