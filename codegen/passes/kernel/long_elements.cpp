#include "codegen/passes/kernel/long_elements.h"

#include "algebra/inequalities.h"
#include "algebra/simplify.h"
#include "codegen/analysis/counted_loops.h"
#include "codegen/passes/kernel/strides.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr double usualRounds = 8;    // of a loop of which nothing is known
constexpr double ofFunction = 16;    // operations of a function of <math.h>
constexpr double ofQuotient = 4;     // operations of a quotient or a root
constexpr double worthGathering = 8; // operations for each element that is no neighbour
constexpr double mostUnrolled = 16;  // rounds of loops that compilers unroll completely
constexpr double ofShuffled = 16;    // elements of vectors of which every other or fourth is taken

/// What a round of a loop does, in operations and accesses of single elements.
class Effort {
public:
  Effort(const LoweredPlan &plan, const CountedLoop &loop)
      : plan_(plan), loop_(loop), own_(arraysDeclaredIn(loop.body)), names_(constantsOf(loop.body)),
        strides_(loop.i, names_, [this](const ExprPtr &e) { return isUniform(e); }) {
    walk(loop.body, 1, true);
  }

  /// Whether vectors of it gain more than collecting their elements takes. What is added up counts beside elements
  /// that are shuffled, whose vectors the rounds that are taken together share.
  bool isWorthIt() const {
    return operations + (gathered == 0 ? sums : 0) >= worthGathering * (gathered + shuffled);
  }

private:
  double operations = 0;
  double sums = 0;
  /// Accesses of elements that are neither the same nor the next one in the next round; those of every other or fourth
  /// element, in such.
  double gathered = 0, shuffled = 0;

  /// `isKnown`: how many times it is done.
  void walk(const StmtPtr &s, double times, bool isKnown) {
    if (!s)
      return;
    sums += s->kind == StmtKind::Assign && s->op != "=" && isFloating(s->target->type.scalar)
                ? times
                : 0;
    forEachOwnExpr(*s, [&](const ExprPtr &e) {
      forEach(e, [&](const Expr &each) {
        compute(each, times);
        access(each, times, !isKnown || times > mostUnrolled);
      });
    });
    if (const auto inner = s->kind == StmtKind::For ? countedLoop(*s) : std::nullopt) {
      const auto known = literalValue(inner->bound);
      times *= known ? static_cast<double>(*known) : usualRounds;
      isKnown &= known.has_value();
    }
    for (const StmtPtr &child : s->children)
      walk(child, times, isKnown);
  }

  void access(const Expr &e, double times, bool inLongLoop) {
    if (e.kind != ExprKind::Index || own_.contains(e.args[0]->var.get()))
      return;
    const auto known = strides_.of(e.args[1]);
    const auto stride = known && known->isNumber ? std::optional(known->elements) : std::nullopt;
    // Compilers make vectors of loops that they unroll completely by themselves.
    const bool isShuffled = (stride == 2 || stride == 4) && inLongLoop;
    if (isShuffled)
      shuffled += times * static_cast<double>(*stride) / ofShuffled;
    else if (stride != 0 && stride != 1)
      gathered += times;
  }

  /// Whether it is the same in all rounds, through names of a round: a row that is computed before a loop along it.
  bool isUniform(const ExprPtr &e) {
    return !contains(e, [this](const Expr &each) { return each.var && changes(each.var.get()); });
  }

  bool changes(const Var *variable) {
    const auto value = names_.find(variable);
    if (variable == loop_.i.get() || value == names_.end())
      return variable == loop_.i.get();
    const auto [known, isNew] = changes_.emplace(variable, false);
    if (isNew)
      known->second = !isUniform(value->second);
    return known->second;
  }

  /// The operation that `e` itself is.
  void compute(const Expr &e, double times) {
    if (!isFloating(e.type.scalar))
      return;
    if (e.kind == ExprKind::Binary)
      operations += e.op == "/" ? ofQuotient * times : times;
    if (e.kind == ExprKind::Call)
      called(e, times);
  }

