#include "composer/derive/windows.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using algebra::NestLoop;
using algebra::NestReason;
using algebra::Polynomial;

/// A polynomial over counters with constant rounds: its part without them, and the values the rest has.
struct Range {
  Polynomial base;
  std::int64_t low = 0, high = 0;
};

std::optional<Range> rangeOf(const Nest &nest, const Polynomial &p) {
  Range range{p};
  for (const NestLoop &loop : nest.loops) {
    if (!p.mentions(loop.atom))
      continue;
    const algebra::Split split = algebra::splitBy(range.base, loop.atom);
    const auto factor = split.linear ? split.coefficient.literal() : std::nullopt;
    const auto first = loop.first.literal();
    const auto end = loop.end.literal();
    if (!factor || !first || !end || *end <= *first)
      return std::nullopt;
    range.base = split.rest;
    const std::int64_t a = *factor * *first;
    const std::int64_t b = *factor * (*end - 1);
    range.low += std::min(a, b);
    range.high += std::max(a, b);
  }
  const std::int64_t constant = range.base.constant();
  range.base = range.base - constant;
  range.low += constant;
  range.high += constant;
  return range;
}

/// A subscript in a round of the loop whose rounds are single, as it is in the round's window.
Polynomial inRound(const Nest &nest, const Polynomial &place, const SingleRounds *single) {
  return single == nullptr
             ? place
             : place.with(nest.loops[static_cast<std::size_t>(single->loop)].atom, Polynomial(0));
}

/// The window that one access names; nothing where it is none.
std::optional<std::pair<LoopWindow, Range>> windowOfAccess(const Nest &nest,
                                                           const NestAccess &access,
                                                           const NestLoop &loop,
                                                           const SingleRounds *single) {
  std::optional<std::pair<LoopWindow, Range>> found;
  for (unsigned d = 0; d < access.place.size(); ++d) {
    if (!access.place[d])
      continue;
    const bool isCut = single != nullptr && single->windowOf(access.array.get()) != nullptr;
    const Polynomial place = inRound(nest, *access.place[d], isCut ? single : nullptr);
    if (!place.mentions(loop.atom))
      continue;
    const algebra::Split split = algebra::splitBy(place, loop.atom);
    const auto step = split.linear ? split.coefficient.literal() : std::nullopt;
    const auto range = rangeOf(nest, split.rest);
    if (found || !step || *step <= 0 || !range)
      return std::nullopt;
    found = {{access.array, d, *step, 0, {}}, *range};
  }
  return found;
}

/// The window that holds all accesses to a container.
std::optional<LoopWindow> windowOf(const Nest &nest, const ir::VarPtr &array, const NestLoop &loop,
                                   const SingleRounds *single) {
  std::optional<LoopWindow> window;
  Range all;
  for (const NestAccess &access : nest.accesses) {
    if (access.array != array)
      continue;
    const auto each = windowOfAccess(nest, access, loop, single);
    if (!each)
      return std::nullopt;
    const auto &[one, range] = *each;
    if (!window) {
      window = one;
      all = range;
      continue;
    }
    if (one.dimension != window->dimension || one.step != window->step || !(range.base == all.base))
      return std::nullopt;
    all.low = std::min(all.low, range.low);
    all.high = std::max(all.high, range.high);
  }
  if (!window)
    return std::nullopt;
  window->halo = all.high - all.low;
  window->lowest = all.base + all.low;
  return window;
}

} // namespace

const LoopWindow *BlockedLoop::windowOf(const ir::Var *array) const {
  const auto found = std::ranges::find_if(
      windows, [&](const LoopWindow &window) { return window.array.get() == array; });
  return found == windows.end() ? nullptr : &*found;
}

ir::ExprPtr sizeOf(const ir::VarPtr &array, unsigned dimension) {
  return ir::node(ir::ExprKind::Size, ir::scalarType(ir::Scalar::Index), {ir::varRef(array)}, {},
                  {}, dimension);
}

Polynomial beginOf(const NestLoop &loop, const LoopWindow &window) {
  return loop.first * window.step + window.lowest;
}

Polynomial endOf(const NestLoop &loop, const LoopWindow &window) {
  return (loop.end - 1) * window.step + window.lowest + (window.halo + 1);
}

bool isWhole(const Nest &nest, int loop, const LoopWindow &window) {
  const NestLoop &of = nest.loops[static_cast<std::size_t>(loop)];
  algebra::Inequalities &facts = nest.facts;
  const Polynomial size = facts.of(sizeOf(window.array, window.dimension));
  const Polynomial end = endOf(of, window);
  return beginOf(of, window).isZero() && facts.isNonNegative(size - end) &&
         facts.isNonNegative(end - size);
}

