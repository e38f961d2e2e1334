#include "runtime/bundle/tunables.h"

#include "ir/diagnostic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace tangram::runtime {

namespace {

/// A tunable the search may change.
struct Free {
  const Tunable *tunable;
  std::uint64_t standard;                ///< its default
  std::vector<std::uint64_t> candidates; ///< compile: the default first; launch: found when tried
};

/// Values near the default first, each once.
std::vector<std::uint64_t> byDistance(std::uint64_t standard, std::vector<std::uint64_t> values) {
  auto distance = [origin = std::log2(static_cast<double>(standard) + 1)](std::uint64_t value) {
    return std::abs(std::log2(static_cast<double>(value) + 1) - origin);
  };
  std::stable_sort(values.begin(), values.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return distance(a) < distance(b); });
  std::vector<std::uint64_t> unique{standard};
  for (std::uint64_t value : values) {
    if (std::find(unique.begin(), unique.end(), value) == unique.end())
      unique.push_back(value);
  }
  return unique;
}

std::vector<std::uint64_t> compileCandidates(const Tunable &t, std::uint64_t standard) {
  if (!t.values.empty())
    return byDistance(standard, t.values);
  std::vector<std::uint64_t> values{t.min, t.max};
  for (unsigned bit = 0; bit < 64; ++bit) {
    if (t.allows(std::uint64_t{1} << bit))
      values.push_back(std::uint64_t{1} << bit);
  }
  return byDistance(standard, std::move(values));
}

/// What emitted hosts try too, in the same order (codegen/printing/launch_defaults.h). `bindings` has the
/// compile tunables.
std::vector<std::uint64_t> launchCandidates(const Tunable &t, std::uint64_t standard,
                                            const Bindings &bindings) {
  std::vector<std::uint64_t> values{standard};
  values.insert(values.end(), t.values.begin(), t.values.end());
  if (t.values.empty()) {
    for (const Expression &each : t.tries) {
      if (Result<std::uint64_t> value = each.evaluate(bindings))
        values.push_back(*value);
    }
    const int top = standard == 0 ? 0 : 63 - std::countl_zero(standard);
    for (int k = 0; k < 64; ++k)
      values.push_back(std::uint64_t{1} << (k <= top ? top - k : k));
    values.insert(values.end(), {t.min, t.max});
  }
  std::vector<std::uint64_t> allowed;
  for (std::uint64_t value : values) {
    if (t.allows(value) && value != 0 &&
        std::find(allowed.begin(), allowed.end(), value) == allowed.end())
      allowed.push_back(value);
  }
  return allowed;
}

class Search {
public:
  Search(const std::vector<Requirement> &requirements, const Bindings &bindings,
         std::vector<Free> free)
      : bindings(bindings), free(std::move(free)), dueAt(this->free.size() + 1),
        heardOf(this->free.size() + 1), taken(this->free.size()) {
    for (const Requirement &r : requirements) {
      const std::vector<std::size_t> named = freeAmong(r.names);
      const std::size_t due = named.empty() ? 0 : named.back() + 1;
      dueAt[due].push_back(&r);
      hears(named, due);
    }
    for (std::size_t i = 0; i < this->free.size(); ++i) {
      const Tunable &each = *this->free[i].tunable;
      if (each.compileTime)
        continue;
      hears(freeAmong(each.defaultValue.names()), i + 1);
      for (const Expression &tried : each.tries)
        hears(freeAmong(tried.names()), i + 1);
    }
  }

  /// Sets every free tunable, changing as few compile tunables as possible.
  bool run() {
    const auto compile = static_cast<std::size_t>(std::count_if(
        free.begin(), free.end(), [](const Free &each) { return each.tunable->compileTime; }));
    for (std::size_t changes = 0; changes <= compile; ++changes) {
      if (assign(0, changes))
        return true;
    }
    return false;
  }

  Bindings bindings;

private:
  /// Tries enough for every plan met so far by orders of magnitude; a plan
  /// beyond it is refused, never run with values that break a constraint.
  static constexpr std::size_t maxTries = 1000000;

  /// Of a launch tunable, for the compile tunables that are tried.
  std::uint64_t standardOf(const Free &each) const {
    const Result<std::uint64_t> value = defaultOf(*each.tunable, bindings);
    return value ? *value : each.standard;
  }

  bool violatedAt(std::size_t due) const {
    return std::any_of(dueAt[due].begin(), dueAt[due].end(),
                       [&](const Requirement *r) { return r->violation(bindings).has_value(); });
  }

