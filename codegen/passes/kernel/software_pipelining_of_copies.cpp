// Software pipelining: the tile of the next round is loaded into registers while the items of the group compute with the
// tile of this round, so that they do not wait for it:
//
//   before: for (part < parts) { parallel e < M { tile[e] = in[part * M + e]; }  A }
//   after:  T next[R];                                                    (R: M / items, rounded up)
//           parallel item { for (r < R) next[r] = in[item + r * items]; }
//           for (part < parts) {
//             parallel item { for (r < R) tile[item + r * items] = next[r]; }
//             if (part + 1 < parts)
//               parallel item { for (r < R) next[r] = in[(part + 1) * M + item + r * items]; }
//             A
//           }
//
// It takes statements that say that they copy (ir/stmt.h, `copies`), from arrays that no kernel writes, where registers are
// enough for what the tunables are by default.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/plan_facts.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr unsigned completely = 64; ///< rounds that are unrolled

/// A copy that a round begins with.
struct Copy {
  StmtPtr workers;             ///< the Parallel
  std::vector<StmtPtr> places; ///< constants that its body declares
  StmtPtr store;               ///< tile[...] = value, behind them
  VarPtr next;                 ///< registers of an item
};

class LoadNext {
public:
  LoadNext(const LoweredPlan &plan, const std::set<const Var *> &written, CountedLoop loop)
      : plan_(plan), written_(written), loop_(std::move(loop)) {}

  std::optional<StmtPtr> run() {
    if (!loop_.isPlain() || loop_.body->kind != StmtKind::Block ||
        assigns(loop_.body, loop_.i.get()))
      return std::nullopt;
    findCopies();
    if (copies_.empty() || !restHasWorkers() || !hasRegisters())
      return std::nullopt;
    return loops();
  }

private:
  /// The copies that a round begins with, and the constants between them.
  void findCopies() {
    for (const StmtPtr &s : loop_.body->children) {
      if (s->kind == StmtKind::Decl && s->value && !s->var->extent && isKnownBefore(s->value) &&
          !assigns(loop_.body, s->var.get())) {
        constants_.push_back(s);
      } else if (s->kind == StmtKind::Parallel) {
        const auto copy = s->copies ? startedEarly(s) : std::nullopt;
        if (!copy)
          return;
        copies_.push_back(*copy);
      } else if (s->kind == StmtKind::Comment) {
        comments_.push_back(s);
      } else {
        return;
      }
      ++first_;
    }
  }

  /// The copy, if all that it reads is known before the round begins, and one statement stores it to local memory.
  std::optional<Copy> startedEarly(const StmtPtr &workers) const {
    Copy copy{workers, withoutBlocks(workers->children), nullptr, nullptr};
    if (copy.places.empty())
      return std::nullopt;
    copy.store = copy.places.back();
    copy.places.pop_back();
    const bool isKnown = std::ranges::all_of(copy.places, [&](const StmtPtr &each) {
      return each->kind == StmtKind::Decl && each->value && isPure(each->value);
    });
    if (!isKnown || copy.store->kind != StmtKind::Assign || copy.store->op != "=" ||
        !isFixed(workers->value))
      return std::nullopt;
    const ExprPtr &target = copy.store->target, &value = copy.store->value;
    const Buffer *tile = plan_.bufferOf(target->args[0]->var);
    if (!tile || tile->space != Space::Local || !isKnownBefore(value) || !isPure(target->args[1]) ||
        !loads(value))
      return std::nullopt;
    auto next = std::make_shared<Var>(*newVariable(tile->var->name + "_next", value->type.scalar));
    next->extent = ceilDiv(workers->value, plan_.workers.at(workers->level));
    copy.next = std::move(next);
    return copy;
  }

