// Last-group reduction: a kernel of one group that follows one of many becomes its end, which saves a launch. Each group
// counts itself when it has done its part, and the group that finds all others counted goes on.
//
//   before:  parallel groups { A; partial[group] = x }     one group { B(partial) }
//   after:   parallel groups { A; store partial[group] = x; barrier;
//                              one item: earlier = count(finished);
//                              if (earlier == groups - 1) { B(load partial); one item: finished = 0 } }
//
// The elements that A wrote before its group counted itself are visible to groups that count later (Buffer::countsGroups).
// No group waits for another one: they may run in any order, also one after the other. The last one
// sets the counter back, so that nothing has to be done before the next call.
//
// Kernels stay apart where that would be wrong or not pay:
//   one of another round of the host, or with a swap in between of what B touches
//   groups that take turns, rows of them, and those that wait for each other
//   B needs more items than the groups of A have, or items in rows
//   B writes what A touches, or reads numbers of A's that no atomic operation hands over whole, or that
//   A leaves by loops: so many atomic operations take longer than a launch
//   groups have no atomic operations on u32
//   B needs local memory or registers that A does not: all groups would have to have them
//   a launch costs no more time than groups take to count themselves
#include "algebra/simplify.h"
#include "codegen/analysis/default_groups.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/form/launch.h"
#include "codegen/passes/kernel/passes.h"
#include "composer/machine/machine_expression.h"
#include "ir/swap.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// Tunables that may be larger have no largest value.
constexpr std::uint64_t unboundedValue = 1U << 20U;

/// How some code uses each array.
struct Use {
  bool reads = false;
  bool writes = false;   ///< plainly
  bool combines = false; ///< writes with an operator, in vectors or in loops
  bool atomics = false;
};
using Uses = std::map<const Var *, Use>;

class UseFinder {
public:
  Uses of(const StmtPtr &s) {
    statement(s, false);
    return std::move(uses_);
  }

private:
  void statement(const StmtPtr &s, bool vectors) {
    if (!s)
      return;
    vectors |= s->kind == StmtKind::For && s->lanes > 1;
    const bool goesRound = isLoop(*s) || (s->kind == StmtKind::Parallel && s->span == Span::Turns);
    loops_ += goesRound ? 1 : 0;
    if (s->value)
      expression(s->value, vectors);
    if (s->target) {
      if (const Var *array = arrayOf(*s->target)) {
        uses_[array].writes = true;
        uses_[array].combines |= s->op != "=" || vectors || loops_ > 0;
      }
      for (std::size_t i = 1; i < s->target->args.size(); ++i)
        expression(s->target->args[i], vectors);
    }
    for (const StmtPtr &child : s->children)
      statement(child, vectors);
    loops_ -= goesRound ? 1 : 0;
  }

  void expression(const ExprPtr &e, bool vectors) {
    if (e->kind == ExprKind::Atomic) {
      if (const Var *array = arrayOf(*e->args[0]))
        uses_[array].atomics = true;
      for (std::size_t i = 1; i < e->args[0]->args.size(); ++i)
        expression(e->args[0]->args[i], vectors);
      for (std::size_t i = 1; i < e->args.size(); ++i)
        expression(e->args[i], vectors);
      return;
    }
    if (const Var *array = arrayOf(*e)) {
      uses_[array].reads = true;
      uses_[array].combines |= vectors;
    }
    for (const ExprPtr &arg : e->args)
      expression(arg, vectors);
  }

  int loops_ = 0; ///< around
  Uses uses_;
};

/// What the host does one after the other.
using HostSteps = std::vector<StmtPtr>;

/// A Parallel of groups and the next one, of one group, at these places of a sequence.
struct Pair {
  std::size_t first = 0;
  std::size_t second = 0;
};

class Joining {
public:
  Joining(LoweredPlan &plan, const HostSteps &sequence, const Pair &pair)
      : plan_(plan), sequence_(sequence), pair_(pair), groups_(*sequence[pair.first]),
        one_(*sequence[pair.second]), level_(groups_.level),
        items_(plan.machine->levels[static_cast<std::size_t>(level_)].subordinate) {}