namespace {

/// Whether a loop stands around both.
bool sharesLoop(const Nest &nest, int a, int b) {
  const int around = nest.loops[static_cast<std::size_t>(b)].around;
  return around >= 0 && (nest.isIn(a, around) || sharesLoop(nest, a, around));
}

/// Whether each round of a loop gets to an access with all rounds of the loops inside.
bool isReached(const Nest &nest, int loop, const NestAccess &access) {
  for (int inner = access.loop; inner >= 0 && inner != loop;
       inner = nest.loops[static_cast<std::size_t>(inner)].around) {
    if (nest.loops[static_cast<std::size_t>(inner)].leavesEarly)
      return false;
  }
  return std::ranges::none_of(access.conditions, [&](const ir::ExprPtr &condition) {
    return nest.mayDependOn(condition, loop);
  });
}

/// Whether every element of a window is one of the container: by what the codelet requires, or because each round
/// reads or writes one at either end.
bool isInside(const Nest &nest, int number, const LoopWindow &window) {
  const NestLoop &loop = nest.loops[static_cast<std::size_t>(number)];
  const bool areReached = std::ranges::all_of(nest.accesses, [&](const NestAccess &access) {
    return access.array != window.array || isReached(nest, number, access);
  });
  if (areReached)
    return true;
  algebra::Inequalities &facts = nest.facts;
  const Polynomial size = facts.of(sizeOf(window.array, window.dimension));
  return facts.isNonNegative(beginOf(loop, window)) &&
         facts.isNonNegative(size - endOf(loop, window));
}

/// The windows of all containers that have one.
std::vector<LoopWindow> readWindows(const Nest &nest, int loop,
                                    const SingleRounds *single = nullptr) {
  std::vector<LoopWindow> windows;
  std::set<const ir::Var *> seen;
  for (const NestAccess &access : nest.accesses) {
    if (!seen.insert(access.array.get()).second)
      continue;
    const auto window =
        windowOf(nest, access.array, nest.loops[static_cast<std::size_t>(loop)], single);
    const auto isOf = [&](const NestAccess &other) { return other.array == access.array; };
    const bool isStored = std::ranges::any_of(nest.accesses, [&](const NestAccess &other) {
      return isOf(other) && other.writes && !other.atomic;
    });
    const bool isUpdated = std::ranges::any_of(
        nest.accesses, [&](const NestAccess &other) { return isOf(other) && other.atomic; });
    if (!window || (!isStored && !isInside(nest, loop, *window)))
      continue;
    if (isUpdated && (window->step != 1 || window->halo != 0))
      continue; // windows of different blocks may not overlap
    windows.push_back(*window);
    // What is left behind the last round belongs to each window: a block of all rounds is the container.
    const Polynomial size = nest.facts.of(sizeOf(window->array, window->dimension));
    const auto left = (size - endOf(nest.loops[static_cast<std::size_t>(loop)], *window)).literal();
    if (left && *left > 0 && *left < window->step)
      windows.back().halo += *left;
  }
  return windows;
}

} // namespace

ir::ExprPtr roundsOf(const LoopWindow &window) {
  const ir::ExprPtr size = sizeOf(window.array, window.dimension);
  if (window.halo == 0)
    return size;
  const ir::ExprPtr halo = ir::intLiteral(window.halo);
  return ir::binary(
      "-", ir::call("max<unsigned long>", ir::scalarType(ir::Scalar::Index), {size, halo}), halo);
}

namespace {

/// Finds the window that tells how many rounds the loop has, of whatever container; or why there is none.
std::optional<NestReason> countRounds(BlockedLoop &blocked, const NestLoop &of) {
  const auto least = std::ranges::min_element(blocked.windows, {}, [](const LoopWindow &window) {
    return std::pair(window.step, window.halo);
  });
  if (least == blocked.windows.end() || least->step != 1)
    return NestReason{"no container has an element for each round of loop " + of.counter->name,
                      of.statement->location};
  blocked.written = *least;
  return std::nullopt;
}

} // namespace

std::variant<BlockedLoop, NestReason> summedLoop(const Nest &nest, int loop) {
  const NestLoop &of = nest.loops[static_cast<std::size_t>(loop)];
  if (of.endDependsOnCounters)
    return NestReason{"how many rounds loop " + of.counter->name + " has depends on other loops",
                      of.statement->location};
  if (of.countsDown)
    return NestReason{"loop " + of.counter->name + " counts down", of.statement->location};
  BlockedLoop blocked{loop, readWindows(nest, loop), {}, false};
  if (auto why = countRounds(blocked, of))
    return *why;
  return blocked;
}

std::variant<BlockedLoop, NestReason> blockedLoop(const Nest &nest, int loop,
                                                  const SingleRounds *single) {
  if (auto why = algebra::whyNotApart(nest, loop, single != nullptr))
    return *why;
  const NestLoop &of = nest.loops[static_cast<std::size_t>(loop)];
  if (of.endDependsOnCounters)
    return NestReason{"how many rounds loop " + of.counter->name + " has depends on other loops",
                      of.statement->location};
  for (int other = 0; other < static_cast<int>(nest.loops.size()); ++other) {
    if (!nest.isIn(other, loop) && !nest.isIn(loop, other) && sharesLoop(nest, other, loop))
      return NestReason{"each block of loop " + of.counter->name + " would do loop " +
                            nest.loops[static_cast<std::size_t>(other)].counter->name + " again",
                        of.statement->location};
  }
  BlockedLoop blocked{loop, readWindows(nest, loop, single), {}, false};
  bool hasWritten = false;
  for (const NestAccess &access : nest.accesses) {
    if (!access.writes)
      continue;
    const LoopWindow *window = blocked.windowOf(access.array.get());
    if (window == nullptr && access.atomic) {
      blocked.shared = access.array;
      continue;
    }
    if (window == nullptr || window->step != 1 || window->halo != 0)
      return NestReason{"what a block of loop " + of.counter->name + " writes of '" +
                            access.array->name + "' is no block of it",
                        access.location()};
    if (!hasWritten)
      blocked.written = *window;
    hasWritten = true;
  }
  if (!hasWritten && !blocked.shared)
    return NestReason{"loop " + of.counter->name + " writes no container", of.statement->location};
  if (auto why = hasWritten ? std::nullopt : countRounds(blocked, of))
    return *why;
  return blocked;
}

