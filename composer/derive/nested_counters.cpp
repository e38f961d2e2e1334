#include "composer/derive/nested_counters.h"

#include "composer/derive/statements.h"
#include "ir/assigned_variables.h"
#include "ir/casts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tangram::composer {

namespace {

using ir::ExprKind;
using ir::ExprPtr;
using ir::Stmt;
using ir::StmtKind;
using ir::StmtPtr;
using ir::VarPtr;

bool mentions(const StmtPtr &s, const VarPtr &variable) {
  bool found = false;
  ir::forEachExpr(s, [&](const ir::Expr &e) { found |= e.var == variable; });
  return found;
}

/// Whether the loop with the body `s` may be left early, by break or return.
bool leaves(const StmtPtr &s) {
  if (!s)
    return false;
  if (s->kind == StmtKind::Return || s->kind == StmtKind::Break)
    return true;
  const auto leavesFrom = [&](const StmtPtr &each) {
    return ir::isLoop(*s) ? each && each->kind == StmtKind::Return : leaves(each);
  };
  return std::ranges::any_of(s->children, leavesFrom);
}

class Nested {
public:
  explicit Nested(const ir::Codelet &codelet)
      : fresh_(codelet.params, codelet.body), assigned_(ir::assignedIn(codelet.body)) {
    ir::forEach(codelet.body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Decl && s.value && !s.var->extent)
        values_[s.var.get()] = s.value;
    });
  }

  StmtPtr run(const StmtPtr &body) {
    return ir::rewrite(body, [&](const StmtPtr &s) { return loop(s); });
  }

