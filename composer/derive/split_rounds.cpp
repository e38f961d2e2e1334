#include "composer/derive/split_rounds.h"

#include "composer/derive/own_names.h"
#include "composer/derive/statements.h"

#include <algorithm>
#include <optional>
#include <utility>

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

class RoundSplitter {
public:
  explicit RoundSplitter(const Nest &nest) : nest_(nest) {}

  StmtPtr statement(const StmtPtr &s) {
    if (!s)
      return s;
    const int loop = s->kind == StmtKind::For ? nest_.loopOf(*s) : -1;
    if (loop >= 0 && !algebra::whyNotApart(nest_, loop, true))
      return independent(s, loop);
    if (const auto at = loop >= 0 && !isInside_ ? splitAt(loop) : std::nullopt)
      return split(s, loop, *at);
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(statement(child));
    return ir::withChildren(s, std::move(children));
  }

  bool changes = false;

private:
  const NestLoop &at(int loop) const { return nest_.loops[static_cast<std::size_t>(loop)]; }

  /// A loop whose rounds may be done in any order: they count up, and nothing in it needs to be split.
  StmtPtr independent(const StmtPtr &s, int loop) {
    const bool was = std::exchange(isInside_, true);
    const StmtPtr body = statement(s->children[2]);
    isInside_ = was;
    const NestLoop &of = at(loop);
    if (!of.countsDown)
      return ir::withChildren(s, {s->children[0], s->children[1], body});
    changes = true;
    return ir::forLoop(ir::declare(of.counter, nest_.facts.expression(of.first)),
                       ir::binary("<", ir::varRef(of.counter), nest_.facts.expression(of.end)),
                       ir::assign(ir::varRef(of.counter), "+=", ir::intLiteral(1), s->location),
                       body, s->location);
  }

  /// What is known where the loop stands.
  algebra::Inequalities factsAround(int loop) const {
    algebra::Inequalities facts = nest_.sizes;
    nest_.assumeBounds(nest_.loopsFrom(at(loop).around), facts);
    return facts;
  }

  /// The round, by number, that touches what others do, in the rounds of the loop; nothing where it is not one alone.
  std::optional<Polynomial> splitAt(int loop) const {
    if (!at(loop).isCounted || at(loop).leavesEarly || at(loop).countsDown)
      return std::nullopt;
    std::optional<Polynomial> found;
    for (const NestAccess &write : nest_.accesses) {
      if (!write.writes || !nest_.isIn(write.loop, loop))
        continue;
      for (const NestAccess &other : nest_.accesses) {
        if (other.array != write.array || !nest_.isIn(other.loop, loop))
          continue;
        bool isKnown = false;
        for (std::size_t d = 0; d < write.place.size() && !isKnown; ++d) {
          const auto meeting = meetingOf(write, other, d, loop);
          isKnown = meeting && (!meeting->round || !found || *found == *meeting->round);
          if (isKnown && meeting->round)
            found = meeting->round;
        }
        if (!isKnown)
          return std::nullopt;
      }
    }
    if (!found)
      return std::nullopt;
    const algebra::Inequalities facts = factsAround(loop);
    const bool isInside = facts.isNonNegative(*found - at(loop).first) &&
                          facts.isNonNegative(at(loop).end - 1 - *found);
    return isInside ? found : std::nullopt;
  }

  /// The rounds in which a[x] may be what a[e] is in every round: none, where subscript d keeps all of them apart, or one.
  struct Meeting {
    std::optional<Polynomial> round;
  };
  std::optional<Meeting> meetingOf(const NestAccess &write, const NestAccess &other, std::size_t d,
                                   int loop) const {
    if (!write.place[d] || !other.place[d])
      return std::nullopt;
    const algebra::Split split = algebra::splitBy(*write.place[d], at(loop).atom);
    if (!split.linear || split.coefficient.literal() != 1 || mentionsInside(split.rest, loop))
      return std::nullopt;
    if (*write.place[d] == *other.place[d])
      return Meeting{};
    if (other.place[d]->mentions(at(loop).atom) || mentionsInside(*other.place[d], loop))
      return std::nullopt;
    return Meeting{*other.place[d] - split.rest};
  }

  bool mentionsInside(const Polynomial &p, int loop) const {
    for (int inner = 0; inner < static_cast<int>(nest_.loops.size()); ++inner) {
      if (inner != loop && nest_.isIn(inner, loop) && p.mentions(at(inner).atom))
        return true;
    }
    return false;
  }