  /// Numbers of the free tunables that are named, ascending.
  std::vector<std::size_t> freeAmong(const std::vector<std::string> &names) const {
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < free.size(); ++i) {
      if (std::find(names.begin(), names.end(), free[i].tunable->name) != names.end())
        named.push_back(i);
    }
    return named;
  }

  /// Until the first `end` tunables are set, something asks for the values of those that are named.
  void hears(const std::vector<std::size_t> &named, std::size_t end) {
    for (const std::size_t each : named) {
      for (std::size_t i = each + 1; i < end; ++i)
        heardOf[i].insert(each);
    }
  }

  /// All that decides whether the tunables from number i on can be set: kernels that have nothing in common are
  /// solved one after the other and not each time anew.
  std::vector<std::uint64_t> questionAt(std::size_t i, std::size_t changes) const {
    std::vector<std::uint64_t> question{i, changes};
    for (const std::size_t each : heardOf[i])
      question.push_back(taken[each]);
    return question;
  }

  /// Compile tunables lead; `changes` of them are to differ from their default.
  bool assign(std::size_t i, std::size_t changes) {
    if (i == free.size())
      return changes == 0;
    std::vector<std::uint64_t> question = questionAt(i, changes);
    if (inVain.contains(question))
      return false;
    const bool found = assignEach(i, changes);
    if (!found)
      inVain.insert(std::move(question));
    return found;
  }

  bool assignEach(std::size_t i, std::size_t changes) {
    const Free &each = free[i];
    const bool launch = !each.tunable->compileTime;
    if (launch && changes != 0)
      return false;
    const std::vector<std::uint64_t> candidates =
        launch ? launchCandidates(*each.tunable, standardOf(each), bindings) : each.candidates;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      if (c > 0 && ((!launch && changes == 0) || ++tries > maxTries))
        return false;
      bindings.values[each.tunable->name] = taken[i] = candidates[c];
      if (!violatedAt(i + 1) && assign(i + 1, !launch && c > 0 ? changes - 1 : changes))
        return true;
    }
    return false;
  }

  std::vector<Free> free;
  /// Requirements by the number of free tunables that have to be set before they can be judged;
  /// those that depend on none hold.
  std::vector<std::vector<const Requirement *>> dueAt;
  /// Tunables that come before a number and that what comes from it on depends on.
  std::vector<std::set<std::size_t>> heardOf;
  std::vector<std::uint64_t> taken;            ///< values of free tunables
  std::set<std::vector<std::uint64_t>> inVain; ///< questions that were answered: no
  std::size_t tries = 0;
};

/// The tunables that are not fixed, compile tunables first: launch tunables are varied for the
/// values that those have.
std::vector<Free> freeTunables(const Manifest &m, const Bindings &defaults,
                               const TunableValues &fixed) {
  std::vector<Free> free;
  for (bool compileTime : {true, false}) {
    for (const Tunable &t : m.tunables) {
      if (t.compileTime != compileTime || fixed.contains(t.name))
        continue;
      const std::uint64_t standard = defaults.values.at(t.name);
      free.push_back({&t, standard,
                      compileTime ? compileCandidates(t, standard) : std::vector<std::uint64_t>{}});
    }
  }
  return free;
}

/// Of the requirements that no tunable in `free` has a say in, the first that does not hold.
std::optional<std::string> hopeless(const std::vector<Requirement> &requirements,
                                    const Bindings &bindings,
                                    const std::vector<std::string> &free) {
  for (const Requirement &r : requirements) {
    const bool depends = std::find_first_of(r.names.begin(), r.names.end(), free.begin(),
                                            free.end()) != r.names.end();
    if (std::optional<std::string> violation = depends ? std::nullopt : r.violation(bindings))
      return violation;
  }
  return std::nullopt;
}

std::string listOf(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

} // namespace

Status checkFixed(const Manifest &manifest, const TunableValues &fixed) {
  std::vector<std::string> names;
  for (const Tunable &t : manifest.tunables)
    names.push_back(t.name);
  for (const auto &[name, value] : fixed) {
    const Tunable *t = manifest.tunable(name);
    if (!t) {
      std::string near = ir::nearest(name, names);
      return usageError("--set " + name + ": " +
                        (names.empty() ? "this plan has no tunables"
                                       : "expected a tunable (" + listOf(names) + ")") +
                        (near.empty() ? "" : "; did you mean " + near + "?"));
    }
    if (t->allows(value))
      continue;
    std::vector<std::string> values;
    for (std::uint64_t allowed : t->values)
      values.push_back(std::to_string(allowed));
    return usageError("--set " + name + "=" + std::to_string(value) + ": expected " +
                      (values.empty() ? "a value in [" + std::to_string(t->min) + ", " +
                                            std::to_string(t->max) + "]"
                                      : "one of " + listOf(values)));
  }
  return ok();
}

Result<std::uint64_t> defaultOf(const Tunable &t, const Bindings &bindings) {
  Result<std::uint64_t> wanted = t.defaultValue.evaluate(bindings);
  if (!wanted)
    return refusal("default of " + t.name + ": " + wanted.error().message);
  if (t.values.empty())
    return std::clamp(*wanted, t.min, t.max);
  std::vector<std::uint64_t> sorted = t.values;
  std::sort(sorted.begin(), sorted.end());
  auto above = std::upper_bound(sorted.begin(), sorted.end(), *wanted);
  return above == sorted.begin() ? sorted.front() : *(above - 1);
}

Result<TunableValues> chooseTunables(const Manifest &manifest, const Bindings &bindings,
                                     const std::vector<Requirement> &requirements,
                                     const TunableValues &fixed) {
  Bindings chosen = bindings;
  for (bool compileTime : {true, false}) { // which defaults of launch tunables may depend on
    for (const Tunable &t : manifest.tunables) {
      if (t.compileTime != compileTime)
        continue;
      if (auto value = fixed.find(t.name); value != fixed.end()) {
        chosen.values[t.name] = value->second;
        continue;
      }
      Result<std::uint64_t> value = defaultOf(t, chosen);
      if (!value)
        return value.error();
      chosen.values[t.name] = *value;
    }
  }
  std::optional<std::string> violation;
  for (const Requirement &r : requirements) {
    if (!violation)
      violation = r.violation(chosen);
  }
  if (violation) {
    std::vector<Free> free = freeTunables(manifest, chosen, fixed);
    std::vector<std::string> names;
    for (const Free &f : free)
      names.push_back(f.tunable->name);
    if (std::optional<std::string> never = hopeless(requirements, chosen, names))
      return refusal(*never);
    Search search(requirements, chosen, std::move(free));
    if (!search.run())
      return refusal(*violation + "; no other value of " + listOf(names) + " helps");
    chosen = std::move(search.bindings);
  }
  TunableValues values;
  for (const Tunable &t : manifest.tunables)
    values[t.name] = chosen.values.at(t.name);
  return values;
}

} // namespace tangram::runtime