  /// What no round changes but the number of the round and what follows from it.
  bool isKnownBefore(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Atomic || each.kind == ExprKind::Call)
        return each.callee != "min" && each.callee != "max";
      if (each.kind == ExprKind::Index)
        return !isInput(each);
      return each.kind == ExprKind::Var && each.var->kind != VarKind::Buffer &&
             assigns(loop_.body, each.var.get());
    });
  }
  bool isPure(const ExprPtr &e) const { return isKnownBefore(e) && !loads(e); }
  bool isFixed(const ExprPtr &e) const { return isPure(e) && !mentions(e, loop_.i.get()); }

  static bool loads(const ExprPtr &e) {
    return contains(e, [](const Expr &each) { return each.kind == ExprKind::Index; });
  }

  bool isInput(const Expr &element) const {
    const Buffer *buffer =
        element.args[0]->kind == ExprKind::Var ? plan_.bufferOf(element.args[0]->var) : nullptr;
    return buffer && buffer->space == Space::Global && !written_.contains(buffer->var.get());
  }

  bool restHasWorkers() const {
    const auto &children = loop_.body->children;
    return std::any_of(children.begin() + static_cast<std::ptrdiff_t>(first_), children.end(),
                       [&](const StmtPtr &s) { return hasWorkers(plan_, s, Role::Item); });
  }

  bool hasRegisters() const {
    std::uint64_t bytes = 0;
    for (const Copy &copy : copies_) {
      const auto rounds = defaultValue(plan_, copy.next->extent);
      if (!rounds || *rounds > completely)
        return false;
      bytes += static_cast<std::uint64_t>(*rounds) * byteSize(copy.next->type.scalar);
    }
    return bytes <= plan_.machine->code.spareBytes;
  }

  /// By each item for each of its numbers: what `make` makes of the register and the statements that
  /// stand before the store.
  template <typename Make> StmtPtr forEachOwn(const Copy &copy, const Make &make) const {
    const Stmt &s = *copy.workers;
    const ExprPtr items = plan_.workers.at(s.level);
    const VarPtr item = newVariable(s.var->name, Scalar::Index, VarKind::Worker);
    const VarPtr r = newVariable("r");
    const VarPtr number = newVariable(s.var->name);
    std::vector<StmtPtr> body = copy.places;
    body.push_back(make(index(varRef(copy.next), {varRef(r)})));
    const StmtPtr own = substitute(block(std::move(body)), {{s.var.get(), varRef(number)}});
    const ExprPtr whole = binary("==", binary("%", s.value, items), intLiteral(0));
    const StmtPtr loop = countingLoop(
        r, copy.next->extent,
        block({declare(number, add(varRef(item), mul(varRef(r), items))),
               ifThen(binary("||", whole, binary("<", varRef(number), s.value)), own)}));
    return withOwnVariables(
        parallel(s.level, Span::All, item, items, unrolledLoop(loop, completely)));
  }

  StmtPtr loading(const ExprPtr &part) const {
    std::vector<StmtPtr> all = constants_;
    for (const Copy &copy : copies_)
      all.push_back(forEachOwn(
          copy, [&](const ExprPtr &next) { return assign(next, "=", copy.store->value); }));
    const StmtPtr loads =
        withOwnVariables(substitute(block(std::move(all)), {{loop_.i.get(), part}}));
    return ifThen(binary("<", part, loop_.bound), loads);
  }

  StmtPtr loops() const {
    std::vector<StmtPtr> body = constants_;
    for (const Copy &copy : copies_)
      body.push_back(forEachOwn(
          copy, [&](const ExprPtr &next) { return assign(copy.store->target, "=", next); }));
    body.push_back(loading(add(varRef(loop_.i), intLiteral(1))));
    body.insert(body.end(), comments_.begin(), comments_.end());
    const auto &children = loop_.body->children;
    body.insert(body.end(), children.begin() + static_cast<std::ptrdiff_t>(first_), children.end());
    std::vector<StmtPtr> all;
    for (const Copy &copy : copies_)
      all.push_back(declare(copy.next, nullptr));
    all.push_back(loading(intLiteral(0)));
    all.push_back(countingLoop(loop_.i, loop_.bound, block(std::move(body))));
    return simplify(block(std::move(all)), {.proofs = plan_.proofs});
  }

  const LoweredPlan &plan_;
  const std::set<const Var *> &written_;
  CountedLoop loop_;
  std::vector<StmtPtr> constants_;
  std::vector<StmtPtr> comments_;
  std::vector<Copy> copies_;
  std::size_t first_ = 0; ///< of what is neither
};

} // namespace

LoweredPlan pipelineCopies(LoweredPlan plan) {
  const LoweredPlan &known = plan;
  const std::set<const Var *> written = writtenIn(plan.body);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::For || s->unroll != 0)
      return s;
    const auto loop = countedLoop(*s);
    return loop ? LoadNext(known, written, *loop).run().value_or(s) : s;
  });
  return plan;
}

} // namespace tangram::codegen