  /// The sequence with one kernel for both; nothing where they stay apart.
  std::optional<HostSteps> run() {
    if (!areOfOneKind() || !haveItems() || !fits() || !saves() || !handsResultsOver())
      return std::nullopt;
    HostSteps children;
    HostSteps swaps; // of arrays that only the first one knows
    std::vector<StmtPtr> comments;
    for (std::size_t i = 0; i < sequence_.size(); ++i) {
      const StmtPtr &each = sequence_[i];
      const bool between = i > pair_.first && i < pair_.second;
      if (between && each->kind == StmtKind::Comment) {
        comments.push_back(each);
      } else if (between && isSwap(*each)) {
        swaps.push_back(each);
      } else if (i == pair_.second) {
        children.push_back(joined(comments));
        children.insert(children.end(), swaps.begin(), swaps.end());
      } else if (i != pair_.first) {
        children.push_back(each);
      }
    }
    return children;
  }

private:
  // ---- whether one kernel can do what two do

  bool isSingle(const Stmt &groups) const { return groups.span == Span::One; }

  /// Groups that are there once each, and know how many they are: at least one.
  bool areOfOneKind() const {
    if (!isSingle(one_) || one_.level != level_ || items_ < 0 || plan_.role(items_) < Role::Warp ||
        plan_.role(items_) > Role::Item || !plan_.workers.contains(items_))
      return false;
    const Tunable *count =
        groups_.value->kind == ExprKind::Var ? plan_.tunableOf(groups_.value->var) : nullptr;
    const bool counted = groups_.span == Span::All && count &&
                         count->kind == Tunable::Kind::Launch && count->min >= 1;
    if (!isSingle(groups_) && !counted)
      return false;
    const auto &atomics = plan_.machine->levels[static_cast<std::size_t>(level_)].atomics;
    bool plain = isSingle(groups_) || std::ranges::find(atomics, "u32") != atomics.end();
    for (const Stmt *each : {&groups_, &one_}) {
      plain &= !handsOver(each->children[0]);
      forEach(each->children[0], [&](const Stmt &s) {
        const bool workers = s.kind == StmtKind::Parallel;
        plain &= s.kind != StmtKind::Return &&
                 !(workers && (plan_.role(s.level) == Role::Group ||
                               (plan_.role(s.level) == Role::Item && isRowOfItems(plan_, s))));
      });
    }
    return plain;
  }

  bool hasWarps() const { return plan_.role(items_) == Role::Warp; }

  /// `body`, done by the first item of the group alone; where there are warps, by that of the first warp.
  StmtPtr byFirstItem(StmtPtr body) const {
    if (!hasWarps())
      return oneOf(items_, std::move(body));
    const int lanes = plan_.machine->levels[static_cast<std::size_t>(items_)].subordinate;
    return oneOf(items_, block({oneOf(lanes, std::move(body))}));
  }

  /// Items of a group, those of all its warps.
  ExprPtr itemsOfGroup() const {
    ExprPtr items = plan_.workers.at(items_);
    for (const auto &[level, count] : plan_.workers) {
      if (hasWarps() && plan_.role(level) == Role::Item)
        items = binary("*", items, count);
    }
    return items;
  }

  bool isOfItems(const Stmt &groups) const {
    const Var *count = plan_.workers.at(items_)->var.get();
    bool found = false;
    forEach(groups.children[0], [&](const Stmt &s) {
      found |=
          s.kind == StmtKind::Parallel && plan_.role(s.level) == Role::Item && s.span != Span::One;
    });
    forEachExpr(groups.children[0],
                [&](const Expr &e) { found |= e.kind == ExprKind::Var && e.var.get() == count; });
    return found;
  }

  /// Groups that have been of one item each would all get those of the last.
  bool haveItems() const { return isSingle(groups_) || isOfItems(groups_) || !isOfItems(one_); }

  /// What an expression is with values for its tunables; nothing where one has none.
  template <typename F> std::optional<double> with(F &&valueOf, const ExprPtr &count) const {
    const auto number = valueWith(plan_, count, [&](const Tunable &tunable) {
      const std::optional<std::uint64_t> value = valueOf(tunable);
      return value && *value <= unboundedValue ? value : std::nullopt;
    });
    return number ? std::optional(static_cast<double>(*number)) : std::nullopt;
  }

