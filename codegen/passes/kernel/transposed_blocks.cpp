// Transposition in registers: a copy that turns rows into columns goes by square blocks, of as many rows as a vector has
// lanes. The printer reads and writes the rows of a block as vectors, and turns the block between.
//
//   before: for (i < m) for (j < n) copy[j * m + i] = in[i * n + j];
//   after:  for (i < m / 8 * 8, by 8) for (j < n / 8 * 8, by 8) a block of 8 x 8;  the columns, and the rows, that are left
//
// Each element of the copy needs a place of its own, since blocks write them in another order; elements are of four bytes
// or more, and a block has 16 rows at most, which vector registers hold.
#include "algebra/simplify.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/analysis/vector_lanes.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <functional>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

/// What happens to a number when a variable in it is one more.
enum class Change { None, One, Other, Unknown };

Change changeOf(const ExprPtr &e, const Var &i) {
  if (e->kind == ExprKind::Var)
    return e->var.get() == &i ? Change::One : Change::None;
  if (!contains(e, [&](const Expr &each) { return each.var.get() == &i; }))
    return Change::None;
  if (e->kind != ExprKind::Binary)
    return Change::Unknown;
  const Change left = changeOf(e->args[0], i), right = changeOf(e->args[1], i);
  if (e->op == "+")
    return left == Change::None ? right : right == Change::None ? left : Change::Unknown;
  if (e->op == "-")
    return right == Change::None ? left : Change::Unknown;
  const Change factor = left == Change::None    ? right
                        : right == Change::None ? left
                                                : Change::Unknown;
  return e->op == "*" && factor != Change::Unknown ? Change::Other : Change::Unknown;
}

/// How much more a number is when `i` is one more: what changeOf finds to be One or Other.
ExprPtr strideOf(const ExprPtr &e, const Var &i) {
  if (e->kind == ExprKind::Var)
    return intLiteral(1);
  const bool isLeft = changeOf(e->args[0], i) != Change::None;
  const ExprPtr inside = strideOf(e->args[isLeft ? 0 : 1], i);
  return e->op == "*" ? algebra::mul(inside, e->args[isLeft ? 1 : 0]) : inside;
}

/// x[at] of an array, where nothing that it depends on is in memory.
bool isElement(const ExprPtr &e) {
  return e->kind == ExprKind::Index && e->args.size() == 2 && e->args[0]->kind == ExprKind::Var &&
         !contains(e->args[1], [](const Expr &each) {
           return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic;
         });
}

/// for (row < rows) for (column < columns) target = value, in either order: of the source, columns lie side by side,
/// of the copy, rows.
struct TurnedCopy {
  CountedLoop outer, inner;
  StmtPtr copying;
  bool rowsOutside = false;

  const CountedLoop &rows() const { return rowsOutside ? outer : inner; }
  const CountedLoop &columns() const { return rowsOutside ? inner : outer; }
};

/// Of a square, each a vector, which are to stay in registers: where a model has more lanes, they are no vector.
constexpr unsigned mostRows = 16;

bool isOwnLoop(const Stmt &s) { return s.kind == StmtKind::For && s.lanes == 0 && s.unroll == 0; }

std::optional<CountedLoop> plainLoop(const Stmt &s) {
  const auto loop = isOwnLoop(s) ? countedLoop(s) : std::nullopt;
  const bool isNatural =
      loop && (loop->bound->kind == ExprKind::Literal || !isSigned(loop->bound->type.scalar));
  return isNatural && loop->isPlain() ? loop : std::nullopt;
}

std::optional<TurnedCopy> turnedCopy(const Stmt &s) {
  const auto outer = plainLoop(s);
  const std::vector<StmtPtr> outside =
      outer ? withoutBlocks({outer->body}) : std::vector<StmtPtr>();
  const auto inner = outside.size() == 1 ? plainLoop(*outside[0]) : std::nullopt;
  const std::vector<StmtPtr> inside = inner ? withoutBlocks({inner->body}) : std::vector<StmtPtr>();
  if (inside.size() != 1 || inside[0]->kind != StmtKind::Assign || inside[0]->op != "=")
    return std::nullopt;
  const ExprPtr &target = inside[0]->target, &value = inside[0]->value;
  if (!isElement(target) || !isElement(value) || target->args[0]->var == value->args[0]->var ||
      target->type.scalar != value->type.scalar ||
      changeOf(inner->bound, *outer->i) != Change::None ||
      contains(inner->bound, [](const Expr &each) { return each.kind == ExprKind::Index; }) ||
      contains(outer->bound, [](const Expr &each) { return each.kind == ExprKind::Index; }))
    return std::nullopt;
  const auto changes = [](const ExprPtr &e, const CountedLoop &loop) {
    return changeOf(e->args[1], *loop.i);
  };
  for (const bool rowsOutside : {true, false}) {
    TurnedCopy copy{*outer, *inner, inside[0], rowsOutside};
    if (changes(value, copy.columns()) == Change::One &&
        changes(value, copy.rows()) == Change::Other &&
        changes(target, copy.rows()) == Change::One &&
        changes(target, copy.columns()) == Change::Other)
      return copy;
  }
  return std::nullopt;
}