bool namesSize(const ir::ExprPtr &e, const std::function<bool(const ir::Var *, unsigned)> &isCut) {
  return ir::contains(e, [&](const ir::Expr &each) {
    return each.kind == ir::ExprKind::Size && each.args[0]->kind == ir::ExprKind::Var &&
           isCut(each.args[0]->var.get(), static_cast<unsigned>(each.integer));
  });
}

bool namesWindow(const ir::ExprPtr &e, const BlockedLoop &blocked) {
  return namesSize(e, [&](const ir::Var *array, unsigned dimension) {
    const LoopWindow *window = blocked.windowOf(array);
    return window != nullptr && window->dimension == dimension;
  });
}

namespace {

/// `p` with n * step + 1 + halo - step for each size along a dimension that a window cuts, where n is `rounds`.
Polynomial ofWindows(Polynomial p, const BlockedLoop &blocked, algebra::Inequalities &facts,
                     algebra::Atom rounds) {
  for (const LoopWindow &window : blocked.windows) {
    const Polynomial size = facts.of(sizeOf(window.array, window.dimension));
    p = p.with(size.atom(), Polynomial::of(rounds) * window.step + (1 + window.halo - window.step));
  }
  return p;
}

/// Whether a required equation or inequality about sizes of windows is one between equal polynomials, or one that
/// differs by a constant of the right sign.
bool holdsForWindows(const Nest &nest, const ir::ExprPtr &condition, const BlockedLoop &blocked,
                     algebra::Atom rounds) {
  if (!namesWindow(condition, blocked))
    return true;
  if (condition->kind != ir::ExprKind::Binary || !condition->op.isComparison())
    return false;
  const Polynomial left = ofWindows(nest.valueOf(condition->args[0]), blocked, nest.facts, rounds);
  const Polynomial right = ofWindows(nest.valueOf(condition->args[1]), blocked, nest.facts, rounds);
  const auto difference = (right - left).literal();
  if (!difference)
    return false;
  return (condition->op == "==" && *difference == 0) ||
         (condition->op == "<=" && *difference >= 0) || (condition->op == "<" && *difference > 0) ||
         (condition->op == ">=" && *difference <= 0) || (condition->op == ">" && *difference < 0);
}

/// Whether something but subscripts of windows and the loop's head names the counter.
bool namesCounter(const Nest &nest, const BlockedLoop &blocked, const ir::ExprPtr &e) {
  if (!e)
    return false;
  const algebra::Atom counter = nest.loops[static_cast<std::size_t>(blocked.loop)].atom;
  if (e->kind == ir::ExprKind::Index && e->args[0]->kind == ir::ExprKind::Var &&
      blocked.windowOf(e->args[0]->var.get()) != nullptr)
    return false;
  if (e->kind == ir::ExprKind::Var && !e->type.isContainer() && ir::isInteger(e->type.scalar)) {
    return nest.valueOf(e).mentions(counter);
  }
  return std::ranges::any_of(
      e->args, [&](const ir::ExprPtr &each) { return namesCounter(nest, blocked, each); });
}

} // namespace

bool isItsOwnBlock(const Nest &nest, const BlockedLoop &blocked, const ir::Codelet &codelet) {
  const NestLoop &loop = nest.loops[static_cast<std::size_t>(blocked.loop)];
  const algebra::Atom rounds = nest.facts.unknown();
  const bool whole = std::ranges::all_of(blocked.windows, [&](const LoopWindow &window) {
    return isWhole(nest, blocked.loop, window);
  });
  if (!whole || !loop.first.isZero() ||
      !(ofWindows(loop.end, blocked, nest.facts, rounds) == Polynomial::of(rounds)))
    return false;
  bool holds = true;
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Require) {
      holds = holds && holdsForWindows(nest, s.value, blocked, rounds);
      return;
    }
    const bool isHead = &s == loop.statement || &s == loop.statement->children[0].get() ||
                        &s == loop.statement->children[1].get();
    const bool isName = std::ranges::find(nest.names, &s) != nest.names.end();
    ir::forEachOwnExpr(s, [&](const ir::ExprPtr &e) {
      holds = holds &&
              (isHead || (!namesWindow(e, blocked) && (isName || !namesCounter(nest, blocked, e))));
    });
  });
  return holds;
}

} // namespace tangram::composer
