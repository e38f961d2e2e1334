// Scalar replacement of operands: what the rounds of an unrolled nest read again is read once, into arrays of the
// item's own that unrolling makes registers.
//
//   before: for (o < 16) for (i < 4) { r = y + i - 1;  if (r >= 0 && r < h) tile[o * 4 + i] += x[r][j] * w[o][c]; }
//   after:  for (i < 4) on[i] = y + i - 1 >= 0 && y + i - 1 < h;
//           for (i < 4) any = any || on[i];
//           for (i < 4) if (on[i]) x_held[i] = x[y + i - 1][j];
//           if (any) for (o < 16) w_held[o] = w[o][c];
//           for (o < 16) for (i < 4) if (on[i]) tile[o * 4 + i] += x_held[i] * w_held[o];
//
// Several conditions are joined once for the loops that none of them names.
//
// Compilers see the same for themselves where nothing is asked. Under a condition, as at the edges of an image, they do
// not: each round would load again. An operand is read where one of the rounds that use it is done, and no other; so
// nothing is read that was not before. It takes nests of loops that are all unrolled, whose body updates an element of an
// item's own array by numbers from containers, under conditions that are comparisons of integers. The outer loops that only
// add up, and that every operand names, such as those over the elements of a filter, stay around what is held: its registers
// are those of one round of them. Conditions that name none of these loops are evaluated once, before them.
//
// Operands from a group's copy of a container are held only under a condition that is more than the end of a tile at an edge
// (`i < n`, where i counts one of the loops): such ends concern few groups.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/windows.h"
#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "ir/expression_length.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// Indices of loops of a nest.
using Loops = std::set<std::size_t>;

/// Conditions that name the same loops' counters, all of which have to hold.
struct Guard {
  Loops loops;
  ExprPtr condition;
  VarPtr on;  ///< whether it holds, by round
  VarPtr any; ///< whether it holds in one of the rounds; null: nothing asks
};

struct Operand {
  ExprPtr element;
  Loops loops;
  VarPtr held;
};

/// Loops that are unrolled, one in the other, around one update.
class UnrolledNest {
public:
  /// `copies`: a group's arrays, which its items fill before they read them.
  UnrolledNest(const LoweredPlan &plan, const std::set<const Var *> &copies)
      : plan_(plan), copies_(copies) {}

  /// The statement in its place; null where `s` is no such nest, or reads nothing again.
  StmtPtr held(const StmtPtr &s) {
    if (!take(s, {}) || !update_)
      return nullptr;
    leaveSumsAround();
    if (loops_.empty())
      return nullptr;
    for (const ExprPtr &each : conditions_)
      addGuardOf(each);
    collect(update_->value);
    if (std::ranges::none_of(operands_,
                             [&](const Operand &o) { return o.loops.size() < loops_.size(); }))
      return nullptr;
    std::vector<StmtPtr> asked, loads, done;
    for (Guard &guard : guards_)
      addGuard(guard, asked);
    for (Operand &operand : operands_)
      addOperand(operand, loads);
    for (Guard &guard : guards_) {
      if (guard.any)
        addAny(guard, asked);
    }
    const bool isAskedOnce = !around_.empty() && namesNoneAround();
    addDone(isAskedOnce ? asked : done);
    std::vector<StmtPtr> all = isAskedOnce ? std::vector<StmtPtr>{} : asked;
    all.insert(all.end(), loads.begin(), loads.end());
    all.insert(all.end(), done.begin(), done.end());
    all.push_back(updated());
    StmtPtr made = block(std::move(all));
    for (auto loop = around_.rbegin(); loop != around_.rend(); ++loop)
      made = block({unrolledLoop(countingLoop(counterOf(**loop), (*loop)->value->args[1], made),
                                 (*loop)->unroll)});
    if (isAskedOnce) {
      asked.push_back(made);
      made = block(std::move(asked));
    }
    return made;
  }

private:
  /// Whether no condition names a loop that stays around what is held, so that all are evaluated once before these loops.
  bool namesNoneAround() const {
    return std::ranges::none_of(conditions_, [&](const ExprPtr &condition) {
      return std::ranges::any_of(around_, [&](const StmtPtr &loop) {
        return mentions(condition, counterOf(*loop).get());
      });
    });
  }

  /// Takes the outer loops that only add up, and that every element in the update's value names, out of the nest.
  void leaveSumsAround() {
    std::vector<ExprPtr> elements;
    forEach(update_->value, [&](const Expr &e) {
      if (e.kind == ExprKind::Index && isContainer(e.args[0]))
        elements.push_back(std::make_shared<Expr>(e));
    });
    while (!loops_.empty()) {
      const Var *counter = counterOf(*loops_.front()).get();
      const bool isInAll = std::ranges::all_of(
          elements, [&](const ExprPtr &element) { return mentions(element, counter); });
      if (mentions(update_->target, counter) || !isInAll)
        return;
      around_.push_back(loops_.front());
      loops_.erase(loops_.begin());
    }
  }

