#include "codegen/analysis/item_footprints.h"

#include "algebra/overlap.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "ir/assigned_variables.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

// Names stand for expressions of names: deep nests of tilings grow exponentially when they are
// written out. What is larger than this is not looked at, and may conflict.
constexpr std::size_t largestFootprint = 1500; // nodes of the expressions of one pair
constexpr std::size_t mostOfPlan = 20'000;     // of all pairs of a plan

} // namespace

/// Where an access stands in its piece.
struct ItemFootprints::Context {
  ExprPtr position;
  VarPtr worker; ///< of the piece
  ExprPtr items; ///< how many there are
  struct Loop {
    VarPtr var;
    ExprPtr first, step, end; ///< end: exclusive
  };
  std::vector<Loop> loops;
  std::vector<std::pair<ExprPtr, bool>> conditions; ///< and whether they hold
};

/// Walks a piece and finds the contexts of all accesses in it.
class ItemFootprints::Reading {
public:
  explicit Reading(Contexts &found) : found_(found) {}

  /// `s`, in loops that all items go round together.
  void piece(const Stmt &s, const std::vector<const Stmt *> &loops) {
    for (const Stmt *loop : loops)
      enterLoop(*loop);
    here_.worker = s.var;
    here_.items = s.value;
    walk(s.children[0]);
  }

private:
  void walk(const StmtPtr &s) {
    if (!s)
      return;
    forEachOwnExpr(*s, [&](const ExprPtr &e) { read(e); });
    if (s->kind == StmtKind::If) {
      for (std::size_t i = 0; i < s->children.size(); ++i) {
        here_.conditions.emplace_back(s->value, i == 0);
        walk(s->children[i]);
        here_.conditions.pop_back();
      }
      return;
    }
    const std::size_t outer = here_.loops.size();
    if (s->kind == StmtKind::For)
      enterLoop(*s);
    if (s->kind == StmtKind::Parallel && s->var)
      here_.loops.push_back({s->var, intLiteral(0), intLiteral(1), s->value});
    for (const StmtPtr &child : s->children)
      walk(child);
    here_.loops.resize(outer);
  }

  /// for (i = first; i < end; i += step), i changing in no other way.
  void enterLoop(const Stmt &s) {
    const StmtPtr &init = s.children[0];
    const StmtPtr &next = s.children[1];
    bool counts = init && next && s.value && init->kind == StmtKind::Decl && init->value &&
                  next->kind == StmtKind::Assign && next->op == "+=" &&
                  next->target->var == init->var && s.value->kind == ExprKind::Binary &&
                  s.value->op == "<" && s.value->args[0]->var == init->var &&
                  init->var->type.scalar == Scalar::Index;
    if (!counts)
      return;
    forEach(s.children[2], [&](const Stmt &each) {
      counts &= each.kind != StmtKind::Assign || each.target->var != init->var;
    });
    if (counts)
      here_.loops.push_back({init->var, init->value, next->value, s.value->args[1]});
  }

  void read(const ExprPtr &e) {
    if (e->kind == ExprKind::Select) {
      read(e->args[0]);
      for (std::size_t i = 1; i < 3; ++i) {
        here_.conditions.emplace_back(e->args[0], i == 1);
        read(e->args[i]);
        here_.conditions.pop_back();
      }
      return;
    }
    if (e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var) {
      Context context = here_;
      context.position = e->args[1];
      found_.emplace(e.get(), std::move(context));
    }
    for (const ExprPtr &arg : e->args)
      read(arg);
  }

  Contexts &found_;
  Context here_;
};

ItemFootprints::ItemFootprints(const LoweredPlan &plan)
    : plan_(plan), changing_(assignedIn(plan.body)) {
  std::set<const Var *> declared;
  forEach(plan.body, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && !declared.insert(s.var.get()).second)
      changing_.insert(s.var.get());
  });
  collectNames(plan.body, false);
  std::vector<const Stmt *> loops;
  collectLoops(plan.body, loops);
}

ItemFootprints::~ItemFootprints() = default;

void ItemFootprints::collectNames(const StmtPtr &s, bool varies) {
  if (!s)
    return;
  if (s->kind == StmtKind::Decl && s->value && !s->var->extent &&
      !changing_.contains(s->var.get())) {
    bool reads = contains(s->value, [](const Expr &e) {
      return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic;
    });
    if (!reads)
      definitions_[s->var.get()] = s->value;
    else if (!varies)
      stable_.insert(s->var.get());
  }
  varies |= s->kind == StmtKind::For || s->kind == StmtKind::While ||
            s->kind == StmtKind::DoWhile ||
            (s->kind == StmtKind::Parallel && plan_.role(s->level) >= Role::Warp);
  for (const StmtPtr &child : s->children)
    collectNames(child, varies);
}

void ItemFootprints::collectLoops(const StmtPtr &s, std::vector<const Stmt *> &loops) {
  if (!s)
    return;
  if (s->kind == StmtKind::Parallel)
    around_[s.get()] = loops;
  const bool isLoop = s->kind == StmtKind::For;
  if (isLoop)
    loops.push_back(s.get());
  for (const StmtPtr &child : s->children)
    collectLoops(child, loops);
  if (isLoop)
    loops.pop_back();
}

const ItemFootprints::Contexts &ItemFootprints::contextsOf(const Stmt *piece) {
  std::unique_ptr<Contexts> &contexts = contexts_[piece];
  if (!contexts) {
    contexts = std::make_unique<Contexts>();
    Reading(*contexts).piece(*piece, around_[piece]);
  }
  return *contexts;
}