/// What constants of the kernel are made of, as far as that is no memory.
class Definitions {
public:
  explicit Definitions(const StmtPtr &body) {
    // A loop that declares its counter changes it between rounds, of each of which what is made of it is a constant.
    std::set<const Stmt *> steps;
    std::set<const Var *> assigned;
    forEach(body, [&](const Stmt &s) {
      const bool isCounting = s.kind == StmtKind::For && s.children[0] && s.children[1] &&
                              s.children[0]->kind == StmtKind::Decl &&
                              s.children[1]->kind == StmtKind::Assign &&
                              s.children[1]->target->var == s.children[0]->var;
      if (isCounting)
        steps.insert(s.children[1].get());
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var && !steps.contains(&s))
        assigned.insert(s.target->var.get());
    });
    forEach(body, [&](const Stmt &s) {
      const auto isOpen = [&](const Expr &e) {
        return e.kind == ExprKind::Index || e.kind == ExprKind::Atomic ||
               (e.kind == ExprKind::Var && assigned.contains(e.var.get()));
      };
      if (s.kind == StmtKind::Decl && s.value && s.var->type.scalar == Scalar::Index &&
          s.value->type.scalar == Scalar::Index && !assigned.contains(s.var.get()) &&
          !contains(s.value, isOpen))
        known_[s.var.get()] = substitute(s.value, known_);
    });
  }

  ExprPtr of(const ExprPtr &e) const { return substitute(e, known_); }

private:
  Substitution known_;
};

/// Whether all elements of the copy have places of their own, so that the order does not matter.
bool hasOwnPlaces(const LoweredPlan &plan, const TurnedCopy &copy, const Definitions &definitions) {
  const ExprPtr stride = strideOf(copy.copying->target->args[1], *copy.columns().i);
  return isAtMost(plan, definitions.of(copy.rows().bound), definitions.of(stride));
}

ExprPtr wholeBlocks(const ExprPtr &count, unsigned lanes) {
  if (const auto known = literalValue(count))
    return intLiteral(*known / lanes * lanes);
  return binary("*", binary("/", count, intLiteral(lanes)), intLiteral(lanes));
}

/// for (i = from; i < to) body, with variables of its own.
StmtPtr over(const CountedLoop &loop, const ExprPtr &from, const ExprPtr &to, const StmtPtr &body) {
  return withOwnVariables(countingLoop(loop.i, to, block({body}), from));
}

bool isNone(const ExprPtr &from, const ExprPtr &to) {
  const auto first = literalValue(from), last = literalValue(to);
  return first && last && *first >= *last;
}

StmtPtr inBlocks(const TurnedCopy &copy, unsigned lanes) {
  std::vector<StmtPtr> all;
  const auto whole = [&](const CountedLoop &loop, const char *name) {
    const ExprPtr value = wholeBlocks(loop.bound, lanes);
    if (literalValue(value))
      return value;
    const VarPtr number = newVariable(name);
    all.push_back(declare(number, value));
    return varRef(number);
  };
  const ExprPtr rows = whole(copy.rows(), "whole_rows");
  const ExprPtr columns = whole(copy.columns(), "whole_columns");
  if (isNone(intLiteral(0), rows) || isNone(intLiteral(0), columns))
    return nullptr;
  const auto blocks = [&](const CountedLoop &loop, const ExprPtr &to, const StmtPtr &body) {
    return unrolledLoop(countingLoop(loop.i, to, block({body})), 0, lanes);
  };
  all.push_back(
      withOwnVariables(blocks(copy.rows(), rows, blocks(copy.columns(), columns, copy.copying))));
  if (!isNone(columns, copy.columns().bound))
    all.push_back(over(copy.rows(), intLiteral(0), rows,
                       over(copy.columns(), columns, copy.columns().bound, copy.copying)));
  if (!isNone(rows, copy.rows().bound))
    all.push_back(over(copy.columns(), intLiteral(0), copy.columns().bound,
                       over(copy.rows(), rows, copy.rows().bound, copy.copying)));
  return block(std::move(all));
}

} // namespace

LoweredPlan transposeBlocks(LoweredPlan plan) {
  const Definitions definitions(plan.body);
  plan.body = rewrite(plan.body, [&](const StmtPtr &s) -> StmtPtr {
    const auto copy = turnedCopy(*s);
    const unsigned lanes = copy ? vectorLanes(plan, copy->copying->target->type.scalar) : 0;
    if (lanes < 2 || lanes > mostRows || byteSize(copy->copying->target->type.scalar) < 4 ||
        !hasOwnPlaces(plan, *copy, definitions))
      return s;
    const StmtPtr blocks = inBlocks(*copy, lanes);
    return blocks ? blocks : s;
  });
  return plan;
}

} // namespace tangram::codegen