  /// Reads the nest from outside in.
  bool take(const StmtPtr &s, Substitution names) {
    if (s->kind == StmtKind::Block) {
      const std::vector<StmtPtr> all = withoutBlocks({s});
      StmtPtr last;
      for (const StmtPtr &each : all) {
        if (last)
          return false;
        if (each->kind == StmtKind::Comment)
          continue;
        if (each->kind != StmtKind::Decl) {
          last = each;
          continue;
        }
        if (!each->value || each->var->extent || !isInteger(each->var->type.scalar))
          return false;
        const ExprPtr meaning = cast(each->var->type.scalar, substitute(each->value, names));
        if (isLongerThan(meaning, mostNodesOfMeaning))
          return false;
        names[each->var.get()] = meaning;
      }
      return last && take(last, std::move(names));
    }
    if (s->kind == StmtKind::If) {
      if ((s->children.size() > 1 && s->children[1]) || !addConditions(substitute(s->value, names)))
        return false;
      return take(s->children[0], std::move(names));
    }
    if (s->kind == StmtKind::For) {
      const std::optional<CountedLoop> loop = loopToTheEnd(*s);
      if (!loop || !loop->isPlain() || s->unroll < mostRounds || s->lanes > 1 ||
          !isCompileTime(plan_, loop->bound))
        return false;
      loops_.push_back(s);
      return take(loop->body, std::move(names));
    }
    if (s->kind != StmtKind::Assign || s->target->kind != ExprKind::Index ||
        s->target->args[0]->kind != ExprKind::Var ||
        s->target->args[0]->var->kind != VarKind::Local)
      return false;
    auto update = std::make_shared<Stmt>(*s);
    update->value = substitute(s->value, names);
    update->target = substitute(s->target, names);
    update_ = update;
    return !contains(update_->value, [](const Expr &e) { return e.kind == ExprKind::Atomic; });
  }

