// Prefetching before atomic operations: the loads of several rounds stand before their atomic operations and are in flight
// together. Compilers do not move a load that says where an atomic operation goes before the operation of the round before,
// which orders memory for all they know.
//
//   before: for (i = s; i < n; i += d) atomicAdd(bins[in[i]], 1);
//   after:  i = s;
//           for (; i + 7 * d < n; i += 8 * d) {
//             T ahead[8];
//             for (u < 8) ahead[u] = in[i + u * d];
//             for (u < 8) atomicAdd(bins[ahead[u]], 1);
//           }
//           for (; i < n; i += d) atomicAdd(bins[in[i]], 1);
//
// and of chains, which are unrolled anyway, all loads before all operations.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t rounds = 8;

class PrefetchLoads {
public:
  PrefetchLoads(const LoweredPlan &plan, const Stmt &s, CountedLoop loop)
      : plan_(plan), statement_(s), loop_(std::move(loop)), own_(changedIn(loop_.body)) {}

  std::optional<StmtPtr> run() { return hasLoads() ? std::optional(loops()) : std::nullopt; }

  /// Where the statement is a Parallel of chains.
  std::optional<StmtPtr> runChains() { return hasLoads() ? std::optional(chains()) : std::nullopt; }

private:
  bool hasLoads() {
    if (!isStraight() || !hasAtomic(loop_.body))
      return false;
    findLoads();
    return !loads_.empty();
  }

  /// One statement after the other, and nothing changes where the loop ends and what its steps are.
  bool isStraight() const {
    bool straight = loop_.i->type.scalar == Scalar::Index && !own_.contains(loop_.i.get());
    forEach(loop_.body, [&](const Stmt &s) {
      straight &= s.kind == StmtKind::Block || s.kind == StmtKind::Eval ||
                  s.kind == StmtKind::Assign || s.kind == StmtKind::Decl ||
                  s.kind == StmtKind::If || s.kind == StmtKind::Comment;
    });
    for (const ExprPtr &e : {loop_.bound, loop_.step})
      straight &= !contains(e, [&](const Expr &each) {
        return each.kind == ExprKind::Index || each.var == loop_.i || own_.contains(each.var.get());
      });
    return straight;
  }

  /// Loads of inputs at subscripts that the number of the round alone decides, in code that every
  /// round comes to.
  void findLoads() {
    always(loop_.body, [&](const ExprPtr &e) {
      const Buffer *buffer = e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var
                                 ? plan_.bufferOf(e->args[0]->var)
                                 : nullptr;
      const bool isInput = buffer && buffer->space == Space::Global && buffer->access == "in";
      if (!isInput || e->args.size() != 2 || !mentions(e->args[1], loop_.i.get()) ||
          contains(e->args[1], [&](const Expr &each) {
            return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
                   own_.contains(each.var.get());
          }))
        return;
      if (std::ranges::none_of(loads_, [&](const ExprPtr &l) { return sameExpr(l, e); }))
        loads_.push_back(e);
    });
  }

  /// Calls `f` with the expressions that are evaluated whatever conditions say.
  static void always(const StmtPtr &s, const std::function<void(const ExprPtr &)> &f) {
    forEachOwnExpr(*s, [&](const ExprPtr &e) { always(e, f); });
    if (s->kind == StmtKind::Block) {
      for (const StmtPtr &child : s->children)
        always(child, f);
    }
  }

  static void always(const ExprPtr &e, const std::function<void(const ExprPtr &)> &f) {
    f(e);
    const bool first = e->kind == ExprKind::Select || e->op == "&&" || e->op == "||";
    for (const ExprPtr &arg : e->args) {
      always(arg, f);
      if (first)
        break;
    }
  }

  /// What is loaded, of so many rounds.
  std::vector<VarPtr> aheadOf(const ExprPtr &count) const {
    std::vector<VarPtr> ahead;
    for (const ExprPtr &load : loads_) {
      auto own = std::make_shared<Var>(*newVariable("ahead", load->type.scalar));
      own->extent = count;
      ahead.push_back(own);
    }
    return ahead;
  }

