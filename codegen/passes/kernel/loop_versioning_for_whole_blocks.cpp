// Loop versioning for whole blocks: where a tile is a multiple of the blocks that items take, which is known when a kernel is
// compiled, no element of a block is past the end of the tile.
//
//   before:  for (part < (U + 7) / 8 * T) { j = part / T * 8;  for (r < 8) if (j + r < U) A }
//   after:   for (part < (U + 7) / 8 * T) { j = part / T * 8;  for (r < 8) if (U % 8 == 0 || j + r < U) A }
//
// for what is then always so: compilers leave out what is compared, and what is done otherwise. Also of loops from one
// block's first element to the next one's, for (j = 0; j < U; j += 8).
#include "algebra/simplify.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/analysis/multiples.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr unsigned effort = 60; // goals that a proof may look at

/// So many elements of a tile, a tunable, are a block.
struct Blocks {
  const Tunable *tile;
  std::int64_t length;
};

/// The numbers below a bound that workers take, or rounds of a loop.
struct Counter {
  VarPtr i;
  ExprPtr start; ///< null: 0
  ExprPtr bound;
  ExprPtr step; ///< null: 1
};

std::optional<Counter> counterOf(const Stmt &s) {
  if (s.kind == StmtKind::Parallel && s.var)
    return Counter{s.var, nullptr, s.value, nullptr};
  const auto loop = s.kind == StmtKind::For ? countedLoop(s) : std::nullopt;
  if (!loop || loop->i->type.scalar != Scalar::Index || assigns(loop->body, loop->i.get()))
    return std::nullopt;
  return Counter{loop->i, loop->start, loop->bound, loop->step};
}

bool isMultiple(const ExprPtr &e, std::int64_t of) {
  const auto number = literalValue(e);
  if (number || e->kind != ExprKind::Binary || e->type.scalar != Scalar::Index)
    return number && *number % of == 0;
  const bool first = isMultiple(e->args[0], of), second = isMultiple(e->args[1], of);
  return e->op == "*" ? first || second : e->op == "+" && first && second;
}

/// The largest literal factor.
std::int64_t factorOf(const ExprPtr &e) {
  if (isBinary(*e, "*"))
    return std::max(factorOf(e->args[0]), factorOf(e->args[1]));
  return literalValue(e).value_or(1);
}

/// Whether blocks are asked to be whole.
bool asksWhole(const ExprPtr &e) {
  return isBinary(*e, "||") && isBinary(*e->args[0], "==") && isBinary(*e->args[0]->args[0], "%");
}

class WholeBlocks {
public:
  explicit WholeBlocks(const LoweredPlan &plan) : plan_(plan) {
    forEach(plan.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::For)
        increments_.insert(s.children[1].get());
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var &&
          !increments_.contains(&s))
        assigned_.insert(s.target->var.get());
    });
  }

  /// What is done by items of a group.
  StmtPtr of(const StmtPtr &s) {
    return rewrite(s, [&](const StmtPtr &each) {
      StmtPtr now = each;
      const auto counter = counterOf(*each);
      for (const Blocks &blocks : counter ? blocksOf(*counter) : std::vector<Blocks>{})
        now = whole(now, blocks);
      return now;
    });
  }