  StmtPtr split(const StmtPtr &s, int loop, const Polynomial &round) {
    const NestLoop &of = at(loop);
    const ir::VarPtr &counter = of.counter;
    const Polynomial x = Polynomial::of(of.atom);
    const StmtPtr &body = s->children[2];
    const auto part = [&](const Polynomial &first, const Polynomial &end) {
      algebra::Inequalities facts = factsAround(loop);
      facts.assume(x - first);
      facts.assume(end - 1 - x);
      return withOwnLocals(
          ir::forLoop(ir::declare(counter, nest_.facts.expression(first)),
                      ir::binary("<", ir::varRef(counter), nest_.facts.expression(end)),
                      s->children[1], decided(body, facts), s->location));
    };
    std::vector<StmtPtr> all{part(of.first, round)};
    const auto middle = roundAlone(s, loop, round);
    if (!middle)
      return s;
    if (!middle->empty())
      all.push_back(withOwnLocals(ir::block(*middle)));
    all.push_back(part(round + 1, of.end));
    changes = true;
    return ir::block(all);
  }

  /// The statements of one round; nothing where a condition decides how many of them are done.
  std::optional<std::vector<StmtPtr>> roundAlone(const StmtPtr &s, int loop,
                                                 const Polynomial &round) const {
    const ir::VarPtr &counter = at(loop).counter;
    const Polynomial x = Polynomial::of(at(loop).atom);
    algebra::Inequalities facts = factsAround(loop);
    facts.assume(x - round);
    facts.assume(round - x);
    const StmtPtr body = ir::mapExprs(decided(s->children[2], facts), [&](const ExprPtr &e) {
      return ir::rewrite(e, [&](const ExprPtr &each) {
        const bool isCounter = each->kind == ExprKind::Var && each->var == counter;
        return isCounter ? ir::cast(each->type.scalar, nest_.facts.expression(round)) : each;
      });
    });
    std::vector<StmtPtr> all, done;
    flatten(body, all);
    for (const StmtPtr &each : all) {
      if (each->kind == StmtKind::Continue)
        return done;
      if (!ir::isLoop(*each) && leaves(each))
        return std::nullopt;
      done.push_back(each);
    }
    return done;
  }

  static bool leaves(const StmtPtr &s) {
    bool found = false;
    ir::forEach(s, [&](const ir::Stmt &each) {
      found |= each.kind == StmtKind::Continue || each.kind == StmtKind::Break;
    });
    return found;
  }

  /// `s` without the conditions that the facts decide.
  StmtPtr decided(const StmtPtr &s, const algebra::Inequalities &facts) const {
    return ir::rewrite(s, [&](const StmtPtr &each) -> StmtPtr {
      const auto holds = each->kind == StmtKind::If ? value(*each->value, facts) : std::nullopt;
      if (!holds)
        return each;
      if (*holds)
        return each->children[0];
      return each->children.size() > 1 && each->children[1] ? each->children[1] : ir::block({});
    });
  }

  /// The value of a comparison of positions, where the facts decide it.
  std::optional<bool> value(const ir::Expr &condition, const algebra::Inequalities &facts) const {
    if (condition.kind != ExprKind::Binary || !condition.op.isComparison() ||
        !std::ranges::all_of(condition.args,
                             [](const ExprPtr &e) { return ir::isInteger(e->type.scalar); }))
      return std::nullopt;
    const Polynomial difference =
        nest_.valueOf(condition.args[0]) - nest_.valueOf(condition.args[1]);
    const bool isAbove = facts.isPositive(difference);
    const bool isBelow = facts.isPositive(-difference);
    const bool isEqual = facts.isNonNegative(difference) && facts.isNonNegative(-difference);
    if (!isAbove && !isBelow && !isEqual)
      return std::nullopt;
    const ir::Operator op = condition.op;
    if (op == "==" || op == "!=")
      return (op == "==") == isEqual;
    return isEqual ? op == "<=" || op == ">=" : (op == "<" || op == "<=") == isBelow;
  }

  const Nest &nest_;
  bool isInside_ = false; ///< of an independent loop
};

} // namespace

StmtPtr withSplitRounds(const ir::Codelet &codelet, const Nest &nest) {
  RoundSplitter splitter(nest);
  const StmtPtr body = splitter.statement(codelet.body);
  return splitter.changes ? body : nullptr;
}

} // namespace tangram::composer