bool ItemFootprints::differ(const Access &a, const Access &b) {
  if (!a.piece || !b.piece)
    return false;
  auto [known, isNew] = known_.try_emplace({a.site, b.site}, false);
  if (!isNew)
    return known->second;
  auto buffer = std::find_if(plan_.buffers.begin(), plan_.buffers.end(),
                             [&](const Buffer &each) { return each.var.get() == a.buffer; });
  bool global = buffer != plan_.buffers.end() && buffer->space == Space::Global;
  auto [firstA, lastA] = contextsOf(a.piece).equal_range(a.site);
  auto [firstB, lastB] = contextsOf(b.piece).equal_range(b.site);
  bool all = firstA != lastA && firstB != lastB;
  for (auto i = firstA; all && i != lastA; ++i) {
    for (auto k = firstB; all && k != lastB; ++k)
      all = differ(i->second, k->second, global);
  }
  return known_[{a.site, b.site}] = all;
}

/// The elements that one item accesses in a context. What is known of the numbers in it becomes facts.
class ItemFootprints::Footprint {
public:
  /// `limit`: of the work of all footprints, from which on numbers are unknown.
  Footprint(ItemFootprints &all, Inequalities &facts, const Context &context, ExprPtr item,
            bool global, std::size_t limit)
      : all_(all), facts_(facts), context_(context), item_(std::move(item)), global_(global),
        limit_(limit) {}

  Lmad find() {
    for (const Context::Loop &loop : context_.loops)
      assumeRounds(loop);
    for (const auto &[condition, holds] : context_.conditions)
      facts_.assumeCondition(meaning(condition), holds);
    return byRounds(facts_.of(meaning(context_.position)), rounds_);
  }

  /// Whether it depends on the item.
  bool isOfItem() const { return isOfItem_; }

private:
  /// The loop's counter is `first + round * step`, and below the end in the last round as in this one.
  void assumeRounds(const Context::Loop &loop) {
    const ExprPtr round = varRef(newVariable("round", Scalar::Index));
    const Polynomial step = facts_.of(meaning(loop.step));
    const Polynomial first = facts_.of(meaning(loop.first));
    const Polynomial end = facts_.of(meaning(loop.end));
    const Polynomial count = Polynomial::of(facts_.unknown());
    facts_.assume(step - 1);
    facts_.assume(end - 1 - first - (count - 1) * step);
    facts_.assume(count - 1 - facts_.of(round));
    rounds_.emplace_back(facts_.of(round).terms().begin()->first[0], count);
    counters_[loop.var.get()] =
        binary("+", meaning(loop.first), binary("*", round, meaning(loop.step)));
  }

  /// `e` with the item's own numbers in the place of names. What may change between looks at it is a new unknown each
  /// time.
  ExprPtr meaning(const ExprPtr &e) {
    if (++all_.work_ > limit_)
      return varRef(newVariable("unknown", e->type.scalar));
    if (e->kind == ExprKind::Index || e->kind == ExprKind::Atomic)
      return varRef(newVariable("read", e->type.scalar));
    if (e->kind == ExprKind::Var)
      return meaningOfName(e);
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(meaning(arg));
    return withArgs(e, std::move(args));
  }

  ExprPtr meaningOfName(const ExprPtr &e) {
    const Var *v = e->var.get();
    if (e->var == context_.worker) {
      isOfItem_ = true;
      return item_;
    }
    if (const auto counter = counters_.find(v); counter != counters_.end())
      return counter->second;
    if (const auto definition = all_.definitions_.find(v); definition != all_.definitions_.end())
      return cast(v->type.scalar, meaning(definition->second));
    // The memory of a group stays as it is from one of its turns to the next.
    const bool same = v->kind == VarKind::Param ||
                      (global_ && (all_.stable_.contains(v) || v->kind == VarKind::Worker));
    return same ? e : varRef(newVariable("unknown", v->type.scalar));
  }

  ItemFootprints &all_;
  Inequalities &facts_;
  const Context &context_;
  ExprPtr item_;
  bool global_;
  std::size_t limit_;
  bool isOfItem_ = false;
  std::map<const Var *, ExprPtr> counters_;
  std::vector<std::pair<Atom, Polynomial>> rounds_; ///< and how many
};

bool ItemFootprints::differ(const Context &a, const Context &b, bool global) {
  return differInOrder(a, b, global, true) && differInOrder(a, b, global, false);
}

/// The same where the item in `a` has the less number, or the greater one.
bool ItemFootprints::differInOrder(const Context &a, const Context &b, bool global, bool less) {
  if (work_ >= mostOfPlan)
    return false;
  const std::size_t limit = work_ + largestFootprint;
  Inequalities facts;
  assumePlan(facts, plan_);
  const ExprPtr one = varRef(newVariable("item", Scalar::Index));
  const ExprPtr other = varRef(newVariable("item", Scalar::Index));
  const Polynomial distance = facts.of(other) - facts.of(one);
  facts.assume((less ? distance : -distance) - 1);
  facts.assume(facts.of(a.items) - 1 - facts.of(one));
  facts.assume(facts.of(a.items) - 1 - facts.of(other));
  Footprint ofOne(*this, facts, a, one, global, limit);
  const Lmad first = ofOne.find();
  if (!ofOne.isOfItem())
    return false;
  Footprint ofOther(*this, facts, b, other, global, limit);
  const Lmad second = ofOther.find();
  return ofOther.isOfItem() && work_ <= limit && disjoint(first, second, facts);
}

} // namespace tangram::codegen
