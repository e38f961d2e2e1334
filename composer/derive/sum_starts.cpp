#include "composer/derive/sum_starts.h"

#include "composer/derive/container_elements.h"
#include "composer/derive/statements.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::composer {

namespace {

using algebra::Nest;
using algebra::NestAccess;
using algebra::NestLoop;
using algebra::Polynomial;
using ir::ExprKind;
using ir::ExprPtr;
using ir::StmtKind;
using ir::StmtPtr;
using Statements = std::vector<StmtPtr>;

/// A loop that stores what sums start from: an assignment in loops that nest perfectly.
struct StartingLoops {
  std::vector<int> loops; ///< outer first
  StmtPtr assignment;
};

/// A sum's declaration in loops, all rounds of which get there.
struct SumInLoops {
  std::vector<int> loops; ///< outer first
  StmtPtr declaration;
};

class Starts {
public:
  Starts(const Nest &nest, std::map<ir::VarPtr, bool> &sums) : nest_(nest), sums_(sums) {}

  StmtPtr statement(const StmtPtr &s) {
    if (!s || changes)
      return s;
    Statements children = s->children;
    if (s->kind == StmtKind::Block) {
      children.clear();
      flatten(s, children);
      for (std::size_t i = 0; i < children.size() && !changes; ++i)
        changes = startsFrom(children, i) || endsWith(children, i) || fuses(children, i);
      if (changes)
        return ir::withChildren(s, std::move(children));
    }
    for (StmtPtr &child : children)
      child = statement(child);
    return ir::withChildren(s, std::move(children));
  }

  bool changes = false;

private:
  const NestLoop &at(int loop) const { return nest_.loops[static_cast<std::size_t>(loop)]; }

  /// The element that a sum's declaration loads; null: it is none.
  const NestAccess *elementOf(const ir::Stmt &s) const {
    const auto sum = s.kind == StmtKind::Decl ? sums_.find(s.var) : sums_.end();
    return sum != sums_.end() && sum->second ? accessOf(nest_, s.value) : nullptr;
  }

  /// The last statement before `end` that touches the container.
  std::optional<std::size_t> touchingBefore(const Statements &all, std::size_t end,
                                            const ir::VarPtr &array) const {
    while (end-- > 0) {
      if (!accessesIn(nest_, all[end], array).empty())
        return end;
    }
    return std::nullopt;
  }

  static Statements between(const Statements &all, std::size_t first, std::size_t end) {
    return {all.begin() + static_cast<std::ptrdiff_t>(first) + 1,
            all.begin() + static_cast<std::ptrdiff_t>(end)};
  }

  /// Whether it stores to the element, and reads no other one of its container.
  bool stores(const StmtPtr &s, const NestAccess &element) const {
    return s->kind == StmtKind::Assign && s->target->kind == ExprKind::Index &&
           s->target->args[0]->var == element.array && namesOnly(nest_, s, element);
  }

  static ExprPtr storedBy(const ir::Stmt &s) {
    const ExprPtr value =
        s.op == "=" ? s.value : ir::binary(s.op.withoutAssignment(), s.target, s.value);
    return ir::cast(s.target->type.scalar, value);
  }

  /// `c[i] = e; sum = c[i];` -> `sum = e;`
  bool startsFrom(Statements &all, std::size_t i) {
    const NestAccess *element = elementOf(*all[i]);
    const auto before = element ? touchingBefore(all, i, element->array) : std::nullopt;
    if (!before || !stores(all[*before], *element) ||
        !canMoveBehind(nest_, all[*before], between(all, *before, i)))
      return false;
    all[i] = ir::declare(all[i]->var, storedBy(*all[*before]), all[*before]->location);
    sums_[all[i]->var] = false;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(*before));
    return true;
  }

  /// `c[i] = sum; c[i] = f(c[i]);` -> `c[i] = f(sum);`
  bool endsWith(Statements &all, std::size_t i) const {
    const StmtPtr s = all[i];
    const bool isStore = s->kind == StmtKind::Assign && s->op == "=" &&
                         s->value->kind == ExprKind::Var && sums_.contains(s->value->var);
    const NestAccess *element = isStore ? accessOf(nest_, s->target) : nullptr;
    if (element == nullptr)
      return false;
    std::size_t next = i + 1;
    while (next < all.size() && accessesIn(nest_, all[next], element->array).empty())
      ++next;
    if (next == all.size() || !stores(all[next], *element))
      return false;
    const StmtPtr ending = ir::assign(s->target, "=", storedBy(*all[next]), all[next]->location);
    auto copy = std::make_shared<ir::Stmt>(*ending);
    copy->value = ir::rewrite(ending->value, [&](const ExprPtr &e) {
      const NestAccess *access = accessOf(nest_, e);
      return access != nullptr && isSameElement(*access, *element) ? s->value : e;
    });
    all[next] = copy;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }

