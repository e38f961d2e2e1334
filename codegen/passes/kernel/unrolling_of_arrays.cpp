// Unrolling of loops over arrays: a loop whose counter chooses an element of an item's own array asks to be unrolled
// completely. Compilers keep an array in registers only if all its subscripts are numbers.
//
//   before: for (k < 4) s += own[k] * x;      after: the same, with a request for 4 rounds at a time
//
// Kernels with more arrays than registers hold stay, and so do loops that come to more statements than compilers unroll.
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "ir/checked_arithmetic.h"

#include <cstdint>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Statements that an unrolled loop may come to: as many as compilers still unroll where they are asked to.
constexpr std::uint64_t mostStatements = 1024;
/// Of the arrays of one item: more than that is in registers of no device (512 of 4 bytes), unrolled or not.
constexpr std::uint64_t mostBytes = 2048;

/// An array of one item, of a size that the kernel's compiler knows.
bool isOwnArray(const Expr &e) {
  return e.kind == ExprKind::Var && e.var->kind == VarKind::Local && e.var->extent &&
         literalValue(e.var->extent);
}

std::uint64_t bytesOf(const Var &array) {
  const std::optional<std::int64_t> count = literalValue(array.extent);
  return count && *count > 0 ? static_cast<std::uint64_t>(*count) * byteSize(array.type.scalar) : 0;
}

/// Whether registers can hold the arrays of one item in `kernel`, those apart that they cannot hold anyway.
bool areFew(const StmtPtr &kernel) {
  std::uint64_t bytes = 0;
  forEach(kernel, [&](const Stmt &s) {
    if (s.kind == StmtKind::Decl && isOwnArray(*varRef(s.var)) && bytesOf(*s.var) <= mostBytes)
      bytes += bytesOf(*s.var);
  });
  return bytes <= mostBytes;
}

class Unroller {
public:
  explicit Unroller(const LoweredPlan &plan) : plan_(plan) {}

  StmtPtr rewritten(const StmtPtr &s) {
    const bool kernel = s->kind == StmtKind::Parallel && plan_.role(s->level) == Role::Group;
    if (kernel)
      return areFew(s) ? rewrite(s, [this](const StmtPtr &each) { return unrolled(each); }) : s;
    std::vector<StmtPtr> children;
    for (const StmtPtr &child : s->children)
      children.push_back(child ? rewritten(child) : child);
    return withChildren(s, children);
  }

private:
  /// Inner loops come before those around them.
  StmtPtr unrolled(const StmtPtr &s) {
    if (s->kind != StmtKind::For)
      return s;
    const std::optional<std::uint64_t> rounds = roundsOf(*s);
    if (s->unroll != 0 || s->lanes != 0 || !rounds || *rounds < 2 || *rounds > mostStatements ||
        *rounds * statementsOf(s->children[2]) > mostStatements || !isStraight(s->children[2]) ||
        !selectsElements(*countedLoop(*s)))
      return s;
    const StmtPtr result = unrolledLoop(s, static_cast<unsigned>(*rounds));
    statements_[result.get()] = *rounds * statementsOf(s->children[2]);
    kept_.push_back(result);
    return result;
  }

  static std::optional<std::uint64_t> roundsOf(const Stmt &s) {
    const std::optional<CountedLoop> loop = countedLoop(s);
    if (!loop)
      return std::nullopt;
    const auto start = literalValue(loop->start), bound = literalValue(loop->bound),
               step = literalValue(loop->step);
    const auto rounds =
        start && bound && step ? ir::checkedRounds(*start, *bound, *step) : std::nullopt;
    return rounds && *rounds > 0 ? std::optional(static_cast<std::uint64_t>(*rounds))
                                 : std::nullopt;
  }

  /// With what is unrolled in it.
  std::uint64_t statementsOf(const StmtPtr &s) const {
    if (const auto known = statements_.find(s.get()); known != statements_.end())
      return known->second;
    if (s->kind == StmtKind::For)
      return 1 + statementsOf(s->children[2]);
    std::uint64_t sum = s->kind == StmtKind::Block ? 0 : 1;
    for (const StmtPtr &child : s->children)
      sum += child ? statementsOf(child) : 0;
    return sum;
  }

  /// Whether nothing leaves a round in the middle; of pieces there are those of items, which run the loop
  /// together.
  bool isStraight(const StmtPtr &s) const {
    bool straight = true;
    forEach(s, [&](const Stmt &each) {
      straight &= each.kind != StmtKind::Barrier && each.kind != StmtKind::Break &&
                  each.kind != StmtKind::Continue &&
                  (each.kind != StmtKind::Parallel || plan_.role(each.level) == Role::Item);
    });
    return straight;
  }

  /// Whether the rounds say which element of an item's own array is meant.
  static bool selectsElements(const CountedLoop &loop) {
    std::set<const Var *> counted{loop.i.get()};
    forEach(loop.body, [&](const Stmt &each) { // named by constants
      if (each.kind == StmtKind::Decl && each.value && mentionsAny(each.value, counted))
        counted.insert(each.var.get());
    });
    bool selects = false;
    forEachExpr(loop.body, [&](const Expr &e) {
      if (e.kind != ExprKind::Index || !isOwnArray(*e.args[0]) ||
          bytesOf(*e.args[0]->var) > mostBytes)
        return;
      for (std::size_t i = 1; i < e.args.size(); ++i)
        selects |= mentionsAny(e.args[i], counted);
    });
    return selects;
  }

  static bool mentionsAny(const ExprPtr &e, const std::set<const Var *> &variables) {
    bool mentioned = false;
    forEach(e, [&](const Expr &each) {
      mentioned |= each.kind == ExprKind::Var && variables.contains(each.var.get());
    });
    return mentioned;
  }

  const LoweredPlan &plan_;
  std::map<const Stmt *, std::uint64_t> statements_; ///< of loops that are unrolled
  std::vector<StmtPtr> kept_;                        ///< so that no address is used again
};

} // namespace

LoweredPlan unrollArrays(LoweredPlan plan) {
  plan.body = Unroller(plan).rewritten(plan.body);
  return plan;
}

} // namespace tangram::codegen
