#include "codegen/passes/kernel/guarded_rounds.h"

#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

constexpr std::int64_t most32 = 4294967295; ///< rounds that a counter of 32 bits has

bool isWide(Scalar type) {
  return byteSize(type) == byteSize(Scalar::I64) || type == Scalar::Index;
}

void addConjuncts(const ExprPtr &e, std::vector<ExprPtr> &all) {
  if (e->kind == ExprKind::Binary && e->op == "&&") {
    addConjuncts(e->args[0], all);
    addConjuncts(e->args[1], all);
  } else {
    all.push_back(e);
  }
}

/// A comparison with the side that grows on the left.
struct Comparison {
  ExprPtr left, right;
  bool isLower = false; ///< > or >=
};

class Finder {
public:
  explicit Finder(const CountedLoop &loop)
      : loop_(loop), names_(constantsOf(loop.body)), changed_(changedIn(loop.body)) {}

  std::optional<GuardedRounds> find() {
    found_.fits = binary("<=", loop_.bound, intLiteral(most32, Scalar::Index));
    found_.inside = walk(loop_.body);
    return found_.from.empty() && found_.upTo.empty() ? std::nullopt : std::optional(found_);
  }

private:
  StmtPtr walk(const StmtPtr &s) {
    if (!s)
      return s;
    const auto inner = s->kind == StmtKind::For ? loopToTheEnd(*s) : std::nullopt;
    const bool counts = inner && inner->isPlain() && isFixed(inner->bound);
    if (counts)
      inner_.push_back(*inner);
    StmtPtr result = s;
    if (s->kind == StmtKind::If && !inner_.empty() && (s->children.size() < 2 || !s->children[1]))
      result = without(s);
    if (result == s) {
      std::vector<StmtPtr> children;
      for (const StmtPtr &child : s->children)
        children.push_back(walk(child));
      result = withChildren(s, std::move(children));
    }
    if (counts)
      inner_.pop_back();
    return result;
  }

  /// The branch without what holds inside.
  StmtPtr without(const StmtPtr &s) {
    std::vector<ExprPtr> conditions;
    addConjuncts(s->value, conditions);
    ExprPtr left;
    std::size_t taken = 0;
    for (const ExprPtr &each : conditions) {
      if (take(each))
        ++taken;
      else
        left = left ? binary("&&", left, each) : each;
    }
    if (taken == 0)
      return s;
    return left ? ifThen(left, s->children[0], nullptr, s->location) : s->children[0];
  }

  bool take(const ExprPtr &condition) {
    const auto comparison = comparisonOf(withNames(condition));
    if (!comparison || !mentions(comparison->left, loop_.i.get()) || !grows(comparison->left) ||
        !isFixed(comparison->right))
      return false;
    Substitution corner;
    for (const CountedLoop &inner : inner_) {
      corner[inner.i.get()] = comparison->isLower ? intLiteral(0)
                                                  : cast(inner.i->type.scalar,
                                                         algebra::sub(inner.bound, intLiteral(1)));
    }
    const ExprPtr there = substitute(withNames(condition), corner);
    auto &all = comparison->isLower ? found_.from : found_.upTo;
    if (std::ranges::none_of(all, [&](const ExprPtr &each) { return sameExpr(each, there); }))
      all.push_back(there);
    return true;
  }

  std::optional<Comparison> comparisonOf(const ExprPtr &e) const {
    const bool isOrder = e->kind == ExprKind::Binary &&
                         (e->op == "<" || e->op == "<=" || e->op == ">" || e->op == ">=");
    if (!isOrder || !isInteger(e->args[0]->type.scalar) ||
        e->args[0]->type.scalar != e->args[1]->type.scalar)
      return std::nullopt;
    const bool isGreater = e->op == ">" || e->op == ">=";
    return mentions(e->args[0], loop_.i.get()) ? Comparison{e->args[0], e->args[1], isGreater}
                                               : Comparison{e->args[1], e->args[0], !isGreater};
  }

  ExprPtr withNames(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      const auto value = each->kind == ExprKind::Var ? names_.find(each->var.get()) : names_.end();
      const bool isNumber =
          value != names_.end() && isInteger(each->type.scalar) && !each->var->extent &&
          !contains(value->second, [](const Expr &inner) {
            return inner.kind == ExprKind::Index || inner.kind == ExprKind::Atomic;
          });
      return isNumber ? withNames(value->second) : each;
    });
  }

  bool isCounter(const Var *variable) const {
    return variable == loop_.i.get() || std::ranges::any_of(inner_, [&](const CountedLoop &each) {
             return each.i.get() == variable;
           });
  }

  /// Whether it is the same in all rounds.
  bool isFixed(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             each.kind == ExprKind::Call ||
             (each.kind == ExprKind::Var &&
              (each.var == loop_.i || changed_.contains(each.var.get())));
    });
  }

  /// Whether it is no smaller in later rounds of all loops: sums and products in 64 bits, that do not wrap around.
  bool grows(const ExprPtr &e) const {
    if (e->kind == ExprKind::Var && isCounter(e->var.get()))
      return true;
    if (isFixed(e))
      return true;
    if (e->kind == ExprKind::Cast) {
      const ExprPtr &inner = e->args[0];
      const bool isCounterOnly = inner->kind == ExprKind::Var && isCounter(inner->var.get());
      const bool keeps = isWide(e->type.scalar) &&
                         (e->type.scalar == Scalar::I64 || !isSignedType(inner->type.scalar));
      const bool is32 = e->type.scalar == Scalar::U32 && isCounterOnly;
      return (keeps || is32) && grows(inner);
    }
    if (e->kind != ExprKind::Binary || !isWide(e->type.scalar))
      return false;
    if (e->op == "+")
      return grows(e->args[0]) && grows(e->args[1]);
    if (e->op == "-")
      return e->type.scalar == Scalar::I64 && grows(e->args[0]) && isFixed(e->args[1]);
    if (e->op == "*") {
      const auto a = literalValue(e->args[0]), b = literalValue(e->args[1]);
      return (a && *a >= 0 && *a < most32 && grows(e->args[1])) ||
             (b && *b >= 0 && *b < most32 && grows(e->args[0]));
    }
    return false;
  }

  static bool isSignedType(Scalar type) {
    return type == Scalar::I8 || type == Scalar::I16 || type == Scalar::I32 || type == Scalar::I64;
  }

  const CountedLoop &loop_;
  std::map<const Var *, ExprPtr> names_;
  std::set<const Var *> changed_;
  std::vector<CountedLoop> inner_;
  GuardedRounds found_;
};

} // namespace

std::optional<GuardedRounds> guardedRounds(const CountedLoop &loop) { return Finder(loop).find(); }

} // namespace tangram::codegen
