#include "composer/derive/scan_elements.h"

#include "composer/derive/container_elements.h"
#include "composer/derive/statements.h"
#include "composer/derive/updates.h"
#include "composer/derive/windows.h"

#include <algorithm>
#include <optional>

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

/// Replaces the elements of one loop.
class ScanReplacement {
public:
  ScanReplacement(const ir::Codelet &codelet, const Nest &nest)
      : nest_(nest), fresh_(codelet.params, codelet.body) {}

  StmtPtr statement(const StmtPtr &s) {
    if (!s || changes)
      return s;
    std::vector<StmtPtr> children = s->children;
    if (s->kind == StmtKind::Block) {
      children.clear();
      flatten(s, children);
      const auto loops =
          std::ranges::count_if(children, [](const StmtPtr &each) { return hasLoop(each); });
      for (std::size_t i = 0; i + 1 < children.size(); ++i) {
        auto made = scanOf(children[i], children[i + 1]);
        if (!made)
          continue;
        changes = true;
        if (loops > 1) // one nest of several
          made = {ir::block(std::move(*made))};
        const auto at = children.erase(children.begin() + static_cast<std::ptrdiff_t>(i),
                                       children.begin() + static_cast<std::ptrdiff_t>(i) + 2);
        children.insert(at, made->begin(), made->end());
        return ir::withChildren(s, std::move(children));
      }
      children = s->children;
    }
    for (StmtPtr &child : children)
      child = statement(child);
    return ir::withChildren(s, std::move(children));
  }

  bool changes = false;

private:
  static bool sets(const ir::Stmt &s) { return isStore(s) && s.op == "="; }

  /// The declaration and the loop that a store and a loop behind it become.
  std::optional<std::vector<StmtPtr>> scanOf(const StmtPtr &store, const StmtPtr &s) {
    const int number = s->kind == StmtKind::For ? nest_.loopOf(*s) : -1;
    const NestAccess *stored = sets(*store) ? accessOf(nest_, store->target) : nullptr;
    if (number < 0 || stored == nullptr)
      return std::nullopt;
    const NestLoop &loop = nest_.loops[static_cast<std::size_t>(number)];
    std::vector<StmtPtr> body;
    flatten(s->children[2], body);
    if (!loop.isCounted || loop.countsDown || loop.leavesEarly || body.size() != 1 ||
        !sets(*body[0]) || !ir::isLiteral(s->children[0]->value, 1))
      return std::nullopt;
    const NestAccess *written = accessOf(nest_, body[0]->target);
    if (written == nullptr || !isNext(*stored, *written, loop) || !hasRounds(*written, loop) ||
        !accessesIn(nest_, ir::block({ir::declare(loop.counter, store->value)}), stored->array)
             .empty())
      return std::nullopt;
    auto sum = std::make_shared<ir::Var>();
    sum->type = ir::scalarType(written->array->type.scalar);
    sum->location = body[0]->location;
    const auto value = withLocal(body[0]->value, *written, loop, ir::varRef(sum));
    const StmtPtr update =
        value ? ir::assign(ir::varRef(sum), "=", *value, body[0]->location) : nullptr;
    const LoopSums sums = value ? updatesOf(update, {sum}) : LoopSums{};
    if (!value || sums.why || sums.single() == nullptr)
      return std::nullopt;
    sum->name = fresh_("sum");
    const bool isFirst = isFirstTerm(store->value, *value, *sum, loop);
    const ExprPtr start = isFirst ? named(identityOf(sums.updates[0]), sum->type) : store->value;
    const StmtPtr write = ir::assign(body[0]->target, "=", ir::varRef(sum), body[0]->location);
    const StmtPtr first = s->children[0];
    return std::vector<StmtPtr>{
        ir::declare(sum, start, store->location),
        ir::withChildren(
            s,
            {ir::declare(first->var, ir::intLiteral(0, first->value->type.scalar)), s->children[1],
             isFirst ? ir::block({update, write}) : fromStart(update, *value, write, loop)})};
  }