private:
  /// Those that the counter goes over.
  std::vector<Blocks> blocksOf(const Counter &counter) const {
    std::vector<Blocks> found;
    const auto add = [&](const ExprPtr &tile, std::int64_t length) {
      const Tunable *tunable = tile->kind == ExprKind::Var ? plan_.tunableOf(tile->var) : nullptr;
      if (tunable && tunable->kind == Tunable::Kind::Compile && length > 1 &&
          length <= INT32_MAX) // a large step is one below 0
        found.push_back({tunable, length});
    };
    if (counter.step)
      if (const std::int64_t length = factorOf(counter.step); isMultiple(counter.start, length))
        add(counter.bound, length);
    ir::forEach(counter.bound, [&](const Expr &e) {
      // (U + 7) / 8
      if (isBinary(e, "/") && isBinary(*e.args[0], "+"))
        if (const auto length = literalValue(e.args[1]);
            length && isLiteral(e.args[0]->args[1], *length - 1))
          add(e.args[0]->args[0], *length);
    });
    return found;
  }

  StmtPtr whole(const StmtPtr &s, const Blocks &blocks) {
    const VarPtr &tile = blocks.tile->var;
    Inequalities known = GrowingPlanFacts(plan_).now();
    const Polynomial count = Polynomial::of(known.unknown());
    const Polynomial extent = count * Polynomial(blocks.length);
    known.assume(known.of(varRef(tile)) - extent);
    known.assume(extent - known.of(varRef(tile)));
    known.assume(count - 1);
    known.define(tile, extent);
    const Polynomial rounded = known.of(
        binary("/", add(varRef(tile), intLiteral(blocks.length - 1)), intLiteral(blocks.length)));
    known.assume(rounded - count);
    known.assume(count - rounded);
    blocks_ = blocks;
    known_ = std::move(known);
    counters_.clear();
    const StmtPtr now = inside(s);
    return now == s || !alwaysWhole() ? now : simplify(now, {.proofs = plan_.proofs});
  }

  StmtPtr inside(const StmtPtr &s) {
    if (!s)
      return s;
    if (isLoop(*s) || s->kind == StmtKind::Parallel || s->kind == StmtKind::Block ||
        s->kind == StmtKind::If) {
      const Inequalities outside = known_;
      const auto counter = counterOf(*s);
      if (counter)
        note(*counter);
      const StmtPtr asked = s->kind == StmtKind::If ? mapOwn(s) : s;
      // Whole blocks never do what is done otherwise.
      const bool first = asked->value != s->value && !isBinary(*asked->value, "&&");
      std::vector<StmtPtr> children;
      for (std::size_t i = 0; i < s->children.size(); ++i) {
        const bool kept = (s->kind == StmtKind::For && i < 2) || (first && i == 1);
        children.push_back(kept ? s->children[i] : inside(s->children[i]));
      }
      known_ = outside;
      return withChildren(asked, std::move(children));
    }
    const StmtPtr now = mapOwn(s);
    if (s->kind == StmtKind::Decl)
      note(*s);
    return now;
  }

  /// With what it compares itself; of a branch, what it asks.
  StmtPtr mapOwn(const StmtPtr &s) const {
    if (!s->value)
      return s;
    const ExprPtr value = compared(s->value);
    if (value == s->value)
      return s;
    auto now = std::make_shared<Stmt>(*s);
    now->value = value;
    return now;
  }

  ExprPtr compared(const ExprPtr &e) const {
    if (asksWhole(e))
      return e;
    if (isTrue(e))
      return alwaysWhole() ? intLiteral(1, Scalar::Bool) : binary("||", isWhole(), e);
    std::vector<ExprPtr> args;
    for (const ExprPtr &arg : e->args)
      args.push_back(compared(arg));
    return withArgs(e, std::move(args));
  }

  /// Whether it is a comparison with a number known when a kernel is compiled, and holds in whole blocks.
  bool isTrue(const ExprPtr &e) const {
    if (e->kind != ExprKind::Binary || (e->op != "<" && e->op != "<=") ||
        e->args[0]->type.scalar != Scalar::Index || e->args[1]->type.scalar != Scalar::Index ||
        !isShort(plan_, e->args[1]) || isShort(plan_, e->args[0]) || !isSteady(e->args[0]))
      return false;
    Inequalities known = known_;
    const Polynomial a = known.of(e->args[0]), b = known.of(e->args[1]);
    if (known.mayWrap(a) || known.mayWrap(b))
      return false;
    return known.isNonNegative(b - a - (e->op == "<" ? 1 : 0), effort);
  }

  /// Whether nothing in it is read or assigned.
  bool isSteady(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             each.kind == ExprKind::Call || (each.var && assigned_.contains(each.var.get()));
    });
  }

  void note(const Counter &counter) {
    if (!isShort(plan_, counter.bound))
      return;
    const Polynomial i = known_.of(varRef(counter.i)), bound = known_.of(counter.bound);
    known_.assume(bound - i - 1);
    counters_[counter.i.get()] = counter.bound;
    // From the first element of a block to that of another one.
    const std::int64_t length = blocks_.length;
    if (counter.step && sameExpr(counter.bound, varRef(blocks_.tile->var)) &&
        isMultiple(counter.start, length) && isMultiple(counter.step, length))
      known_.assume(bound - i - length);
  }

  void note(const Stmt &s) {
    if (!s.value || s.var->type.scalar != Scalar::Index || assigned_.contains(s.var.get()) ||
        !isSteady(s.value))
      return;
    ir::forEach(s.value, [&](const Expr &e) { noteQuotient(e); });
    known_.define(s.var, known_.of(s.value));
  }

  /// Of numbers below a * b those divided by a are below b.
  void noteQuotient(const Expr &e) {
    const auto bound = isBinary(e, "/") && e.args[0]->kind == ExprKind::Var
                           ? counters_.find(e.args[0]->var.get())
                           : counters_.end();
    if (bound == counters_.end() || !isBinary(*bound->second, "*"))
      return;
    for (const std::size_t i : {0, 1}) {
      if (sameExpr(bound->second->args[i], e.args[1]))
        known_.assume(known_.of(bound->second->args[1 - i]) -
                      known_.of(binary("/", e.args[0], e.args[1])) - 1);
    }
  }

  ExprPtr isWhole() const {
    return binary("==", binary("%", varRef(blocks_.tile->var), intLiteral(blocks_.length)),
                  intLiteral(0));
  }

  /// Whether every value that the tile's extent may have is a multiple.
  bool alwaysWhole() const { return takesMultiplesOf(*blocks_.tile, blocks_.length); }

  const LoweredPlan &plan_;
  std::set<const Stmt *> increments_;
  std::set<const Var *> assigned_; ///< other than by loops that count
  Blocks blocks_{};                ///< that are taken as whole
  Inequalities known_;             ///< at the place
  std::map<const Var *, ExprPtr> counters_;
};

} // namespace

LoweredPlan wholeBlocks(LoweredPlan plan) {
  WholeBlocks blocks(plan);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Parallel || plan.role(s->level) != Role::Group)
      return s;
    const StmtPtr body = blocks.of(s->children[0]);
    return body == s->children[0] ? s : withChildren(s, {body});
  });
  return plan;
}

} // namespace tangram::codegen