  void called(const Expr &call, double times) {
    const auto helper = std::ranges::find_if(
        plan_.functions, [&](const Function *each) { return each->name == call.callee; });
    if (helper != plan_.functions.end()) {
      forEachExpr((*helper)->body, [&](const Expr &e) { compute(e, times); });
    } else {
      const bool isSmall = call.callee == "min" || call.callee == "max" || call.callee == "fmin" ||
                           call.callee == "fmax" || call.callee == "fabs";
      operations += (isSmall ? 1 : call.callee == "sqrt" ? ofQuotient : ofFunction) * times;
    }
  }

  const LoweredPlan &plan_;
  const CountedLoop &loop_;
  std::set<const Var *> own_; ///< arrays of a round
  std::map<const Var *, ExprPtr> names_;
  std::map<const Var *, bool> changes_; ///< names, and whether they differ between rounds
  Strides strides_;
};

bool fits(const StmtPtr &body) {
  bool fits = true;
  forEach(body, [&](const Stmt &s) {
    fits &= s.kind == StmtKind::Block || s.kind == StmtKind::Comment || s.kind == StmtKind::Decl ||
            s.kind == StmtKind::Assign || s.kind == StmtKind::If || s.kind == StmtKind::For;
    fits &= s.lanes == 0 && !s.sideBySide;
  });
  return fits;
}

/// Whether a loop in the body carries a floating-point number, or fills an array of the round's own.
bool carries(const StmtPtr &body) {
  const std::set<const Var *> own = arraysDeclaredIn(body);
  bool found = false;
  forEach(body, [&](const Stmt &s) {
    if (s.kind != StmtKind::For)
      return;
    std::set<const Var *> inside;
    forEach(s.children[2], [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        inside.insert(each.var.get());
    });
    forEach(s.children[2], [&](const Stmt &each) {
      if (each.kind != StmtKind::Assign || !isFloating(each.target->type.scalar))
        return;
      found |= each.target->kind == ExprKind::Var ? !inside.contains(each.target->var.get())
                                                  : own.contains(each.target->args[0]->var.get());
    });
  });
  return found;
}

} // namespace

std::optional<std::int64_t> strideAlong(const CountedLoop &loop, const ExprPtr &position) {
  if (!contains(position, [&](const Expr &e) { return e.var == loop.i; }))
    return 0;
  const ExprPtr next = substitute(
      position, {{loop.i.get(), algebra::add(varRef(loop.i), intLiteral(1, Scalar::Index))}});
  algebra::Inequalities numbers;
  // Modulo 2^64, as positions are: what may have wrapped around in both differs by the same.
  return (numbers.unwrapped(next) - numbers.unwrapped(position)).literal();
}

bool isOfNeighbours(const CountedLoop &loop, const ExprPtr &position) {
  const auto stride = strideAlong(loop, position);
  return stride == 0 || stride == 1;
}

std::optional<CountedLoop> loopOfLongElements(const LoweredPlan &plan, const Stmt &s) {
  const auto loop =
      s.kind == StmtKind::For && s.lanes == 0 && s.unroll <= 1 ? loopToTheEnd(s) : std::nullopt;
  if (!loop || !loop->isPlain() || !fits(loop->body) || !carries(loop->body) ||
      !staysInRounds(plan, loop->bound, changedIn(*loop)))
    return std::nullopt;
  return Effort(plan, *loop).isWorthIt() ? loop : std::nullopt;
}

Scalar widestIn(const StmtPtr &body) {
  Scalar widest = Scalar::F32;
  forEachExpr(body, [&](const Expr &e) {
    const Scalar type = e.type.scalar;
    if (type != Scalar::Index && e.kind != ExprKind::Cast && byteSize(type) > byteSize(widest))
      widest = type;
  });
  return widest;
}

Scalar widestElementIn(const StmtPtr &body) {
  Scalar widest = Scalar::F32;
  forEachExpr(body, [&](const Expr &e) {
    const bool counts = e.kind == ExprKind::Index || isFloating(e.type.scalar);
    if (counts && byteSize(e.type.scalar) > byteSize(widest))
      widest = e.type.scalar;
  });
  return widest;
}

} // namespace tangram::codegen
