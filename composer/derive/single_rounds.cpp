#include "composer/derive/single_rounds.h"

#include <algorithm>
#include <ranges>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using algebra::NestLoop;
using algebra::Polynomial;

struct Range {
  Polynomial low, high;
};

/// One end of the values that `p` has for all rounds of the loops but `fixed`; nothing where that cannot be told.
std::optional<Polynomial> endOf(const Nest &nest, Polynomial p, int fixed, bool lowest) {
  for (int number = static_cast<int>(nest.loops.size()) - 1; number >= 0; --number) {
    const NestLoop &loop = nest.loops[static_cast<std::size_t>(number)];
    if (number == fixed || !p.mentions(loop.atom))
      continue;
    const algebra::Split split = algebra::splitBy(p, loop.atom);
    if (!split.linear || loop.endDependsOnCounters)
      return std::nullopt;
    const bool grows = nest.facts.isNonNegative(split.coefficient);
    if (!grows && !nest.facts.isNonNegative(Polynomial(0) - split.coefficient))
      return std::nullopt;
    p = split.rest + split.coefficient * (grows == lowest ? loop.first : loop.end - 1);
  }
  return p;
}

/// The window of one access; nothing where it is none.
std::optional<std::pair<RoundWindow, Range>> windowOfAccess(const Nest &nest,
                                                            const NestAccess &access, int loop) {
  const algebra::Atom atom = nest.loops[static_cast<std::size_t>(loop)].atom;
  std::optional<std::pair<RoundWindow, Range>> found;
  for (unsigned d = 0; d < access.place.size(); ++d) {
    if (!access.place[d] && nest.mayDependOn(access.expr->args[d + 1], loop))
      return std::nullopt;
    if (!access.place[d] || !access.place[d]->mentions(atom))
      continue;
    const algebra::Split split = algebra::splitBy(*access.place[d], atom);
    if (found || !split.linear || nest.mentionsCounter(split.coefficient))
      return std::nullopt;
    const auto low = endOf(nest, split.rest, loop, true);
    const auto high = endOf(nest, split.rest, loop, false);
    if (!low || !high)
      return std::nullopt;
    found = {{access.array, d, split.coefficient, {}, {}}, {*low, *high}};
  }
  return found;
}

std::optional<RoundWindow> windowOf(const Nest &nest, const ir::VarPtr &array, int loop) {
  std::optional<std::pair<RoundWindow, Range>> all;
  for (const NestAccess &access : nest.accesses) {
    if (access.array != array)
      continue;
    const auto one = windowOfAccess(nest, access, loop);
    if (!one)
      return std::nullopt;
    if (!all) {
      all = one;
      continue;
    }
    const bool isSame = one->first.dimension == all->first.dimension &&
                        one->first.step == all->first.step && one->second.low == all->second.low &&
                        one->second.high == all->second.high;
    if (!isSame)
      return std::nullopt;
  }
  if (!all)
    return std::nullopt;
  all->first.lowest = all->second.low;
  all->first.halo = all->second.high - all->second.low;
  return all->first;
}

} // namespace

const RoundWindow *SingleRounds::windowOf(const ir::Var *array) const {
  const auto found = std::ranges::find_if(
      windows, [&](const RoundWindow &window) { return window.array.get() == array; });
  return found == windows.end() ? nullptr : &*found;
}

namespace {

std::optional<SingleRounds> singleRoundsOf(const Nest &nest, int loop) {
  const NestLoop &of = nest.loops[static_cast<std::size_t>(loop)];
  if (!of.first.isZero() || of.leavesEarly || of.endDependsOnCounters)
    return std::nullopt;
  SingleRounds rounds;
  rounds.loop = loop;
  rounds.name = of.counter->name;
  bool isFlattened = false;
  std::set<const ir::Var *> seen;
  for (const NestAccess &access : nest.accesses) {
    if (!seen.insert(access.array.get()).second)
      continue;
    const bool isWritten = std::ranges::any_of(nest.accesses, [&](const NestAccess &other) {
      return other.array == access.array && other.writes;
    });
    const auto window = windowOf(nest, access.array, loop);
    const bool isApart = window && window->lowest.isZero() &&
                         nest.facts.isNonNegative(window->step - window->halo - 1);
    if (isWritten && !isApart)
      return std::nullopt;
    // Rows of a container of one dimension are cut into blocks of whole rows (composer/derive/flat_rows.h).
    isFlattened |= isWritten && window->step.literal() != 1 && access.array->type.rank > 1;
    if (isApart)
      rounds.windows.push_back(*window);
  }
  for (const algebra::NestChange &change : nest.changes) {
    if (!nest.isIn(change.loop, loop) || nest.isIn(change.declaredIn, loop))
      continue;
    return std::nullopt;
  }
  return isFlattened ? std::optional(rounds) : std::nullopt;
}

} // namespace

std::optional<SingleRounds> singleRounds(const Nest &nest) {
  for (int loop = 0; loop < static_cast<int>(nest.loops.size()); ++loop) {
    const bool isAround =
        loop == 0 || nest.loops[static_cast<std::size_t>(loop)].around == loop - 1;
    const bool isPart = loop == 0 || !algebra::whyNotApart(nest, loop, false);
    if (!isAround)
      return std::nullopt;
    if (auto rounds = isPart ? singleRoundsOf(nest, loop) : std::nullopt)
      return rounds;
  }
  return std::nullopt;
}

} // namespace tangram::composer