  Loops loopsOf(const ExprPtr &e) const {
    Loops found;
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      if (mentions(e, counterOf(*loops_[i]).get()))
        found.insert(i);
    }
    return found;
  }

  /// False where one of them asks for an element: which is read no more often than it was.
  bool addConditions(const ExprPtr &e) {
    if (e->kind == ExprKind::Binary && e->op == "&&")
      return addConditions(e->args[0]) && addConditions(e->args[1]);
    if (contains(e, [](const Expr &each) {
          return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic;
        }))
      return false;
    conditions_.push_back(e);
    return true;
  }

  void addGuardOf(const ExprPtr &e) {
    const Loops loops = loopsOf(e);
    const auto same = std::ranges::find(guards_, loops, &Guard::loops);
    if (same == guards_.end())
      guards_.push_back({loops, e, nullptr, nullptr});
    else
      same->condition = binary("&&", same->condition, e);
  }

  /// Whether elements of `array` are held: those of a container and, under some conditions, those of a group's copy.
  bool isContainer(const ExprPtr &array) const {
    if (array->kind != ExprKind::Var)
      return false;
    const Buffer *buffer = plan_.bufferOf(array->var);
    return buffer ? !buffer->access.empty() : asksForMore() && isCopy(array->var);
  }
  /// Whether a condition is more than the end of a tile at an edge, `i < n`, which concerns few groups.
  bool asksForMore() const {
    return std::ranges::any_of(conditions_, [&](const ExprPtr &e) {
      return !isBinary(*e, "<") || std::ranges::none_of(loops_, [&](const StmtPtr &loop) {
        return e->args[0]->kind == ExprKind::Var && e->args[0]->var == counterOf(*loop);
      });
    });
  }
  bool isCopy(const VarPtr &array) const { return copies_.contains(array.get()); }

  /// The elements of containers in `e` that can be held.
  void collect(const ExprPtr &e) {
    if (e->kind == ExprKind::Select || (e->kind == ExprKind::Binary && e->op.isLogic()))
      return; // some of it is not asked for
    if (e->kind == ExprKind::Index && isContainer(e->args[0])) {
      const bool isData = std::any_of(e->args.begin() + 1, e->args.end(), [](const ExprPtr &at) {
        return contains(at, [](const Expr &each) { return each.kind == ExprKind::Index; });
      });
      const Loops loops = loopsOf(e);
      const bool isApart = std::ranges::all_of(guards_, [&](const Guard &guard) {
        return std::ranges::includes(loops, guard.loops) ||
               std::ranges::none_of(guard.loops, [&](std::size_t l) { return loops.contains(l); });
      });
      const bool isKnown =
          std::ranges::any_of(operands_, [&](const Operand &o) { return sameExpr(o.element, e); });
      if (!isData && isApart && !isKnown &&
          (isCopy(e->args[0]->var) || !isWritten(e->args[0]->var)))
        operands_.push_back({e, loops, nullptr});
      return;
    }
    for (const ExprPtr &arg : e->args)
      collect(arg);
  }

  bool isWritten(const VarPtr &array) const {
    return useOf(plan_.body, array.get()).writes || update_->target->args[0]->var == array;
  }

  ExprPtr boundOf(std::size_t loop) const { return loops_[loop]->value->args[1]; }

  VarPtr arrayFor(const std::string &name, Scalar type, const Loops &loops) const {
    auto array = std::make_shared<Var>(*newVariable(name, type));
    array->extent = intLiteral(1);
    for (const std::size_t loop : loops)
      array->extent = mul(array->extent, boundOf(loop));
    return array;
  }

  ExprPtr at(const VarPtr &array, const Loops &loops) const {
    ExprPtr flat = intLiteral(0);
    for (const std::size_t loop : loops)
      flat = add(mul(flat, boundOf(loop)), varRef(counterOf(*loops_[loop])));
    return index(varRef(array), {flat});
  }

  /// `s` in these loops, with counters of their own.
  StmtPtr over(const Loops &loops, StmtPtr s) const {
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop)
      s = unrolledLoop(countingLoop(counterOf(*loops_[*loop]), boundOf(*loop), block({s})),
                       loops_[*loop]->unroll);
    return withOwnVariables(s);
  }

  void addGuard(Guard &guard, std::vector<StmtPtr> &all) const {
    guard.on = arrayFor("on", Scalar::Bool, guard.loops);
    all.push_back(declare(guard.on, nullptr));
    all.push_back(over(guard.loops, assign(at(guard.on, guard.loops), "=", guard.condition)));
  }

  void addAny(const Guard &guard, std::vector<StmtPtr> &all) const {
    all.push_back(declare(guard.any, binary("==", intLiteral(0), intLiteral(1))));
    all.push_back(
        over(guard.loops, assign(varRef(guard.any), "=",
                                 binary("||", varRef(guard.any), at(guard.on, guard.loops)))));
  }

  /// Whether all conditions of a round hold, once for the rounds of the loops that none of them names.
  void addDone(std::vector<StmtPtr> &all) {
    Loops named;
    for (const Guard &guard : guards_)
      named.insert(guard.loops.begin(), guard.loops.end());
    if (guards_.size() < 2 || named.size() == loops_.size())
      return;
    const VarPtr done = arrayFor("done", Scalar::Bool, named);
    all.push_back(declare(done, nullptr));
    all.push_back(over(named, assign(at(done, named), "=", allHold())));
    guards_ = {{named, nullptr, done, nullptr}};
  }

  /// That all conditions of a round hold; null: there are none.
  ExprPtr allHold() const {
    ExprPtr condition;
    for (const Guard &guard : guards_) {
      const ExprPtr own = at(guard.on, guard.loops);
      condition = condition ? binary("&&", condition, own) : own;
    }
    return condition;
  }

  void addOperand(Operand &operand, std::vector<StmtPtr> &all) {
    operand.held = arrayFor(operand.element->args[0]->var->name + "_held",
                            operand.element->type.scalar, operand.loops);
    StmtPtr load = assign(at(operand.held, operand.loops), "=", operand.element);
    ExprPtr own, ofAll; // loads under one condition for all may be vectors
    const auto join = [](ExprPtr &all, const ExprPtr &one) {
      all = all ? binary("&&", all, one) : one;
    };
    for (Guard &guard : guards_) {
      const bool isIn = std::ranges::includes(operand.loops, guard.loops);
      if (!isIn && !guard.any)
        guard.any = newVariable("any", Scalar::Bool);
      if (isIn)
        join(own, at(guard.on, guard.loops));
      else
        join(ofAll, varRef(guard.any));
    }
    if (own)
      load = ifThen(own, block({load}));
    load = over(operand.loops, load);
    all.push_back(declare(operand.held, nullptr));
    all.push_back(ofAll ? ifThen(ofAll, block({load})) : load);
  }

  StmtPtr updated() const {
    auto update = std::make_shared<Stmt>(*update_);
    update->value = rewrite(update_->value, [&](const ExprPtr &e) -> ExprPtr {
      const auto operand =
          std::ranges::find_if(operands_, [&](const Operand &o) { return sameExpr(o.element, e); });
      return operand == operands_.end() ? e : at(operand->held, operand->loops);
    });
    StmtPtr s = update;
    if (const ExprPtr condition = allHold())
      s = ifThen(condition, block({s}));
    Loops all;
    for (std::size_t i = 0; i < loops_.size(); ++i)
      all.insert(i);
    return over(all, s);
  }

  static constexpr unsigned mostRounds = 64;

  const LoweredPlan &plan_;
  const std::set<const Var *> &copies_;
  std::vector<StmtPtr> around_, loops_; ///< from outside in
  std::vector<ExprPtr> conditions_;
  std::vector<Guard> guards_;
  std::vector<Operand> operands_;
  StmtPtr update_;
};

} // namespace

LoweredPlan replaceOperandsByScalars(LoweredPlan plan) {
  std::set<const Var *> copies;
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Allocate && plan.role(s.array->owner) == Role::Group)
      copies.insert(s.var.get());
  });
  const auto run = [&](const auto &self, const StmtPtr &s) -> StmtPtr {
    if (!s)
      return s;
    if (s->kind == StmtKind::For) {
      if (StmtPtr held = UnrolledNest(plan, copies).held(s))
        return held;
    }
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(self(self, child));
    return withChildren(s, std::move(children));
  };
  plan.body = run(run, plan.body);
  return plan;
}

} // namespace tangram::codegen