  /// `for (i) c[i] = e; for (i) { sum = c[i]; ... }` -> `for (i) { c[i] = e; sum = c[i]; ... }`
  bool fuses(Statements &all, std::size_t i) const {
    const auto sum = sumIn(all[i]);
    if (!sum)
      return false;
    const NestAccess &element = *elementOf(*sum->declaration);
    const auto before = touchingBefore(all, i, element.array);
    const auto start = before ? startIn(all[*before]) : std::nullopt;
    if (!start || !goTogether(*start, *sum) || !areSame(*start, *sum, element) ||
        !canMoveBehind(nest_, all[*before], between(all, *before, i)) ||
        writesWhatIsRead(all[i], *start, element))
      return false;
    StmtPtr assignment = start->assignment;
    for (std::size_t level = 0; level < start->loops.size(); ++level)
      assignment =
          renamed(assignment, at(start->loops[level]).counter, at(sum->loops[level]).counter);
    all[i] = ir::rewrite(all[i], [&](const StmtPtr &s) -> StmtPtr {
      return s == sum->declaration ? ir::block({assignment, s}) : s;
    });
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(*before));
    return true;
  }

  static StmtPtr renamed(const StmtPtr &s, const ir::VarPtr &from, const ir::VarPtr &to) {
    return ir::mapExprs(s, [&](const ExprPtr &e) {
      return ir::rewrite(e, [&](const ExprPtr &each) {
        return each->kind == ExprKind::Var && each->var == from
                   ? ir::cast(from->type.scalar, ir::varRef(to, each->location))
                   : each;
      });
    });
  }

  std::optional<StartingLoops> startIn(const StmtPtr &s) const {
    StartingLoops found;
    StmtPtr at = s;
    while (at->kind == StmtKind::For && nest_.loopOf(*at) >= 0) {
      found.loops.push_back(nest_.loopOf(*at));
      Statements body;
      flatten(at->children[2], body);
      if (body.size() != 1)
        return std::nullopt;
      at = body[0];
    }
    if (found.loops.empty() || at->kind != StmtKind::Assign || !areApart(found.loops))
      return std::nullopt;
    found.assignment = at;
    return found;
  }

  std::optional<SumInLoops> sumIn(const StmtPtr &s) const {
    SumInLoops found;
    StmtPtr at = s;
    while (at && at->kind == StmtKind::For && nest_.loopOf(*at) >= 0) {
      found.loops.push_back(nest_.loopOf(*at));
      Statements body;
      flatten(at->children[2], body);
      at = nullptr;
      for (const StmtPtr &each : body) {
        if (elementOf(*each) != nullptr && !at) {
          found.declaration = each;
          return isOwn(s, body, found) ? std::optional(found) : std::nullopt;
        }
        if (each->kind == StmtKind::For && declaresSum(each)) {
          if (at)
            return std::nullopt;
          at = each;
        }
      }
    }
    return std::nullopt;
  }

  bool declaresSum(const StmtPtr &s) const {
    bool found = false;
    ir::forEach(s, [&](const ir::Stmt &each) { found |= elementOf(each) != nullptr; });
    return found;
  }

  /// Whether nothing but the sum's round touches its element, and nothing in that round before the declaration.
  bool isOwn(const StmtPtr &s, const Statements &body, const SumInLoops &sum) const {
    const NestAccess &element = *elementOf(*sum.declaration);
    const bool isFirst = std::ranges::all_of(
        body.begin(), std::ranges::find(body, sum.declaration),
        [&](const StmtPtr &each) { return accessesIn(nest_, each, element.array).empty(); });
    return isFirst && areApart(sum.loops) && namesOnly(nest_, s, element) &&
           std::ranges::all_of(accessesIn(nest_, s, element.array), [&](const NestAccess *access) {
             return nest_.isIn(access->loop, sum.loops.back());
           });
  }

  bool areApart(const std::vector<int> &loops) const {
    return std::ranges::all_of(loops, [&](int loop) {
      return at(loop).isCounted && !algebra::whyNotApart(nest_, loop, true);
    });
  }

  bool isEqual(const Polynomial &a, const Polynomial &b) const {
    return a == b || (nest_.sizes.isNonNegative(a - b) && nest_.sizes.isNonNegative(b - a));
  }

  /// Whether the loops of both have the same rounds.
  bool goTogether(const StartingLoops &start, const SumInLoops &sum) const {
    if (start.loops.size() != sum.loops.size())
      return false;
    for (std::size_t i = 0; i < start.loops.size(); ++i) {
      const NestLoop &a = at(start.loops[i]), &b = at(sum.loops[i]);
      if (!isEqual(inLoops(a.first, start, sum), b.first) ||
          !isEqual(inLoops(a.end, start, sum), b.end))
        return false;
    }
    return true;
  }

  /// A value in rounds of the starting loops as one in rounds of the sum's.
  Polynomial inLoops(Polynomial p, const StartingLoops &start, const SumInLoops &sum) const {
    for (std::size_t i = 0; i < start.loops.size(); ++i)
      p = p.with(at(start.loops[i]).atom, Polynomial::of(at(sum.loops[i]).atom));
    return p;
  }

  /// Whether equal rounds store and load the same element.
  bool areSame(const StartingLoops &start, const SumInLoops &sum, const NestAccess &element) const {
    const NestAccess *stored = accessOf(nest_, start.assignment->target);
    if (stored == nullptr || stored->array != element.array || !stores(start.assignment, *stored))
      return false;
    for (std::size_t d = 0; d < element.place.size(); ++d) {
      if (!element.place[d] || !isEqual(inLoops(*stored->place[d], start, sum), *element.place[d]))
        return false;
    }
    return true;
  }

  bool writesWhatIsRead(const StmtPtr &s, const StartingLoops &start,
                        const NestAccess &element) const {
    const std::set<const ir::Var *> read = variablesIn(start.assignment);
    return std::ranges::any_of(nest_.accesses, [&](const NestAccess &access) {
      return access.writes && access.array != element.array && read.contains(access.array.get()) &&
             !accessesIn(nest_, s, access.array).empty();
    });
  }

  const Nest &nest_;
  std::map<ir::VarPtr, bool> &sums_;
};

} // namespace

StmtPtr withSumStarts(const ir::Codelet &codelet, const Nest &nest,
                      std::map<ir::VarPtr, bool> &sums) {
  Starts starts(nest, sums);
  const StmtPtr body = starts.statement(codelet.body);
  return starts.changes ? body : nullptr;
}

} // namespace tangram::composer
