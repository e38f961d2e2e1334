// Loads ahead of atomic operations: what is loaded to say where an atomic operation goes, compilers do
// not load before the one of the round before, which orders memory for all they know. So many rounds'
// loads are written before their operations, and are in flight together.
//
//   before: for (i = s; i < n; i += d) atomicAdd(bins[in[i]], 1);
//   after:  i = s;
//           for (; i + 7 * d < n; i += 8 * d) {
//             T ahead[8];
//             for (u < 8) ahead[u] = in[i + u * d];
//             for (u < 8) atomicAdd(bins[ahead[u]], 1);
//           }
//           for (; i < n; i += d) atomicAdd(bins[in[i]], 1);
#include "algebra/simplify.h"
#include "codegen/passes/passes.h"

#include <algorithm>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

constexpr std::int64_t rounds = 8;

bool isAtomicOperation(const StmtPtr &s) {
  bool found = false;
  forEachExpr(s, [&](const Expr &e) { found |= e.kind == ExprKind::Atomic; });
  return found;
}

bool mentions(const ExprPtr &e, const Var *v) {
  return contains(e, [&](const Expr &each) { return each.var.get() == v; });
}

class LoadAhead {
public:
  LoadAhead(const LoweredPlan &plan, const Stmt &loop) : plan_(plan), loop_(loop) {}

  std::optional<StmtPtr> run() {
    if (!isStraight() || !isAtomicOperation(body()))
      return std::nullopt;
    findLoads();
    if (loads_.empty())
      return std::nullopt;
    return loops();
  }

private:
  const StmtPtr &body() const { return loop_.children[2]; }
  const VarPtr &counter() const { return loop_.children[0]->var; }
  const ExprPtr &step() const { return loop_.children[1]->value; }
  const ExprPtr &end() const { return loop_.value->args[1]; }

  /// i from something, below something, in steps of something that the loop does not change; one
  /// statement after the other.
  bool isStraight() const {
    const StmtPtr &start = loop_.children[0];
    const StmtPtr &advance = loop_.children[1];
    if (!start || start->kind != StmtKind::Decl || !start->value ||
        start->var->type.scalar != Scalar::Index || !advance || advance->kind != StmtKind::Assign ||
        advance->op != "+=" || advance->target->kind != ExprKind::Var ||
        advance->target->var != start->var || !loop_.value ||
        loop_.value->kind != ExprKind::Binary || loop_.value->op != "<" ||
        loop_.value->args[0]->kind != ExprKind::Var || loop_.value->args[0]->var != start->var)
      return false;
    std::set<const Var *> changed{start->var.get()};
    bool straight = true;
    forEach(body(), [&](const Stmt &s) {
      straight &= s.kind == StmtKind::Block || s.kind == StmtKind::Eval ||
                  s.kind == StmtKind::Assign || s.kind == StmtKind::Decl ||
                  s.kind == StmtKind::If || s.kind == StmtKind::Comment;
      if (s.kind == StmtKind::Decl)
        changed.insert(s.var.get());
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        changed.insert(s.target->var.get());
      straight &= !(s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var &&
                    s.target->var == start->var);
    });
    for (const ExprPtr &e : {end(), step()})
      straight &= !contains(e, [&](const Expr &each) {
        return each.kind == ExprKind::Index || changed.contains(each.var.get());
      });
    return straight;
  }

  /// Loads of inputs at subscripts that the number of the round alone decides, in code that every
  /// round comes to.
  void findLoads() {
    std::set<const Var *> own;
    forEach(body(), [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl)
        own.insert(s.var.get());
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        own.insert(s.target->var.get());
    });
    always(body(), [&](const ExprPtr &e) {
      const Buffer *buffer = e->kind == ExprKind::Index && e->args[0]->kind == ExprKind::Var
                                 ? plan_.bufferOf(e->args[0]->var)
                                 : nullptr;
      const bool isInput = buffer && buffer->space == Space::Global && buffer->access == "in";
      if (!isInput || e->args.size() != 2 || !mentions(e->args[1], counter().get()) ||
          contains(e->args[1], [&](const Expr &each) {
            return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
                   own.contains(each.var.get());
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

  StmtPtr loops() const {
    const VarPtr &i = counter();
    const VarPtr u = variable("u", Scalar::Index);
    std::vector<VarPtr> ahead;
    std::vector<StmtPtr> whole;
    std::vector<StmtPtr> loading;
    const ExprPtr there = add(varRef(i), mul(varRef(u), step()));
    auto at = [&](const ExprPtr &own) {
      return rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
        return e->kind == ExprKind::Var && e->var == i ? there : e;
      });
    };
    for (const ExprPtr &load : loads_) {
      auto own = std::make_shared<Var>(*variable("ahead", load->type.scalar));
      own->extent = intLiteral(rounds);
      ahead.push_back(own);
      whole.push_back(declare(own, nullptr));
      loading.push_back(assign(index(varRef(own), {varRef(u)}), "=", at(load)));
    }
    whole.push_back(unrolled(u, block(std::move(loading))));
    const VarPtr v = variable("u", Scalar::Index);
    whole.push_back(unrolled(
        v, mapExprs(body(), [&](const ExprPtr &own) { return taken(own, ahead, u, v, at); })));
    const ExprPtr last = add(varRef(i), mul(intLiteral(rounds - 1), step()));
    const StmtPtr many =
        forLoop(nullptr, binary("<", last, end()),
                assign(varRef(i), "+=", mul(intLiteral(rounds), step())), block(std::move(whole)));
    auto rest = std::make_shared<Stmt>(*forLoop(nullptr, loop_.value, loop_.children[1], body()));
    rest->unroll = 1;
    auto once = std::make_shared<Stmt>(*many);
    once->unroll = 1;
    return block({loop_.children[0], once, rest});
  }

  /// `own`, with what was loaded in its place, in round v.
  ExprPtr taken(const ExprPtr &own, const std::vector<VarPtr> &ahead, const VarPtr &u,
                const VarPtr &v, const std::function<ExprPtr(const ExprPtr &)> &at) const {
    const ExprPtr loaded = rewrite(own, [&](const ExprPtr &e) -> ExprPtr {
      const auto load =
          std::ranges::find_if(loads_, [&](const ExprPtr &l) { return sameExpr(l, e); });
      return load == loads_.end()
                 ? e
                 : index(varRef(ahead[static_cast<std::size_t>(load - loads_.begin())]),
                         {varRef(u)});
    });
    return rewrite(at(loaded), [&](const ExprPtr &e) -> ExprPtr {
      return e->kind == ExprKind::Var && e->var == u ? varRef(v) : e;
    });
  }

  static StmtPtr unrolled(const VarPtr &u, StmtPtr body) {
    auto loop = std::make_shared<Stmt>(
        *forLoop(declare(u, intLiteral(0)), binary("<", varRef(u), intLiteral(rounds)),
                 assign(varRef(u), "+=", intLiteral(1)), std::move(body)));
    loop->unroll = rounds;
    return loop;
  }

  static VarPtr variable(const std::string &name, Scalar type) {
    auto v = std::make_shared<Var>();
    v->name = name;
    v->type = scalarType(type);
    return v;
  }

  const LoweredPlan &plan_;
  const Stmt &loop_;
  std::vector<ExprPtr> loads_;
};

} // namespace

LoweredPlan loadAhead(LoweredPlan plan) {
  const LoweredPlan &known = plan;
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::For || s->unroll != 0)
      return s;
    return LoadAhead(known, *s).run().value_or(s);
  });
  return plan;
}

} // namespace tangram::codegen