  static std::optional<std::uint64_t> largest(const Tunable &t) {
    return t.values.empty() ? t.max
                            : static_cast<std::uint64_t>(*std::ranges::max_element(t.values));
  }

  static std::optional<std::uint64_t> usual(const Tunable &t) {
    return composer::plainNumber(t.defaultValue);
  }

  static double bytesOf(const Var &var) { return static_cast<double>(byteSize(var.type.scalar)); }

  bool fits() const { return fitsLocally() && fitsPrivately(); }

  std::vector<const Buffer *> localsOf(const Stmt &groups) const {
    std::vector<const Buffer *> found;
    for (const Buffer &b : plan_.buffers) {
      bool used = false;
      forEachExpr(groups.children[0], [&](const Expr &e) { used |= e.var == b.var; });
      if (used && b.space != Space::Global)
        found.push_back(&b);
    }
    return found;
  }

  /// Arrays of the last group lie where the first part had such (share-memory), or all together are
  /// within what any device has.
  bool fitsLocally() const {
    std::vector<const Buffer *> before = localsOf(groups_);
    double more = 0;
    double all = 0;
    bool bounded = true;
    auto add = [&](const Buffer &b, double &to) {
      const std::optional<double> count = with(largest, b.count);
      bounded &= count.has_value();
      to += count.value_or(0) * bytesOf(*b.var);
    };
    for (const Buffer *b : localsOf(one_)) {
      const auto alike = std::ranges::find_if(before, [&](const Buffer *each) {
        return each->var->type.scalar == b->var->type.scalar && sameExpr(each->count, b->count) &&
               each->space == b->space;
      });
      if (alike != before.end())
        before.erase(alike);
      else
        add(*b, more);
    }
    if (bounded && more <= spareBytes())
      return true;
    for (const Buffer *b : localsOf(groups_))
      add(*b, all);
    return bounded && more + all <= localBytes();
  }

