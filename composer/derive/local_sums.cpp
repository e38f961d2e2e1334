#include "composer/derive/local_sums.h"

#include "composer/derive/container_elements.h"
#include "composer/derive/statements.h"
#include "composer/derive/sum_loops_inside.h"
#include "composer/derive/sum_starts.h"
#include "composer/derive/updates.h"
#include "composer/derive/windows.h"

#include <algorithm>
#include <map>
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

/// Replaces the element of one loop, the outermost one that can be.
class Replacement {
public:
  Replacement(const ir::Codelet &codelet, const Nest &nest)
      : nest_(nest), fresh_(codelet.params, codelet.body) {}

  StmtPtr statement(const StmtPtr &s) {
    if (!s || local)
      return s;
    if (s->kind == StmtKind::For)
      if (const StmtPtr made = replaced(s))
        return made;
    if (s->kind == StmtKind::Block)
      around_.push_back(s);
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(statement(child));
    if (s->kind == StmtKind::Block)
      around_.pop_back();
    return ir::withChildren(s, std::move(children));
  }

  ir::VarPtr local; ///< that takes the place of the element

private:
  const NestLoop &at(int loop) const { return nest_.loops[static_cast<std::size_t>(loop)]; }

  StmtPtr replaced(const StmtPtr &s) {
    const int loop = nest_.loopOf(*s);
    for (const NestAccess &write : nest_.accesses) {
      if (loop < 0 || !write.writes || !nest_.isIn(write.loop, loop) ||
          !isOneElement(write, s, loop))
        continue;
      if (StmtPtr made = replaced(s, loop, write))
        return made;
    }
    return nullptr;
  }

  StmtPtr replaced(const StmtPtr &s, int loop, const NestAccess &element) {
    auto sum = std::make_shared<ir::Var>();
    sum->type = ir::scalarType(element.array->type.scalar);
    sum->location = element.location();
    const StmtPtr inLocal = withElement(nest_, s, element, ir::varRef(sum));
    const LoopSums sums = updatesOf(inLocal->children[2], {sum});
    if (sums.why || sums.single() == nullptr || !isWithin(element, s, loop))
      return nullptr;
    sum->name = fresh_(nameOf(sums.updates[0].kind));
    local = sum;
    const auto place = [&] {
      return ir::index(element.expr->args[0],
                       {element.expr->args.begin() + 1, element.expr->args.end()},
                       element.location());
    };
    return ir::block({ir::declare(sum, place(), element.location()), inLocal,
                      ir::assign(place(), "=", ir::varRef(sum), element.location())});
  }

  static std::string nameOf(Update::Kind kind) {
    return kind == Update::Kind::Add        ? "sum"
           : kind == Update::Kind::Multiply ? "product"
           : kind == Update::Kind::Min      ? "least"
           : kind == Update::Kind::Max      ? "most"
                                            : "joined";
  }

  /// Whether `write` is to the same element in all rounds of the loop, and the loop touches it as this one alone.
  bool isOneElement(const NestAccess &write, const StmtPtr &s, int loop) const {
    for (const auto &place : write.place) {
      if (!place)
        return false;
      for (int inner = 0; inner < static_cast<int>(nest_.loops.size()); ++inner) {
        if (nest_.isIn(inner, loop) && place->mentions(at(inner).atom))
          return false;
      }
    }
    std::set<const ir::Var *> own;
    ir::forEach(s, [&](const ir::Stmt &each) { own.insert(each.var.get()); });
    const bool namesOwn =
        ir::contains(
            s->value,
            [&](const ir::Expr &e) { return e.kind == ExprKind::Var && e.var == write.array; }) ||
        std::any_of(write.expr->args.begin() + 1, write.expr->args.end(), [&](const ExprPtr &e) {
          return ir::contains(e, [&](const ir::Expr &each) {
            return each.kind == ExprKind::Index ||
                   (each.kind == ExprKind::Var && own.contains(each.var.get()));
          });
        });
    return !namesOwn && std::ranges::all_of(nest_.accesses, [&](const NestAccess &other) {
      return other.array != write.array || !nest_.isIn(other.loop, loop) ||
             isSameElement(other, write) ||
             (!algebra::mayMeetBefore(nest_, write, other, loop, true) &&
              !algebra::mayMeetBefore(nest_, other, write, loop, true));
    });
  }

  /// Whether the element is one of its container also where the loop does not get to it.
  bool isWithin(const NestAccess &element, const StmtPtr &s, int loop) const {
    for (const StmtPtr &block : around_) {
      for (const StmtPtr &each : block->children) {
        if (each != s && each->kind == StmtKind::Assign && namesSame(each, element))
          return true;
      }
    }
    algebra::Inequalities facts = nest_.sizes;
    nest_.assumeBounds(nest_.loopsFrom(at(loop).around), facts);
    bool isReached = element.conditions.empty();
    for (int each = element.loop; isReached; each = at(each).around) {
      isReached = at(each).isCounted && facts.isPositive(at(each).end - at(each).first);
      if (each == loop)
        break;
    }
    return isReached || isInside(element, facts);
  }

  bool namesSame(const StmtPtr &s, const NestAccess &element) const {
    return std::ranges::any_of(accessesIn(nest_, s, element.array), [&](const NestAccess *access) {
      return isSameElement(*access, element) && access->conditions.empty();
    });
  }

  bool isInside(const NestAccess &element, const algebra::Inequalities &facts) const {
    for (unsigned d = 0; d < element.place.size(); ++d) {
      const Polynomial size = nest_.valueOf(sizeOf(element.array, d));
      if (!facts.isNonNegative(*element.place[d]) || !facts.isPositive(size - *element.place[d]))
        return false;
    }
    return true;
  }

  const Nest &nest_;
  FreshNames fresh_;
  std::vector<StmtPtr> around_; ///< blocks, outer first
};

} // namespace

StmtPtr withLocalSums(const ir::Codelet &codelet) {
  ir::Codelet made = codelet;
  std::map<ir::VarPtr, bool> locals;
  while (true) {
    const auto read = algebra::nestOf(made);
    const auto *nest = std::get_if<Nest>(&read);
    if (nest == nullptr)
      return nullptr;
    StmtPtr next = withSumLoopsInside(made, *nest);
    if (!next) {
      Replacement replacement(made, *nest);
      next = replacement.statement(made.body);
      if (replacement.local)
        locals.emplace(replacement.local, true);
      else
        next = withSumStarts(made, *nest, locals);
    }
    if (!next)
      return locals.empty() ? nullptr : made.body;
    std::vector<StmtPtr> flat;
    flatten(next, flat);
    made.body = ir::block(flat);
  }
}

} // namespace tangram::composer