  StmtPtr chains() const {
    const std::vector<VarPtr> ahead = aheadOf(loop_.bound);
    const VarPtr chain = newVariable(loop_.i->name, Scalar::Index, VarKind::Worker);
    std::vector<StmtPtr> statements, loading;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      statements.push_back(declare(ahead[i], nullptr));
      loading.push_back(assign(index(varRef(ahead[i]), {varRef(chain)}), "=",
                               substitute(loads_[i], {{loop_.i.get(), varRef(chain)}})));
    }
    statements.push_back(parallel(statement_.level, statement_.span, chain, loop_.bound,
                                  block(std::move(loading)), statement_.location));
    const StmtPtr operations =
        mapExprs(loop_.body, [&](const ExprPtr &own) { return loaded(own, ahead, loop_.i); });
    statements.push_back(parallel(statement_.level, statement_.span, loop_.i, loop_.bound,
                                  operations, statement_.location));
    return block(std::move(statements));
  }

  StmtPtr loops() const {
    const VarPtr &i = loop_.i;
    const VarPtr u = newVariable("u");
    const std::vector<VarPtr> ahead = aheadOf(intLiteral(rounds));
    std::vector<StmtPtr> whole;
    std::vector<StmtPtr> loading;
    auto at = [&](const ExprPtr &own) {
      return substitute(own, {{i.get(), add(varRef(i), mul(varRef(u), loop_.step))}});
    };
    for (const ExprPtr &load : loads_) {
      const VarPtr &own = ahead[loading.size()];
      whole.push_back(declare(own, nullptr));
      loading.push_back(assign(index(varRef(own), {varRef(u)}), "=", at(load)));
    }
    whole.push_back(unrolled(u, block(std::move(loading))));
    const VarPtr v = newVariable("u");
    const StmtPtr operations = mapExprs(loop_.body, [&](const ExprPtr &own) {
      return substitute(at(loaded(own, ahead, u)), {{u.get(), varRef(v)}});
    });
    whole.push_back(unrolled(v, operations));
    const ExprPtr last = add(varRef(i), mul(intLiteral(rounds - 1), loop_.step));
    const StmtPtr many = forLoop(nullptr, binary("<", last, loop_.bound),
                                 assign(varRef(i), "+=", mul(intLiteral(rounds), loop_.step)),
                                 block(std::move(whole)));
    const StmtPtr rest = forLoop(nullptr, statement_.value, statement_.children[1], loop_.body);
    return block({statement_.children[0], unrolledLoop(many, 1), unrolledLoop(rest, 1)});
  }

  /// `own`, with what was loaded in its place.
  ExprPtr loaded(const ExprPtr &own, const std::vector<VarPtr> &ahead, const VarPtr &u) const {
    return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
      const auto load =
          std::ranges::find_if(loads_, [&](const ExprPtr &l) { return sameExpr(l, e); });
      return load == loads_.end()
                 ? e
                 : index(varRef(ahead[static_cast<std::size_t>(load - loads_.begin())]),
                         {varRef(u)});
    });
  }

  static StmtPtr unrolled(const VarPtr &u, StmtPtr body) {
    return unrolledLoop(countingLoop(u, intLiteral(rounds), std::move(body)), rounds);
  }

  const LoweredPlan &plan_;
  const Stmt &statement_;
  CountedLoop loop_;
  std::set<const Var *> own_;
  std::vector<ExprPtr> loads_;
};

} // namespace

LoweredPlan prefetchLoads(LoweredPlan plan) {
  const LoweredPlan &known = plan;
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind == StmtKind::Parallel && known.role(s->level) == Role::Unroll && s->var &&
        s->span == Span::All)
      return PrefetchLoads(known, *s,
                           {s->var, intLiteral(0), s->value, intLiteral(1), s->children[0]})
          .runChains()
          .value_or(s);
    if (s->kind != StmtKind::For || s->unroll != 0)
      return s;
    const auto loop = countedLoop(*s);
    return loop ? PrefetchLoads(known, *s, *loop).run().value_or(s) : s;
  });
  return plan;
}

} // namespace tangram::codegen