  std::optional<double> privateBytes(const Stmt &groups) const {
    std::optional<double> bytes = 0;
    forEach(groups.children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Decl || !s.var->extent || !bytes)
        return;
      const std::optional<double> count = with(usual, s.var->extent);
      bytes = count ? std::optional(*bytes + *count * bytesOf(*s.var)) : std::nullopt;
    });
    return bytes;
  }

  double spareBytes() const { return static_cast<double>(plan_.machine->code.spareBytes); }

  /// Of a group, that may be used: what code takes for granted, or the less that there is.
  double localBytes() const {
    std::uint64_t bytes = plan_.machine->code.localBytes;
    for (const composer::Level &level : plan_.machine->levels) {
      const composer::Memory *local = level.memoryNamed("local");
      const std::uint64_t most = local ? local->bytesIn(plan_.target->name) : 0;
      bytes = most == 0 ? bytes : std::min(bytes, most);
    }
    return static_cast<double>(bytes);
  }

  bool fitsPrivately() const {
    const std::optional<double> first = privateBytes(groups_);
    const std::optional<double> second = privateBytes(one_);
    return second && (*second <= spareBytes() || (first && *second <= *first));
  }

  /// A group that counts itself waits for memory before it makes room for another one: once for each wave
  /// of groups. With as many as there are by default, that has to be less than a launch takes.
  bool saves() const {
    const composer::Costs &costs = plan_.machine->costs;
    const double items = with(usual, itemsOfGroup()).value_or(1);
    return isSingle(groups_) ||
           costs.launchSeconds >
               costs.memorySeconds * mostDefaultWaves(plan_, groups_.value, items);
  }

  static bool isHandedOver(Scalar type) {
    return type == Scalar::I32 || type == Scalar::U32 || type == Scalar::F32 ||
           type == Scalar::I64 || type == Scalar::U64 || type == Scalar::F64;
  }

  /// What the groups leave for the last one: arrays that are only written before, and only read after.
  bool handsResultsOver() {
    const Uses before = UseFinder().of(groups_.children[0]);
    const Uses after = UseFinder().of(one_.children[0]);
    for (const Buffer &b : plan_.buffers) {
      const auto then = before.find(b.var.get());
      const auto now = after.find(b.var.get());
      if (b.space != Space::Global || then == before.end() || now == after.end() ||
          isSingle(groups_))
        continue;
      if (now->second.writes || now->second.atomics)
        return false;
      if (!then->second.writes && !then->second.atomics)
        continue;
      const bool handed = isHandedOver(b.var->type.scalar) && !then->second.reads &&
                          !then->second.combines && !now->second.combines &&
                          !(then->second.writes && then->second.atomics);
      if (!handed)
        return false;
      results_.insert(b.var.get());
    }
    return true;
  }

  // ---- the one kernel

  ExprPtr withLoads(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) {
      return results_.contains(arrayOf(*each)) ? atomicAt("load", each) : each;
    });
  }

  StmtPtr withStores(const StmtPtr &body) const {
    return rewrite(body, [&](const StmtPtr &s) {
      return s->kind == StmtKind::Assign && results_.contains(arrayOf(*s->target))
                 ? eval(atomicAt("store", s->target,
                                 {simplify(cast(s->target->type.scalar, s->value))}))
                 : s;
    });
  }

  /// Code of a group without items is one item's among others.
  StmtPtr ofGroup(const Stmt &groups) const {
    const StmtPtr &body = groups.children[0];
    return hasWorkers(plan_, body, Role::Item) ? body : byFirstItem(body);
  }

  StmtPtr lastPart() const {
    StmtPtr body = ofGroup(one_);
    if (one_.var)
      body = substitute(body, {{one_.var.get(), intLiteral(0)}});
    return withOwnVariables(mapExprs(body, [&](const ExprPtr &e) { return withLoads(e); }));
  }

  StmtPtr joined(const std::vector<StmtPtr> &comments) {
    std::vector<StmtPtr> last = comments;
    last.push_back(lastPart());
    std::vector<StmtPtr> body{withStores(ofGroup(groups_))};
    if (isSingle(groups_) && meetsInLoops(one_))
      body.push_back(barrier(level_)); // else PoCL 3.1 may lose what one item did right before
    if (isSingle(groups_))
      body.insert(body.end(), last.begin(), last.end());
    else
      count(body, last);
    return withChildren(sequence_[pair_.first], {block(std::move(body))});
  }

  /// Whether the items of a group go round together.
  bool meetsInLoops(const Stmt &groups) const {
    bool found = false;
    forEach(groups.children[0],
            [&](const Stmt &s) { found |= isLoop(s) && hasItems(s.children.back()); });
    return found;
  }

  bool hasItems(const StmtPtr &s) const { return hasWorkers(plan_, s, Role::Item); }

  /// By the item that counts.
  bool areStoredByOne() const {
    std::size_t all = 0;
    std::size_t byOne = 0;
    auto stores = [&](const StmtPtr &code) {
      std::size_t found = 0;
      forEach(code, [&](const Stmt &s) {
        found += s.kind == StmtKind::Assign && results_.contains(arrayOf(*s.target));
      });
      forEachExpr(code, [&](const Expr &e) {
        found += e.kind == ExprKind::Atomic && results_.contains(arrayOf(*e.args[0]));
      });
      return found;
    };
    all = stores(groups_.children[0]);
    forEach(groups_.children[0], [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && s.span == Span::One && plan_.role(s.level) == Role::Item)
        byOne += stores(s.children[0]);
    });
    return all == byOne;
  }

  /// Where one item does something last, it does this too.
  void countAfter(std::vector<StmtPtr> &body, const StmtPtr &counted) const {
    std::vector<StmtPtr> all = withoutBlocks(body);
    std::vector<StmtPtr> one{counted};
    if (const StmtPtr &last = all.back(); last->kind == StmtKind::Parallel &&
                                          last->span == Span::One && !last->var &&
                                          last->level == items_) {
      one.insert(one.begin(), last->children[0]);
      one = withoutBlocks(one);
      all.pop_back();
    }
    all.push_back(oneOf(items_, block(one)));
    body = std::move(all);
  }

  void count(std::vector<StmtPtr> &body, std::vector<StmtPtr> last) {
    const VarPtr finished = newVariable("finished", Scalar::U32, VarKind::Buffer);
    const VarPtr told = newVariable("earlier", Scalar::U32, VarKind::Buffer);
    const VarPtr earlier = newVariable("earlier", Scalar::U32);
    plan_.buffers.push_back({finished, Space::Global, intLiteral(1), ""});
    plan_.buffers.back().countsGroups = true;
    plan_.buffers.push_back({told, Space::Local, intLiteral(1), ""});
    auto cell = [](const VarPtr &array) { return index(varRef(array), {intLiteral(0)}); };
    const ExprPtr one = intLiteral(1, Scalar::U32);
    const ExprPtr others = cast(Scalar::U32, sub(groups_.value, intLiteral(1)));

    const StmtPtr counted = assign(cell(told), "=", atomicAt("add", cell(finished), {one}));
    if (!hasWarps() && areStoredByOne()) {
      countAfter(body, counted);
    } else {
      body.push_back(barrier(level_)); // all items of the group have done their part
      body.push_back(byFirstItem(block({counted})));
    }
    body.push_back(declare(earlier, cell(told)));
    // At the end: before loops with barriers PoCL 3.1 loses it.
    last.push_back(byFirstItem(
        block({eval(atomicAt("store", cell(finished), {intLiteral(0, Scalar::U32)}))})));
    last.insert(last.begin(), comment("the last group goes on"));
    body.push_back(ifThen(binary("==", varRef(earlier), others), block(std::move(last))));
  }

  LoweredPlan &plan_;
  const HostSteps &sequence_;
  Pair pair_;
  const Stmt &groups_;
  const Stmt &one_;
  int level_;
  int items_;
  std::set<const Var *> results_;
};

