// Index narrowing: finds a bound below which the indexes of a plan may take 32 bits, where the workers of a target compute
// faster with those.
//
// Sums, differences and products of 32 bits are right but for multiples of 2^32, and so is an element's
// position that is below 2^32 in the end. What matters is what a comparison, a quotient, a remainder, a
// minimum or a conversion sees: all of that has to be less than 2^31 (above 2^31 is what fell below 0).
// So this is an upper bound over sizes, scalars and tunables of all that such operations see, and of
// the elements of each array. Where none is found indexes keep their 64 bits; whether it is small
// enough the host knows when it knows the sizes.
//
// Where items divide, round by round, what follows from their numbers it is worth it: 64 bits are divided, and their
// remainders taken, by tens of instructions. Kernels that do not keep 64 bits: compilers advance addresses by
// constants only where an index cannot wrap on the way (an H200 streams 9 % more with 64 bits).
#include "algebra/inequalities.h"
#include "algebra/simplify.h"
#include "algebra/wrapping.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/large_numbers.h"
#include "codegen/passes/kernel/passes.h"
#include "ir/expression_length.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

bool isIndex(const ExprPtr &e) { return !e->type.isContainer() && e->type.scalar == Scalar::Index; }

bool isComparison(const Expr &e) { return e.kind == ExprKind::Binary && e.op.isComparison(); }

bool isDivision(const Expr &e) {
  return e.kind == ExprKind::Binary && (e.op == "/" || e.op == "%" || e.op == ">>");
}

/// Asks whether something is 0.
bool isLogic(const Expr &e) {
  return (e.kind == ExprKind::Unary || e.kind == ExprKind::Binary) && e.op.isLogic();
}

bool usesIndexes(const Function *function) {
  bool uses = std::ranges::any_of(
      function->params, [](const VarPtr &each) { return each->type.scalar == Scalar::Index; });
  forEachExpr(function->body, [&](const Expr &e) { uses |= e.type.scalar == Scalar::Index; });
  return uses;
}

bool isExtreme(const Expr &e) {
  return e.kind == ExprKind::Call && (e.callee == "min" || e.callee == "max");
}

/// All values of which a variable, or the elements of an array, take one.
struct Values {
  std::vector<ExprPtr> given;
  /// Only by going on in a loop that asks before each round whether it is below an end.
  struct Growth {
    ExprPtr end;
    ExprPtr step;
    bool multiplies = false;
  };
  std::vector<Growth> growths;
  bool falls = false; ///< may be taken something from
  bool unknown = false;
};

/// The longest bound that is asked before each launch; a manifest's expressions have 10,000 characters at most.
constexpr std::size_t mostNodes = 1000;

class Narrowing {
public:
  explicit Narrowing(const LoweredPlan &plan) : plan_(plan) {
    collect(plan.body);
    WrappingVariables wrapping = wrappingVariables(plan.body);
    learn(wrapping);
    // By its form every difference may be below 0. Of one that is not, more may follow.
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[var, wraps] : wrapping) {
        const bool learned = wraps && isNatural(var) && !values_.at(var).unknown;
        changed |= learned;
        wraps &= !learned;
      }
      if (changed)
        learn(wrapping);
    }
  }

  /// Whether items divide, round by round, what follows from their numbers.
  bool isWorthIt() { return dividesInRounds(plan_.body, false); }

  /// Null: none is known.
  ExprPtr most() {
    for (const Buffer &buffer : plan_.buffers) {
      if (buffer.space == Space::Global)
        keep(buffer.count);
    }
    forEachExpr(plan_.body, [&](const Expr &e) { look(e); });
    forEach(plan_.body, [&](const Stmt &s) { look(s); });
    const bool helped = std::ranges::any_of(plan_.functions, usesIndexes);
    if (unknown_ || helped)
      return nullptr;
    return large_.largest();
  }

