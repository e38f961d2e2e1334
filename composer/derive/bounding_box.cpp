#include "composer/derive/bounding_box.h"

#include "composer/derive/container_elements.h"
#include "composer/derive/result_sum.h"
#include "composer/derive/statements.h"

#include <algorithm>
#include <vector>

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

class Box {
public:
  explicit Box(const Nest &nest) : nest_(nest) {}

  StmtPtr around(const ir::Codelet &codelet) {
    const StmtPtr *outer = nullptr;
    for (const StmtPtr &s : codelet.body->children) {
      if (s->kind != StmtKind::For)
        continue;
      if (outer != nullptr)
        return nullptr;
      outer = &s;
    }
    if (outer == nullptr || !readLoops(*outer) || !hasOneSum())
      return nullptr;
    const auto uneven = std::ranges::find_if(
        loops_, [&](const StmtPtr &loop) { return at(loop).endDependsOnCounters; });
    if (uneven == loops_.end())
      return nullptr;
    const ExprPtr size = dimensionOf(*uneven);
    if (!size || !isSafe(*uneven, size))
      return nullptr;
    return rebuilt(codelet.body, *outer, *uneven, size);
  }

private:
  const NestLoop &at(const StmtPtr &loop) const {
    return nest_.loops[static_cast<std::size_t>(nest_.loopOf(*loop))];
  }

  /// Takes the nest apart: loops that nest perfectly, what stands in front of a sum's loop, that, and what is behind it.
  bool readLoops(StmtPtr s) {
    std::vector<BlockedLoop> blocked;
    while (true) {
      if (nest_.loopOf(*s) < 0 || !at(s).isCounted || at(s).leavesEarly || at(s).countsDown ||
          algebra::whyNotApart(nest_, nest_.loopOf(*s), true))
        return false;
      loops_.push_back(s);
      blocked.push_back({nest_.loopOf(*s), {}, {}, false});
      std::vector<StmtPtr> body;
      flatten(s->children[2], body);
      if (body.size() != 1 || body[0]->kind != StmtKind::For) {
        body_ = std::move(body);
        return isProduct(nest_, blocked);
      }
      s = body[0];
    }
  }

  bool hasOneSum() {
    const auto isLoop = [](const StmtPtr &s) { return hasLoop(s); };
    const auto sum = std::ranges::find_if(body_, isLoop);
    if (sum == body_.end() || std::count_if(body_.begin(), body_.end(), isLoop) != 1)
      return false;
    after_ = static_cast<std::size_t>(sum - body_.begin()) + 1;
    const auto writes = [](const StmtPtr &s) { return writesContainer(s); };
    return std::none_of(body_.begin(), sum + 1, writes) &&
           std::any_of(sum + 1, body_.end(), writes);
  }

  /// The size of the dimension whose places are the loop's rounds.
  ExprPtr dimensionOf(const StmtPtr &loop) const {
    const Polynomial counter = Polynomial::of(at(loop).atom);
    for (const NestAccess &access : nest_.accesses) {
      for (unsigned d = 0; access.writes && d < access.place.size(); ++d) {
        if (access.place[d] && *access.place[d] == counter)
          return sizeOf(access.array, d);
      }
    }
    return nullptr;
  }

  /// Whether what stands in front of the stores may be done in rounds that the loop does not have: it reads elements of
  /// its containers, no results of other rounds, and no integers.
  bool isSafe(const StmtPtr &loop, const ExprPtr &size) const {
    const int number = nest_.loopOf(*loop);
    for (std::size_t i = 0; i < after_; ++i) {
      if (isOfIntegers(body_[i]))
        return false;
      for (const NestAccess &access : nest_.accesses) {
        const auto all = accessesIn(nest_, body_[i], access.array);
        if (std::ranges::find(all, &access) == all.end())
          continue;
        if (!isInside(access, number, size) || readsOtherResult(access))
          return false;
      }
    }
    return true;
  }

  /// Whether integers that are elements, or made of them, are computed with: those may overflow, or be divided by 0.
  static bool isOfIntegers(const StmtPtr &s) {
    bool found = false;
    ir::forEachExpr(s, [&](const ir::Expr &e) {
      const bool isInteger = !e.type.isContainer() && ir::isInteger(e.type.scalar);
      const bool divides = isInteger && (ir::isBinary(e, "/") || ir::isBinary(e, "%"));
      const bool isElement = e.kind == ExprKind::Index && isInteger;
      const bool rounds =
          e.kind == ExprKind::Cast && isInteger && ir::isFloating(e.args[0]->type.scalar);
      found |= divides || isElement || rounds;
    });
    return found;
  }

  bool readsOtherResult(const NestAccess &read) const {
    return std::ranges::any_of(nest_.accesses, [&](const NestAccess &write) {
      return write.writes && write.array == read.array && !isSameElement(write, read);
    });
  }

  bool isInside(const NestAccess &access, int uneven, const ExprPtr &size) const {
    algebra::Inequalities facts = nest_.sizes;
    std::vector<int> others = nest_.loopsFrom(access.loop);
    std::erase(others, uneven);
    nest_.assumeBounds(others, facts);
    const Polynomial counter = Polynomial::of(nest_.loops[static_cast<std::size_t>(uneven)].atom);
    facts.assume(counter);
    facts.assume(nest_.valueOf(size) - 1 - counter);
    for (unsigned d = 0; d < access.place.size(); ++d) {
      if (!access.place[d] || !facts.isNonNegative(*access.place[d]) ||
          !facts.isPositive(nest_.valueOf(sizeOf(access.array, d)) - *access.place[d]))
        return false;
    }
    return true;
  }

  StmtPtr rebuilt(const StmtPtr &body, const StmtPtr &outer, const StmtPtr &uneven,
                  const ExprPtr &size) const {
    const StmtPtr &first = uneven->children[0];
    ExprPtr condition = uneven->value;
    if (!ir::isLiteral(first->value, 0))
      condition =
          ir::binary("&&", ir::binary(">=", ir::varRef(first->var), first->value), condition);
    std::vector<StmtPtr> inside(body_.begin(), body_.begin() + static_cast<std::ptrdiff_t>(after_));
    inside.push_back(ir::ifThen(
        condition, ir::block({body_.begin() + static_cast<std::ptrdiff_t>(after_), body_.end()})));
    StmtPtr made = ir::block(inside);
    for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
      const StmtPtr &s = *loop;
      made = s != uneven ? ir::withChildren(s, {s->children[0], s->children[1], made})
                         : ir::forLoop(ir::declare(first->var, ir::intLiteral(0)),
                                       ir::binary("<", ir::varRef(first->var), size),
                                       s->children[1], made, s->location);
    }
    std::vector<StmtPtr> all = body->children;
    std::ranges::replace(all, outer, made);
    return ir::block(all);
  }

  const Nest &nest_;
  std::vector<StmtPtr> loops_; ///< outer first
  std::vector<StmtPtr> body_;
  std::size_t after_ = 0; ///< the first statement behind the sum
};

} // namespace

StmtPtr withBoundingBox(const ir::Codelet &codelet, const Nest &nest) {
  return Box(nest).around(codelet);
}

} // namespace tangram::composer
