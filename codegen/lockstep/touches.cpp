#include "codegen/lockstep/touches.h"

#include "algebra/inequalities.h"
#include "codegen/form/building.h"
#include "codegen/lockstep/independence.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Two lanes, each at an access of its own.
class TwoLanes {
public:
  TwoLanes(const Constants &constants, const std::set<const Var *> &changing,
           const std::set<const Var *> &varying)
      : constants_(constants), changing_(changing), varying_(varying) {
    for (VarPtr &lane : lanes_)
      lane = newVariable("lane", Scalar::Index);
  }

  /// What the loops say of the lane's access.
  void enter(std::size_t lane, const Touch &touch) {
    for (const Stmt *s : touch.loops) {
      const std::optional<SteppedLoop> loop = steadyLoop(*s);
      if (!loop)
        continue;
      steady_[lane].insert(loop->i.get());
      const ExprPtr step = constants_.meaning(loop->step);
      const bool upwards =
          step->kind == ExprKind::CoopDim || literalValue(step).value_or(0) > 0 ||
          (step->kind == ExprKind::Binary && step->op == "*" &&
           std::ranges::all_of(step->args, [](const ExprPtr &factor) {
             return factor->kind == ExprKind::CoopDim || literalValue(factor).value_or(0) > 0;
           }));
      if (!upwards)
        continue;
      // From a start that wrapped around the variable comes to 0 again.
      const ExprPtr start = ofLane(lane, constants_.meaning(loop->start));
      if (start && !facts_.mayWrap(facts_.of(start)))
        facts_.assume(facts_.of(ofLane(lane, varRef(loop->i))) - facts_.of(start));
      if (s->value)
        enterWhile(lane, s->value);
    }
  }

  void assumeApart(const VarPtr &i, std::int64_t width, bool firstIsBelow) {
    const algebra::Polynomial a = facts_.of(ofLane(0, varRef(i)));
    const algebra::Polynomial b = facts_.of(ofLane(1, varRef(i)));
    facts_.assume((firstIsBelow ? b - a : a - b) - width);
  }

  /// Whether one subscript at least is another one.
  bool differ(const Touch &a, const Touch &b) {
    const std::size_t places = std::min(a.subscripts.size(), b.subscripts.size());
    for (std::size_t k = 0; k < places; ++k) {
      const ExprPtr mine = ofLane(0, a.subscripts[k]);
      const ExprPtr other = ofLane(1, b.subscripts[k]);
      if (!mine || !other)
        continue;
      const algebra::Polynomial difference = facts_.of(other) - facts_.of(mine);
      if (facts_.isPositive(difference) || facts_.isPositive(-difference))
        return true;
    }
    return false;
  }

private:
  void enterWhile(std::size_t lane, const ExprPtr &condition) {
    if (condition->kind == ExprKind::Binary && condition->op == "&&") {
      enterWhile(lane, condition->args[0]);
      enterWhile(lane, condition->args[1]);
      return;
    }
    if (const ExprPtr own = ofLane(lane, constants_.meaning(condition)))
      facts_.assumeCondition(own);
  }

  /// `e` as the lane has it; null where it may have changed, wrap around, or is read from memory.
  ExprPtr ofLane(std::size_t lane, const ExprPtr &e) {
    bool stays = true;
    const ExprPtr own = rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      if (each->kind == ExprKind::CoopIdx)
        return varRef(lanes_[lane]);
      const bool wraps = each->kind == ExprKind::Binary && each->op == "-" &&
                         !isSigned(each->type.scalar) && each->type.scalar != Scalar::Index;
      if (wraps || each->kind == ExprKind::Index || each->kind == ExprKind::Atomic)
        stays = false;
      if (each->kind != ExprKind::Var || each->type.isContainer())
        return each;
      const Var *var = each->var.get();
      const bool steady = steady_[lane].contains(var);
      if (isSeenByAllLanes(*var) || (changing_.contains(var) && !steady))
        stays = false;
      if (!steady && !varying_.contains(var))
        return each;
      VarPtr &name = names_[lane][var];
      if (!name)
        name = renewed(*var);
      return varRef(name);
    });
    return stays ? own : nullptr;
  }

  const Constants &constants_;
  const std::set<const Var *> &changing_;
  const std::set<const Var *> &varying_;
  algebra::Inequalities facts_;
  std::array<VarPtr, 2> lanes_;
  std::array<std::set<const Var *>, 2> steady_;
  std::array<std::map<const Var *, VarPtr>, 2> names_;
};

} // namespace

std::optional<SteppedLoop> steadyLoop(const Stmt &s) {
  std::optional<SteppedLoop> loop = steppedLoop(s);
  if (loop && (byteSize(loop->i->type.scalar) < 4 || assigns(s.children[2], loop->i.get())))
    loop.reset();
  return loop;
}

bool neverMeet(const std::vector<Touch> &touches, const std::vector<ApartLoop> &apart,
               const Constants &constants, const std::set<const Var *> &changing,
               const std::set<const Var *> &varying) {
  auto differ = [&](const Touch &a, const Touch &b, const ApartLoop *by, bool firstIsBelow) {
    TwoLanes lanes(constants, changing, varying);
    lanes.enter(0, a);
    lanes.enter(1, b);
    if (by)
      lanes.assumeApart(steppedLoop(*by->loop)->i, by->width, firstIsBelow);
    return lanes.differ(a, b);
  };
  auto areApart = [&](const Touch &a, const Touch &b) {
    if (a.inHead || b.inHead)
      return false;
    if (differ(a, b, nullptr, true))
      return true;
    return std::ranges::any_of(apart, [&](const ApartLoop &by) {
      auto inside = [&](const Touch &t) {
        return std::ranges::find(t.loops, by.loop) != t.loops.end();
      };
      return inside(a) && inside(b) && differ(a, b, &by, true) && differ(a, b, &by, false);
    });
  };
  for (const Touch &a : touches) {
    if (a.write && !std::ranges::all_of(touches, [&](const Touch &b) { return areApart(a, b); }))
      return false;
  }
  return true;
}

} // namespace tangram::codegen