private:
  StmtPtr loop(const StmtPtr &s) {
    const VarPtr counter = counterOf(*s);
    if (!counter || leaves(s->children[2]))
      return s;
    const std::vector<ExprPtr> factors = factorsOf(s->value->args[1]);
    const bool areFixed = std::ranges::none_of(factors, [&](const ExprPtr &each) {
      return each->var && assigned_.contains(each->var.get());
    });
    if (factors.size() < 2 || !areFixed || !std::ranges::all_of(factors, isCount))
      return s;
    for (std::size_t k = factors.size(); k-- > 0;) {
      std::vector<ExprPtr> rest = factors;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
      if (StmtPtr made = inTwo(s, counter, rest, factors[k]))
        return made;
    }
    return s;
  }

  /// The counter of `for (i = 0; i < n; ++i)` that nothing else changes; null of other statements.
  VarPtr counterOf(const Stmt &s) const {
    const bool hasHead = s.kind == StmtKind::For && s.children[0] && s.children[1] && s.value &&
                         s.children[0]->kind == StmtKind::Decl && s.children[0]->value &&
                         ir::isLiteral(s.children[0]->value, 0) && ir::isBinary(*s.value, "<");
    if (!hasHead)
      return nullptr;
    const VarPtr &counter = s.children[0]->var;
    const Stmt &step = *s.children[1];
    const bool isStep = step.kind == StmtKind::Assign && step.op == "+=" &&
                        step.target->var == counter && ir::isLiteral(step.value, 1);
    bool isChanged = false;
    ir::forEach(s.children[2], [&](const Stmt &each) {
      isChanged |= each.kind == StmtKind::Assign && each.target->var == counter;
    });
    const ExprPtr &left = sameNumber(s.value->args[0]);
    return isStep && !isChanged && left->var == counter ? counter : nullptr;
  }

  /// `e` without casts between integers of 32 bits or more, in which counters and numbers of elements are taken to fit.
  static const ExprPtr &sameNumber(const ExprPtr &e) {
    const auto isWide = [](const ExprPtr &number) {
      return ir::isInteger(number->type.scalar) && ir::byteSize(number->type.scalar) >= 4;
    };
    const bool keeps =
        e->kind == ExprKind::Cast && isWide(e) && ir::isInteger(e->args[0]->type.scalar);
    return keeps ? sameNumber(e->args[0]) : e;
  }

  /// The value of a name that nothing changes, without casts that keep numbers.
  ExprPtr resolved(const ExprPtr &e) const {
    const ExprPtr &bare = sameNumber(e);
    if (bare->kind != ExprKind::Var || assigned_.contains(bare->var.get()))
      return bare;
    const auto known = values_.find(bare->var.get());
    const bool isSame =
        known != values_.end() && !ir::contains(known->second, [&](const ir::Expr &each) {
          return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
                 (each.kind == ExprKind::Var && assigned_.contains(each.var.get()));
        });
    return isSame ? resolved(known->second) : bare;
  }

  /// The factors of a product; `e` alone where they are many.
  std::vector<ExprPtr> factorsOf(const ExprPtr &e) const {
    std::vector<ExprPtr> factors;
    addFactors(e, factors);
    return factors.size() > mostFactors ? std::vector<ExprPtr>{resolved(e)} : factors;
  }

  void addFactors(const ExprPtr &e, std::vector<ExprPtr> &factors) const {
    if (factors.size() > mostFactors)
      return;
    const ExprPtr value = resolved(e);
    if (!ir::isBinary(*value, "*")) {
      factors.push_back(value);
      return;
    }
    for (const ExprPtr &each : value->args)
      addFactors(each, factors);
  }

  /// Whether `e` is known to be at least 0.
  static bool isCount(const ExprPtr &e) {
    return e->kind == ExprKind::Size || (e->kind == ExprKind::Literal && e->integer > 0) ||
           (ir::isInteger(e->type.scalar) && !ir::isSigned(e->type.scalar));
  }

  bool isSame(const ExprPtr &a, const ExprPtr &b) const { return ir::sameExpr(resolved(a), b); }

  /// The loop as one over rows around one over columns; null where the counter is named otherwise.
  StmtPtr inTwo(const StmtPtr &s, const VarPtr &counter, const std::vector<ExprPtr> &rows,
                const ExprPtr &columns) {
    const StmtPtr &body = s->children[2];
    const auto isPart = [&](const ExprPtr &e, ir::Operator op) {
      return ir::isBinary(*e, op) && sameNumber(e->args[0])->var == counter &&
             isSame(e->args[1], columns);
    };
    bool hasRow = false, hasColumn = false;
    const VarPtr row = named(body, counter, [&](const ExprPtr &e) { return isPart(e, "/"); });
    const VarPtr column = named(body, counter, [&](const ExprPtr &e) { return isPart(e, "%"); });
    const auto part = [](const VarPtr &var, const ExprPtr &e) {
      const ExprPtr value = ir::varRef(var, e->location);
      return var->type.scalar == e->type.scalar ? value : ir::cast(e->type.scalar, value);
    };
    const auto inParts = [&](const ExprPtr &e) -> ExprPtr {
      if (isPart(e, "/")) {
        hasRow = true;
        return part(row, e);
      }
      if (isPart(e, "%")) {
        hasColumn = true;
        return part(column, e);
      }
      const bool isQuotient = ir::isBinary(*e, "/") && sameNumber(e->args[0])->var == counter;
      const ExprPtr planes = isQuotient ? withoutFactor(e->args[1], columns) : nullptr;
      return planes ? ir::cast(e->type.scalar, ir::binary("/", part(row, e), planes, e->location))
                    : e; // i / (rows * columns)
    };
    StmtPtr inner = ir::rewrite(body, [&](const StmtPtr &each) -> StmtPtr {
      hasRow |= each->kind == StmtKind::Decl && each->var == row;
      hasColumn |= each->kind == StmtKind::Decl && each->var == column;
      const bool isName = each->kind == StmtKind::Decl && (each->var == row || each->var == column);
      return isName ? nullptr : each;
    });
    inner = ir::mapExprs(inner, [&](const ExprPtr &e) { return ir::rewrite(e, inParts); });
    if (!hasRow && !hasColumn)
      return nullptr;
    if (mentions(inner, counter)) {
      if (!hasRow || !hasColumn)
        return nullptr;
      const ir::Scalar type = counter->type.scalar;
      const auto wide = [&](const ExprPtr &e) { return ir::cast(type, e); };
      inner = ir::block(
          {ir::declare(counter,
                       ir::binary("+", ir::binary("*", wide(ir::varRef(row)), wide(columns)),
                                  wide(ir::varRef(column)))),
           inner});
    }
    return loop(over(row, productOf(rows, s->location), over(column, columns, inner, *s), *s));
  }

  /// The product `e` without one of its factors; null where it has not that one, or no other.
  ExprPtr withoutFactor(const ExprPtr &e, const ExprPtr &factor) const {
    std::vector<ExprPtr> factors = factorsOf(e);
    const auto it = std::ranges::find_if(
        factors, [&](const ExprPtr &each) { return ir::sameExpr(each, factor); });
    if (it == factors.end() || factors.size() < 2)
      return nullptr;
    factors.erase(it);
    return productOf(factors, e->location);
  }

  static ExprPtr productOf(const std::vector<ExprPtr> &factors, const ir::SourceLocation &at) {
    ExprPtr product = factors[0];
    for (std::size_t k = 1; k < factors.size(); ++k)
      product = ir::binary("*", product, factors[k], at);
    return product;
  }

  /// The variable that `body` declares as such a part of the counter, or a new one.
  template <class IsPart>
  VarPtr named(const StmtPtr &body, const VarPtr &counter, const IsPart &isPart) {
    VarPtr known;
    ir::forEach(body, [&](const Stmt &each) {
      const bool isName = each.kind == StmtKind::Decl && each.value && !known &&
                          !assigned_.contains(each.var.get()) &&
                          ir::isInteger(each.var->type.scalar) &&
                          ir::byteSize(each.var->type.scalar) >= 4;
      if (isName && isPart(sameNumber(each.value)))
        known = each.var;
    });
    if (known)
      return known;
    auto made = std::make_shared<ir::Var>(*counter);
    made->name = fresh_(counter->name);
    return made;
  }

  static StmtPtr over(const VarPtr &counter, const ExprPtr &count, const StmtPtr &body,
                      const Stmt &of) {
    const ir::Scalar type = counter->type.scalar;
    const ExprPtr end = count->type.scalar == type ? count : ir::cast(type, count);
    return ir::forLoop(ir::declare(counter, ir::cast(type, ir::intLiteral(0))),
                       ir::binary("<", ir::varRef(counter), end),
                       ir::assign(ir::varRef(counter), "+=", ir::cast(type, ir::intLiteral(1))),
                       body, of.location);
  }

  static constexpr std::size_t mostFactors = 6; ///< rows, columns and the like

  FreshNames fresh_;
  std::set<const ir::Var *> assigned_;
  std::map<const ir::Var *, ExprPtr> values_;
};

} // namespace

ir::Codelet withNestedCounters(const ir::Codelet &codelet) {
  ir::Codelet made = codelet;
  made.body = Nested(codelet).run(codelet.body);
  return made;
}

} // namespace tangram::composer