private:
  bool dividesInRounds(const StmtPtr &s, bool inRounds) {
    if (!s)
      return false;
    bool divides = false;
    if (inRounds && !isLoop(*s)) // what a loop asks each time is computed before it
      forEachOwnExpr(*s, [&](const ExprPtr &own) { divides |= dividesNumbers(own); });
    const bool turns = s->kind == StmtKind::Parallel && s->span == Span::Turns &&
                       plan_.role(s->level) == Role::Item;
    return divides || std::ranges::any_of(s->children, [&](const StmtPtr &child) {
             return dividesInRounds(child, inRounds || turns || isLoop(*s));
           });
  }

  bool dividesNumbers(const ExprPtr &e) {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Binary && (each.op == "/" || each.op == "%") &&
             each.type.scalar == Scalar::Index && isOfItem(each.args[0]);
    });
  }

  bool isOfItem(const ExprPtr &e) {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Var && isOfItem(each.var.get());
    });
  }

  bool isOfItem(const Var *var) {
    auto [found, isNew] = ofItem_.try_emplace(var, items_.contains(var));
    const auto values = values_.find(var);
    if (!isNew || found->second || values == values_.end())
      return found->second;
    const bool follows = std::ranges::any_of(values->second.given,
                                             [&](const ExprPtr &each) { return isOfItem(each); });
    return ofItem_[var] = follows;
  }

  /// What loops and tunables say of the numbers in them, and which variables are not below 0.
  void learn(const WrappingVariables &wrapping) {
    facts_ = Inequalities();
    facts_.noteWrapping(std::make_shared<const WrappingVariables>(wrapping));
    for (const Tunable &t : plan_.tunables) {
      if (t.min >= 1)
        facts_.assume(facts_.of(varRef(t.var)) - 1);
    }
    for (const auto &[var, end] : below_) {
      if (isFixed(end))
        facts_.assume(facts_.of(end) - facts_.of(var) - 1);
    }
    findNatural();
  }

  // ---- what variables hold

  void collect(const StmtPtr &s) {
    if (!s)
      return;
    if (s->kind == StmtKind::Parallel && s->var) {
      if (plan_.role(s->level) == Role::Item && s->span != Span::One)
        items_.insert(s->var.get());
      values_[s->var.get()].given.push_back(s->value);
      if (s->span == Span::Turns)
        values_[s->var.get()].growths.push_back({s->value, workersOf(*s)});
      below_.emplace_back(varRef(s->var), s->value);
    }
    if (s->kind == StmtKind::For && collectCounting(*s)) {
      collect(s->children[2]);
      return;
    }
    if (s->kind == StmtKind::Decl && s->value)
      values_[s->var.get()].given.push_back(s->value);
    if (s->kind == StmtKind::Assign)
      collectAssignment(*s);
    forEachOwnExpr(*s, [&](const ExprPtr &own) {
      forEach(own, [&](const Expr &e) {
        if (e.kind == ExprKind::Atomic)
          values_[variableOf(e.args[0])].unknown = true;
      });
    });
    for (const StmtPtr &child : s->children)
      collect(child);
  }

  static const Var *variableOf(const ExprPtr &target) {
    return target->kind == ExprKind::Index ? target->args[0]->var.get() : target->var.get();
  }

  /// No fewer than take turns.
  ExprPtr workersOf(const Stmt &s) const {
    if (const auto found = plan_.workers.find(s.level); found != plan_.workers.end())
      return found->second;
    ExprPtr groups = s.value;
    for (const Tunable &t : plan_.tunables) {
      if (t.kind == Tunable::Kind::Launch)
        groups = call("max", scalarType(Scalar::Index), {groups, varRef(t.var)});
    }
    return groups;
  }

  /// for (i = ...; i < end; i += step), or *=: what the loop says of i.
  bool collectCounting(const Stmt &s) {
    const StmtPtr &first = s.children[0];
    const StmtPtr &next = s.children[1];
    if (!s.value || !next || next->kind != StmtKind::Assign ||
        next->target->kind != ExprKind::Var || !(next->op == "+=" || next->op == "*=") ||
        assigns(s.children[2], next->target->var.get()))
      return false;
    const ExprPtr end = endOf(s.value, next->target->var.get());
    if (!end)
      return false;
    const Var *i = next->target->var.get();
    values_[i].growths.push_back({end, next->value, next->op == "*="});
    if (first)
      collect(first);
    if (first && first->kind == StmtKind::Decl && first->var.get() == i && isIndex(end))
      below_.emplace_back(next->target, end);
    return true;
  }

  /// What the condition asks the variable to be below.
  static ExprPtr endOf(const ExprPtr &condition, const Var *i) {
    if (condition->kind == ExprKind::Binary && condition->op == "&&") {
      const ExprPtr found = endOf(condition->args[0], i);
      return found ? found : endOf(condition->args[1], i);
    }
    const bool below =
        condition->kind == ExprKind::Binary && (condition->op == "<" || condition->op == "<=") &&
        condition->args[0]->kind == ExprKind::Var && condition->args[0]->var.get() == i;
    return below ? condition->args[1] : nullptr;
  }

  void collectAssignment(const Stmt &s) {
    Values &values = values_[variableOf(s.target)];
    if (s.target->kind == ExprKind::Var)
      assigned_.insert(s.target->var.get());
    const bool own = contains(s.value, [&](const Expr &e) {
      return e.kind == ExprKind::Var && e.var.get() == variableOf(s.target);
    });
    if (s.op == "=" && !own)
      values.given.push_back(s.value);
    else if (s.op == "-=")
      values.falls = true;
    else if (!(s.op == "/=" || s.op == ">>=" || s.op == "%=" || (s.op == "=" && isLess(s))))
      values.unknown = true;
  }

  /// x = x / 2 and the like.
  static bool isLess(const Stmt &s) {
    return isDivision(*s.value) && sameExpr(s.value->args[0], s.target);
  }

  bool isFixed(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic ||
             (each.kind == ExprKind::Var && assigned_.contains(each.var.get()));
    });
  }

  // ---- what is at most how large

  /// A name that the host knows.
  bool isGiven(const VarPtr &var) const {
    return plan_.tunableOf(var) || std::ranges::find(plan_.extents, var) != plan_.extents.end() ||
           (std::ranges::find(plan_.scalars, var) != plan_.scalars.end() &&
            isInteger(var->type.scalar) && !isSigned(var->type.scalar));
  }
  bool isGivenOnly(const ExprPtr &e) const {
    return !contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Index || each.kind == ExprKind::Atomic || each.op == "-" ||
             (each.kind == ExprKind::Var && !isGiven(each.var));
    });
  }

  /// An upper bound of an integer that is not negative, of an index that is above -2^31; null: none.
  ExprPtr mostOf(const ExprPtr &e) {
    if (!isInteger(e->type.scalar))
      return nullptr;
    if (const auto value = literalValue(e))
      return *value >= 0 ? intLiteral(*value) : nullptr;
    switch (e->kind) {
    case ExprKind::Var:
      return isGiven(e->var) ? e : mostOf(e->var.get());
    case ExprKind::Binary:
      return mostOfBinary(*e);
    case ExprKind::Select:
      return larger(mostOf(e->args[1]), mostOf(e->args[2]));
    case ExprKind::Call:
      return mostOfCall(*e);
    case ExprKind::Cast:
      return isNarrow(*e->args[0]) ? intLiteral(largest) : mostOf(e->args[0]);
    case ExprKind::Index:
      return mostOfElement(*e);
    case ExprKind::Atomic:
      return e->op == "load" ? mostOf(e->args[0]) : nullptr;
    default:
      return nullptr;
    }
  }

  /// Of at most 31 bits and a sign.
  static bool isNarrow(const Expr &e) {
    const Scalar type = e.type.scalar;
    return isInteger(type) && byteSize(type) <= 4 && type != Scalar::U32;
  }

  ExprPtr mostOf(const Var *var) {
    auto [found, isNew] = mostOfVariable_.try_emplace(var, nullptr);
    const auto values = values_.find(var);
    if (!isNew || values == values_.end() || values->second.unknown || var->type.isContainer())
      return found->second; // none while it is looked for
    ExprPtr most = intLiteral(0);
    for (const ExprPtr &each : values->second.given)
      most = larger(most, mostOf(each));
    for (const auto &[end, step, multiplies] : values->second.growths) {
      const ExprPtr last = mostOf(end);
      const ExprPtr by = mostOf(step);
      most = last && by ? larger(most, multiplies ? mul(last, by) : add(last, by)) : nullptr;
    }
    if (most && isLongerThan(most, mostNodes)) // names that are made of others twice, and again
      most = nullptr;
    return mostOfVariable_[var] = most;
  }

  ExprPtr mostOfBinary(const Expr &e) {
    const ExprPtr a = mostOf(e.args[0]);
    if (e.type.scalar == Scalar::Bool)
      return intLiteral(1);
    const ExprPtr b = mostOf(e.args[1]);
    if (e.op == "%")
      return b ? b : a;
    if (!a || !b)
      return nullptr;
    if (e.op == "+" || e.op == "|" || e.op == "^")
      return add(a, b);
    if (e.op == "-") {
      keep(b);
      return a;
    }
    if (e.op == "*")
      return isNatural(e.args[0]) && isNatural(e.args[1]) ? mul(a, b) : nullptr;
    if (e.op == "/")
      return isGivenOnly(e.args[1]) ? binary("/", a, e.args[1]) : a;
    if (e.op == "<<") {
      const auto by = literalValue(e.args[1]);
      return by && *by >= 0 && *by < 31 ? mul(a, intLiteral(std::int64_t{1} << *by)) : nullptr;
    }
    return e.op == ">>" || e.op == "&" ? a : nullptr;
  }

  ExprPtr mostOfCall(const Expr &e) {
    if (!isExtreme(e))
      return nullptr;
    const ExprPtr a = mostOf(e.args[0]);
    const ExprPtr b = mostOf(e.args[1]);
    if (e.callee == "max")
      return larger(a, b);
    if (!a || !b)
      return a ? a : b;
    return isGivenOnly(e.args[0]) && facts_.isNonNegative(facts_.of(b) - facts_.of(a))
               ? a
               : minOf(a, b);
  }

  ExprPtr mostOfElement(const Expr &e) {
    const Var *array = e.args[0]->var.get();
    for (const DataContract &c : plan_.data) {
      if (c.container.get() == array && isInteger(e.type.scalar))
        return mostOf(c.high);
    }
    if (isNarrow(e))
      return intLiteral(largest);
    return e.type.scalar == Scalar::Index ? mostOf(array) : nullptr;
  }

  ExprPtr larger(const ExprPtr &a, const ExprPtr &b) { return a && b ? maxOf(a, b) : nullptr; }

  // ---- what does not fall below 0

  bool isNatural(const ExprPtr &e) {
    if (const auto value = literalValue(e))
      return *value >= 0;
    switch (e->kind) {
    case ExprKind::Var:
      return isGiven(e->var) || isNatural(e->var.get());
    case ExprKind::Binary:
      return e->type.scalar == Scalar::Bool ||
             (isNatural(e->args[0]) && isNatural(e->args[1]) &&
              (!(e->op == "-") ||
               facts_.isNonNegative(facts_.of(e->args[0]) - facts_.of(e->args[1]))));
    case ExprKind::Select:
      return isNatural(e->args[1]) && isNatural(e->args[2]);
    case ExprKind::Call:
      return isExtreme(*e) && isNatural(e->args[0]) && isNatural(e->args[1]);
    case ExprKind::Cast:
      return (!isSigned(e->args[0]->type.scalar) && !isIndex(e->args[0])) || isNatural(e->args[0]);
    case ExprKind::Index:
      return !isSigned(e->type.scalar) || isContracted(*e);
    default:
      return false;
    }
  }

  bool isNatural(const Var *var) const {
    const auto found = natural_.find(var);
    return found != natural_.end() && found->second;
  }

  /// All that nothing below 0 is given to, in the end.
  void findNatural() {
    for (const auto &[var, values] : values_)
      natural_[var] = !values.falls;
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &[var, natural] : natural_) {
        const bool before = natural;
        natural = before && std::ranges::all_of(values_.at(var).given, [&](const ExprPtr &each) {
                    return isNatural(each);
                  });
        changed |= natural != before;
      }
    }
  }

  bool isContracted(const Expr &element) {
    return std::ranges::any_of(plan_.data, [&](const DataContract &c) {
      return c.container == element.args[0]->var && isInteger(element.type.scalar) &&
             literalValue(c.low).value_or(-1) >= 0;
    });
  }

  // ---- what operations see

  void look(const Expr &e) {
    if (e.kind == ExprKind::Cast && isIndex(e.args[0]) && e.type.scalar != Scalar::Index)
      converted(e.args[0], e.type.scalar);
    if (e.kind == ExprKind::Select && isIndex(e.args[0]))
      sees(e.args[0]);
    if (e.kind == ExprKind::Atomic || (e.kind == ExprKind::Call && !isExtreme(e))) {
      for (std::size_t i = e.kind == ExprKind::Atomic ? 1 : 0; i < e.args.size(); ++i) {
        if (isIndex(e.args[i]))
          converted(e.args[i], Scalar::U64);
      }
    }
    if (e.kind == ExprKind::Binary || isLogic(e) || isExtreme(e))
      lookAtOperands(e);
  }

  void lookAtOperands(const Expr &e) {
    if (std::ranges::none_of(e.args, isIndex))
      return;
    if (e.args.size() == 2 && isIndex(e.args[0]) != isIndex(e.args[1]))
      meets(e.args[isIndex(e.args[0]) ? 0 : 1], e.args[isIndex(e.args[0]) ? 1 : 0]);
    if (!isDivision(e) && !isComparison(e) && !isExtreme(e) && !isLogic(e))
      return;
    for (const ExprPtr &each : e.args) {
      if (isDivision(e))
        natural(each);
      if (isInteger(each->type.scalar))
        sees(each);
    }
  }

  void look(const Stmt &s) {
    const bool asks = s.kind == StmtKind::If || isLoop(s);
    if (s.kind == StmtKind::Parallel || (asks && s.value && isIndex(s.value)))
      sees(s.value);
    if ((s.kind == StmtKind::Decl || s.kind == StmtKind::Assign) && s.value && isIndex(s.value)) {
      const Scalar to = s.kind == StmtKind::Decl ? s.var->type.scalar : s.target->type.scalar;
      if (to != Scalar::Index)
        converted(s.value, to);
      else if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
        converted(s.value, Scalar::U64); // memory keeps 64 bits
    }
    if (s.kind == StmtKind::Assign && isIndex(s.target) &&
        (s.op == "/=" || s.op == "%=" || s.op == ">>=")) {
      natural(s.target);
      sees(s.target);
      sees(s.value);
    }
  }

  /// An index in arithmetic with `other`, which is of another type.
  void meets(const ExprPtr &index, const ExprPtr &other) {
    const Scalar type = other->type.scalar;
    if (other->kind == ExprKind::Literal && isInteger(type))
      return;
    if (isInteger(type) && byteSize(type) > 4)
      unknown_ = true; // 64 bits without a sign there become 64 with one
    else if (!isInteger(type))
      converted(index, type);
  }

  void converted(const ExprPtr &e, Scalar to) {
    if (isInteger(to) && byteSize(to) <= 4 && to != Scalar::Bool)
      return;
    natural(e);
    sees(e);
  }

  void natural(const ExprPtr &e) { unknown_ = unknown_ || !isNatural(e); }

  void sees(const ExprPtr &e) {
    if (!unknown_)
      keep(mostOf(e));
  }

  /// Has to be small.
  void keep(const ExprPtr &most) {
    if (most)
      large_.add(most);
    else
      unknown_ = true;
  }

  static constexpr std::int64_t largest = LargeNumbers::largestSmall;

  const LoweredPlan &plan_;
  Inequalities facts_;
  std::set<const Var *> items_; ///< numbers of items
  std::map<const Var *, bool> ofItem_;
  std::map<const Var *, Values> values_;
  std::set<const Var *> assigned_;
  std::vector<std::pair<ExprPtr, ExprPtr>> below_;
  std::map<const Var *, ExprPtr> mostOfVariable_;
  std::map<const Var *, bool> natural_;
  LargeNumbers large_{plan_, facts_};
  bool unknown_ = false;
};

} // namespace

LoweredPlan narrowIndexes(LoweredPlan plan) {
  Narrowing narrowing(plan);
  const ExprPtr most = narrowing.isWorthIt() ? narrowing.most() : nullptr;
  plan.mostIndex = most && !isLongerThan(most, mostNodes) ? most : nullptr;
  return plan;
}

} // namespace tangram::codegen