  /// A round of a scan that starts from another number than a first term: it writes before it adds the next round's term.
  /// A round that may not read the next term adds its own, in all rounds but the first.
  StmtPtr fromStart(const StmtPtr &update, const ExprPtr &value, const StmtPtr &write,
                    const NestLoop &loop) const {
    if (const auto next = inNextRound(value, loop))
      return ir::block({write, ir::assign(update->target, "=", *next, update->location)});
    const ExprPtr isLater = ir::binary(">", ir::varRef(loop.counter), ir::intLiteral(0));
    return ir::block({ir::ifThen(isLater, update), write});
  }

  /// `e` of the round behind, of the last one, too; nothing where it is not known to have its elements.
  std::optional<ExprPtr> inNextRound(const ExprPtr &e, const NestLoop &loop) const {
    if (e->kind == ExprKind::Var && e->var == loop.counter)
      return std::nullopt;
    std::vector<ExprPtr> args = e->args;
    if (e->kind == ExprKind::Index) {
      const NestAccess *read = accessOf(nest_, e);
      for (unsigned d = 0; d + 1 < args.size(); ++d) {
        if (read == nullptr || !read->place[d])
          return std::nullopt;
        if (!read->place[d]->mentions(loop.atom))
          continue;
        const Polynomial next = read->place[d]->with(loop.atom, Polynomial::of(loop.atom) + 1);
        const Polynomial last = next.with(loop.atom, loop.end - 1);
        const bool exists =
            next - Polynomial::of(loop.atom) == next.with(loop.atom, Polynomial(0)) &&
            nest_.sizes.isNonNegative(next.with(loop.atom, Polynomial(0))) &&
            nest_.sizes.isNonNegative(nest_.valueOf(sizeOf(read->array, d)) - 1 - last);
        if (!exists)
          return std::nullopt;
        args[d + 1] = nest_.facts.expression(next);
      }
      return ir::withArgs(e, std::move(args));
    }
    for (ExprPtr &arg : args) {
      const auto made = inNextRound(arg, loop);
      if (!made)
        return std::nullopt;
      arg = *made;
    }
    return ir::withArgs(e, std::move(args));
  }

  static Polynomial before(const Polynomial &p, const NestLoop &loop) {
    return p.with(loop.atom, Polynomial::of(loop.atom) - 1);
  }

  /// Whether the store is to what the loop would write in round 0, and its rounds write different elements.
  bool isNext(const NestAccess &stored, const NestAccess &written, const NestLoop &loop) const {
    if (stored.array != written.array)
      return false;
    bool names = false;
    for (std::size_t d = 0; d < written.place.size(); ++d) {
      if (!written.place[d] || !stored.place[d])
        return false;
      names |= *written.place[d] == Polynomial::of(loop.atom);
      if (!(written.place[d]->with(loop.atom, Polynomial(0)) == *stored.place[d]))
        return false;
    }
    return names;
  }

  /// Whether round 0 is one of a loop from 0 on: it has the rounds of the elements that it writes, of which there is one,
  /// as the store is to it.
  bool hasRounds(const NestAccess &written, const NestLoop &loop) const {
    for (unsigned d = 0; d < written.place.size(); ++d) {
      const Polynomial left = nest_.valueOf(sizeOf(written.array, d)) - loop.end;
      if (*written.place[d] == Polynomial::of(loop.atom) && nest_.sizes.isNonNegative(left) &&
          nest_.sizes.isNonNegative(-left))
        return true;
    }
    return nest_.sizes.isPositive(loop.end);
  }