bool readsMemory(const ExprPtr &e) {
  return contains(e, [](const Expr &each) {
    return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic;
  });
}

bool isLaunch(const LoweredPlan &plan, const Stmt &s) {
  return s.kind == StmtKind::Parallel && plan.role(s.level) == Role::Group;
}

/// Launches with nothing in between but names of numbers, and swaps of what the second one does not
/// know; the last ones first.
std::vector<Pair> pairsOf(const LoweredPlan &plan, const HostSteps &sequence) {
  std::vector<Pair> pairs;
  std::optional<std::size_t> before;
  std::set<const Var *> swapped; // since the launch before
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const Stmt &s = *sequence[i];
    const bool name = s.kind == StmtKind::Decl && s.value && !readsMemory(s.value);
    if (s.kind == StmtKind::Comment || name)
      continue;
    if (isSwap(s)) {
      for (const ExprPtr &each : s.value->args)
        swapped.insert(each->var.get());
      continue;
    }
    bool knows = false;
    forEachExpr(sequence[i], [&](const Expr &e) { knows |= swapped.contains(e.var.get()); });
    if (isLaunch(plan, s) && before && !knows)
      pairs.push_back({*before, i});
    before = isLaunch(plan, s) ? std::optional(i) : std::nullopt;
    swapped.clear();
  }
  std::ranges::reverse(pairs);
  return pairs;
}

/// A kernel's constants that are elements of memory are what they are when it starts.
bool hasConstantsOfMemory(const StmtPtr &s) {
  return s && s->kind != StmtKind::Parallel &&
         ((s->kind == StmtKind::Decl && s->value && readsMemory(s->value)) ||
          std::ranges::any_of(s->children, hasConstantsOfMemory));
}

/// What the host does, in rounds too.
StmtPtr finish(LoweredPlan &plan, const StmtPtr &s) {
  if (!s || s->kind == StmtKind::Parallel)
    return s;
  HostSteps sequence = s->children;
  for (StmtPtr &each : sequence)
    each = finish(plan, each);
  for (bool found = s->kind == StmtKind::Block; found;) {
    found = false;
    for (const Pair &pair : pairsOf(plan, sequence)) {
      std::optional<HostSteps> joined = Joining(plan, sequence, pair).run();
      if (!joined)
        continue;
      sequence = std::move(*joined);
      found = true;
      break;
    }
  }
  return withChildren(s, std::move(sequence));
}

} // namespace

LoweredPlan finishInLastGroup(LoweredPlan plan) {
  if (!plan.target->groupsRunInKernels || !plan.machine || hasConstantsOfMemory(plan.body))
    return plan;
  plan.body = finish(plan, plan.body);
  return plan;
}

} // namespace tangram::codegen