  /// The value with `local` for the element that the round before writes; nothing where it reads others.
  std::optional<ExprPtr> withLocal(const ExprPtr &value, const NestAccess &written,
                                   const NestLoop &loop, const ExprPtr &local) const {
    bool isKnown = true;
    const ExprPtr made = ir::rewrite(value, [&](const ExprPtr &e) {
      if (e->kind != ExprKind::Index || e->args[0]->var != written.array)
        return e;
      const NestAccess *read = accessOf(nest_, e);
      for (std::size_t d = 0; d < written.place.size(); ++d)
        isKnown = isKnown && read != nullptr && read->place[d] &&
                  *read->place[d] == before(*written.place[d], loop);
      return local;
    });
    return isKnown ? std::optional(made) : std::nullopt;
  }

  /// Whether `start` is what `value` combines with the local, in round 0.
  bool isFirstTerm(const ExprPtr &start, const ExprPtr &value, const ir::Var &local,
                   const NestLoop &loop) const {
    if ((value->kind != ExprKind::Binary && value->kind != ExprKind::Call) ||
        value->args.size() != 2 || ir::isBinary(*value, "-"))
      return false;
    const auto isLocal = [&](const ExprPtr &e) {
      return e->kind == ExprKind::Var && e->var.get() == &local;
    };
    const ExprPtr &term = isLocal(value->args[0]) ? value->args[1] : value->args[0];
    return (isLocal(value->args[0]) || isLocal(value->args[1])) && isRoundZero(start, term, loop);
  }

  /// Whether `a` is `b` in round 0.
  bool isRoundZero(const ExprPtr &a, const ExprPtr &b, const NestLoop &loop) const {
    if (ir::isInteger(a->type.scalar) && ir::isInteger(b->type.scalar) && !a->type.isContainer() &&
        !b->type.isContainer() && isPosition(a) && isPosition(b))
      return nest_.valueOf(a) == nest_.valueOf(b).with(loop.atom, Polynomial(0));
    if (a->kind != b->kind || a->op != b->op || a->callee != b->callee || a->var != b->var ||
        a->type.scalar != b->type.scalar || a->args.size() != b->args.size() ||
        a->integer != b->integer || a->real != b->real)
      return false;
    for (std::size_t i = 0; i < a->args.size(); ++i) {
      if (!isRoundZero(a->args[i], b->args[i], loop))
        return false;
    }
    return true;
  }

  /// Whether no element is in it, so that its value is a polynomial of counters and sizes.
  static bool isPosition(const ExprPtr &e) {
    return !ir::contains(e, [](const ir::Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Call;
    });
  }

  const Nest &nest_;
  FreshNames fresh_;
};

/// `y.size() > 0`, which the store in front of a loop needed, and a scan from no element on does not.
bool isNotEmpty(const ir::Stmt &s) {
  if (s.kind != StmtKind::Require || s.value->kind != ExprKind::Binary ||
      !s.value->op.isComparison())
    return false;
  const auto isSize = [](const ExprPtr &e) { return e->kind == ExprKind::Size; };
  const auto isSmall = [](const ExprPtr &e) { return ir::isLiteral(e, 0) || ir::isLiteral(e, 1); };
  return std::ranges::any_of(s.value->args, isSize) && std::ranges::any_of(s.value->args, isSmall);
}

/// A body that is one scan, without that; others as they are.
StmtPtr withoutNotEmpty(const StmtPtr &body) {
  std::vector<StmtPtr> kept, others;
  for (const StmtPtr &s : body->children) {
    if (!isNotEmpty(*s))
      kept.push_back(s);
    if (s->kind != StmtKind::Require)
      others.push_back(s);
  }
  return others.size() == 2 ? ir::block(kept) : body;
}

} // namespace

StmtPtr withLocalScans(const ir::Codelet &codelet) {
  ir::Codelet made = codelet;
  for (bool changes = false;; changes = true) {
    const auto read = algebra::nestOf(made);
    const auto *nest = std::get_if<Nest>(&read);
    if (nest == nullptr)
      return nullptr;
    ScanReplacement replacement(made, *nest);
    const StmtPtr next = replacement.statement(made.body);
    if (!replacement.changes)
      return changes ? withoutNotEmpty(made.body) : nullptr;
    made.body = next;
  }
}

} // namespace tangram::composer
