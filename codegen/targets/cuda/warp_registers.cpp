// Arrays of warps in registers: an array that a warp owns and that has one element for each lane, or one alone, becomes a
// variable of the lanes, of which lane i has element i. An element of another lane comes by a shuffle, which all lanes of
// the warp execute, whatever branch needs its value:
//
//   before:  parallel lanes { if (lane >= s) tmp_read = tmp[lane - s]; }
//   after:   parallel lanes { tmp_up = __shfl_up_sync(tmp, s);  if (lane >= s) tmp_read = tmp_up; }
//
// lane - d is shuffle up by d, lane + d down, where d is known to be no less than 0, and lane ^ d is xor; all other
// subscripts name the lane.
//
// An array stays in shared memory where
//   a lane writes another element than its own (one lane alone: than element 0), or by an atomic operation
//   a subscript changes within the piece of code that the lanes run, or is made of elements of memory
//   lanes that take elements in turns write it
#include "codegen/targets/cuda/warp_registers.h"

#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

/// Lanes of a warp, all of which shuffles are for.
constexpr std::uint64_t lanesOfWarp = 32;

/// `e` without conversions between integers: numbers of lanes fit all of them.
ExprPtr converted(const ExprPtr &e) {
  const bool isConversion = e->kind == ExprKind::Cast && isInteger(e->type.scalar) &&
                            isInteger(e->args[0]->type.scalar) && byteSize(e->type.scalar) >= 4;
  return isConversion ? converted(e->args[0]) : e;
}

/// A sum as what is added and what is subtracted.
struct Terms {
  std::vector<ExprPtr> added, subtracted;

  void take(const ExprPtr &number, bool adds = true) {
    const ExprPtr e = converted(number);
    if (isBinary(*e, "+") || isBinary(*e, "-")) {
      take(e->args[0], adds);
      take(e->args[1], adds == isBinary(*e, "+"));
      return;
    }
    (adds ? added : subtracted).push_back(e);
  }
};

ExprPtr sumOf(const std::vector<ExprPtr> &terms) {
  ExprPtr sum;
  for (const ExprPtr &each : terms)
    sum = sum ? binary("+", sum, each) : each;
  return sum;
}

bool isVariable(const ExprPtr &e, const VarPtr &var) {
  const ExprPtr own = converted(e);
  return var && own->kind == ExprKind::Var && own->var == var;
}

bool has(const ExprPtr &e, const VarPtr &var) {
  return var && contains(e, [&](const Expr &each) { return each.var == var; });
}

/// How a lane names another one.
struct Shuffle {
  std::string name; ///< CUDA's, behind shufflePrefix; also of the variable: "up", "down", "xor", ""
  ExprPtr by;

  std::string callee() const { return shufflePrefix + (name.empty() ? "" : name + "_") + "sync"; }
};

/// The shuffle that gives `lane` element `at`. `isNatural`: whether a number is surely no less than 0.
Shuffle shuffleOf(const ExprPtr &at, const VarPtr &lane,
                  const std::function<bool(const ExprPtr &)> &isNatural) {
  if (const ExprPtr bits = converted(at); isBinary(*bits, "^")) {
    for (const std::size_t i : {0U, 1U}) {
      if (isVariable(bits->args[i], lane) && !has(bits->args[1 - i], lane))
        return {"xor", converted(bits->args[1 - i])};
    }
  }
  Terms terms;
  terms.take(at);
  const auto own = std::ranges::find_if(
      terms.added, [&](const ExprPtr &each) { return isVariable(each, lane); });
  if (own == terms.added.end())
    return {"", at};
  terms.added.erase(own);
  const ExprPtr more = sumOf(terms.added), less = sumOf(terms.subtracted);
  const ExprPtr &by = more ? more : less;
  if (!by || (more && less) || has(by, lane) || !isNatural(by))
    return {"", at};
  return more ? Shuffle{"down", more} : Shuffle{"up", less};
}

class WarpRegisters {
public:
  /// Registers of the arrays.
  using Registers = std::map<const Var *, VarPtr>;

  WarpRegisters(const LoweredPlan &plan, int level, Registers registers)
      : plan_(plan), level_(level), registers_(std::move(registers)) {}

  /// Arrays that have to stay where they are; then what `run` gives is of no use.
  std::set<const Var *> unsuited;

  /// Code of a group, or of a warp: all lanes of a warp run it together.
  StmtPtr run(const StmtPtr &s) {
    if (!s)
      return s;
    if (s->kind == StmtKind::Parallel && s->level == level_)
      return s->span == Span::All ? ofAllLanes(s) : ofSomeLanes(s);
    if (const VarPtr counter = naturalCounter(*s))
      natural_.insert(counter.get());
    auto copy = std::make_shared<Stmt>(*s);
    if (s->target)
      copy->target = together(s->target, true);
    if (s->value)
      copy->value = together(s->value, false);
    for (StmtPtr &child : copy->children)
      child = run(child);
    if (s->kind == StmtKind::Block)
      copy->children = withoutBlocks(copy->children);
    return copy;
  }

private:
  /// The counter of a loop that goes up from a number that is no less than 0 to a bound, or halves it; null: it is none.
  VarPtr naturalCounter(const Stmt &s) const {
    const auto counted = countedLoop(s);
    const auto scaled = counted ? std::nullopt : scaledLoop(s);
    if (counted || scaled) {
      const VarPtr &i = counted ? counted->i : scaled->i;
      const bool goesUp = counted ? isNatural(counted->step) : isBinary(*s.value, "<");
      const bool isKnown = goesUp && isNatural(counted ? counted->start : scaled->start);
      return isKnown && !assigns(s.children[2], i.get()) ? i : nullptr;
    }
    if (s.kind != StmtKind::For || !s.children[0] || !s.children[1] ||
        s.children[0]->kind != StmtKind::Decl || s.children[1]->kind != StmtKind::Assign)
      return nullptr;
    const VarPtr &i = s.children[0]->var;
    const Stmt &next = *s.children[1];
    const bool halves =
        next.op == "/=" || next.op == ">>=" ||
        (next.op == "=" && (isBinary(*next.value, "/") || isBinary(*next.value, ">>")) &&
         isVariable(next.value->args[0], i));
    const bool isItsOwn = isVariable(next.target, i) && !assigns(s.children[2], i.get());
    return halves && isItsOwn && s.children[0]->value && isNatural(s.children[0]->value) ? i
                                                                                         : nullptr;
  }

  /// Whether a number is surely no less than 0: made of literals, tunables and counters.
  bool isNatural(const ExprPtr &number) const {
    const ExprPtr e = converted(number);
    switch (e->kind) {
    case ExprKind::Literal:
      return isInteger(e->type.scalar) && e->integer >= 0;
    case ExprKind::Var:
      return natural_.contains(e->var.get()) || plan_.tunableOf(e->var);
    case ExprKind::Binary:
      return (e->op == "+" || e->op == "*" || e->op == "/" || e->op == "%" || e->op == ">>") &&
             isNatural(e->args[0]) && isNatural(e->args[1]);
    default:
      return false;
    }
  }

  Shuffle shuffleTo(const ExprPtr &at, const VarPtr &lane) const {
    return shuffleOf(at, lane, [this](const ExprPtr &e) { return isNatural(e); });
  }

  const Var *arrayAt(const Expr &e) const {
    const Var *array = e.kind == ExprKind::Index ? arrayOf(e) : nullptr;
    return array && registers_.contains(array) ? array : nullptr;
  }

  /// The arrays that `e` has to do with are no registers.
  void refuse(const ExprPtr &e) {
    forEach(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Var && registers_.contains(each.var.get()))
        unsuited.insert(each.var.get());
    });
  }

  ExprPtr call(const Var *array, const Shuffle &shuffle) const {
    const VarPtr &own = registers_.at(array);
    return ir::call(shuffle.callee(), own->type, {varRef(own), shuffle.by});
  }

  /// `e` with a shuffle in the place of each element that all lanes read alike.
  ExprPtr together(const ExprPtr &e, bool isTarget) {
    if (isTarget || contains(e, [](const Expr &each) { return each.kind == ExprKind::Atomic; })) {
      refuse(e);
      return e;
    }
    return rewrite(e, [&](const ExprPtr &each) {
      const Var *array = arrayAt(*each);
      return array ? call(array, shuffleTo(each->args[1], nullptr)) : each;
    });
  }

  /// Writes of a piece are of the lane's own element, which `own` tells.
  template <typename F> void checkWrites(const StmtPtr &body, const F &own) {
    forEach(body, [&](const Stmt &s) {
      if (s.target && arrayAt(*s.target) && !own(s.target->args[1]))
        refuse(s.target);
    });
    forEachExpr(body, [&](const Expr &e) {
      if (e.kind == ExprKind::Atomic)
        refuse(e.args[0]);
      for (const ExprPtr &arg : e.args) { // an array that is handed to a function
        if (e.kind != ExprKind::Index && arg->kind == ExprKind::Var)
          refuse(arg);
      }
    });
  }

  std::set<const Var *> writtenArrays(const StmtPtr &body) const {
    std::set<const Var *> written;
    forEach(body, [&](const Stmt &s) {
      if (s.target && arrayAt(*s.target))
        written.insert(arrayAt(*s.target));
    });
    return written;
  }

  /// Whether a subscript is the same at the beginning of a piece, where any lane can compute it.
  static bool isKnownBefore(const ExprPtr &at, const std::set<const Var *> &changing) {
    return !contains(at, [&](const Expr &e) {
      if (e.kind == ExprKind::Var)
        return changing.contains(e.var.get());
      const bool divides = e.kind == ExprKind::Binary && (e.op == "/" || e.op == "%");
      const bool isPlain = e.kind == ExprKind::Literal || e.kind == ExprKind::Binary ||
                           e.kind == ExprKind::Cast || e.kind == ExprKind::Select ||
                           e.kind == ExprKind::Unary;
      return !isPlain || (divides && e.args[1]->kind != ExprKind::Literal);
    });
  }

  /// The body of a piece with registers in the places of elements. `own` tells the lane's own element; shuffles for the
  /// others are declared in `before`.
  template <typename F>
  StmtPtr ofPiece(const StmtPtr &body, const VarPtr &lane, const F &own,
                  const std::set<const Var *> &changing, std::vector<StmtPtr> &before) {
    checkWrites(body, own);
    const std::set<const Var *> written = writtenArrays(body);
    std::vector<std::pair<ExprPtr, VarPtr>> known;
    return mapExprs(body, [&](const ExprPtr &e) {
      return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
        const Var *array = arrayAt(*each);
        if (!array)
          return each;
        const ExprPtr &at = each->args[1];
        if (own(at))
          return varRef(registers_.at(array));
        if (written.contains(array) || !isKnownBefore(at, changing)) {
          unsuited.insert(array);
          return each;
        }
        for (const auto &[element, value] : known) {
          if (sameExpr(element, each))
            return varRef(value);
        }
        const Shuffle shuffle = shuffleTo(at, lane);
        const VarPtr value =
            newVariable(array->name + "_" + (shuffle.name.empty() ? "there" : shuffle.name),
                        array->type.scalar);
        before.push_back(declare(value, call(array, shuffle)));
        known.emplace_back(each, value);
        return varRef(value);
      });
    });
  }

  StmtPtr ofAllLanes(const StmtPtr &s) {
    std::set<const Var *> changing = changedIn(s->children[0]);
    std::vector<StmtPtr> statements;
    const StmtPtr body = ofPiece(
        s->children[0], s->var, [&](const ExprPtr &at) { return isVariable(at, s->var); }, changing,
        statements);
    if (statements.empty())
      return withChildren(s, {body});
    statements.push_back(body);
    return withChildren(s, {block(withoutBlocks(statements))});
  }

  /// One lane, or lanes that take elements in turns: shuffles come before, where all lanes are together.
  StmtPtr ofSomeLanes(const StmtPtr &s) {
    std::set<const Var *> changing = changedIn(s->children[0]);
    if (s->var)
      changing.insert(s->var.get());
    const bool isOne = s->span == Span::One;
    std::vector<StmtPtr> statements;
    const StmtPtr body = ofPiece(
        s->children[0], nullptr, [&](const ExprPtr &at) { return isOne && isLiteral(at, 0); },
        changing, statements);
    auto copy = std::make_shared<Stmt>(*withChildren(s, {body}));
    copy->value = s->value ? together(s->value, false) : nullptr;
    if (statements.empty())
      return copy;
    statements.push_back(copy);
    return block(std::move(statements));
  }

  const LoweredPlan &plan_;
  int level_; ///< of the lanes
  Registers registers_;
  std::set<const Var *> natural_; ///< counters of loops that are no less than 0
};

/// The level of warps whose lanes have registers for their arrays; -1: there is none.
int warpsWithRegisters(const LoweredPlan &plan) {
  for (std::size_t i = 0; i < plan.machine->levels.size(); ++i) {
    const composer::Level &level = plan.machine->levels[i];
    if (plan.role(static_cast<int>(i)) != Role::Warp || level.subordinate < 0 ||
        !level.memoryNamed("private"))
      continue;
    const composer::Workers &lanes =
        plan.machine->levels[static_cast<std::size_t>(level.subordinate)].workers;
    if (lanes.min == lanesOfWarp && lanes.max == lanesOfWarp)
      return static_cast<int>(i);
  }
  return -1;
}

/// Declares a register in each group that has to do with it.
StmtPtr declared(const LoweredPlan &plan, const StmtPtr &body, const VarPtr &own) {
  return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
    bool uses = false;
    if (s->kind == StmtKind::Parallel && plan.role(s->level) == Role::Group)
      forEachExpr(s->children[0], [&](const Expr &e) { uses |= e.var == own; });
    if (!uses)
      return s;
    std::vector<StmtPtr> statements = withoutBlocks({s->children[0]});
    const auto first = std::ranges::find_if(statements, [&](const StmtPtr &each) {
      bool found = false;
      forEachExpr(each, [&](const Expr &e) { found |= e.var == own; });
      return found;
    });
    statements.insert(first, declare(own, nullptr));
    return withChildren(s, {block(std::move(statements))});
  });
}

StmtPtr withoutBarriersOfWarps(const LoweredPlan &plan, const StmtPtr &body) {
  return rewrite(body, [&](const StmtPtr &s) -> StmtPtr {
    if (s->kind != StmtKind::Block)
      return s;
    std::vector<StmtPtr> left = s->children;
    std::erase_if(left, [&](const StmtPtr &each) {
      return each->kind == StmtKind::Barrier && plan.role(each->level) == Role::Warp;
    });
    return withChildren(s, std::move(left));
  });
}

} // namespace

LoweredPlan withWarpRegisters(LoweredPlan plan) {
  const int warps = plan.machine ? warpsWithRegisters(plan) : -1;
  if (warps < 0)
    return plan;
  const int lanes = plan.machine->levels[static_cast<std::size_t>(warps)].subordinate;
  const auto count = plan.workers.find(lanes);
  WarpRegisters::Registers registers;
  for (const Buffer &buffer : plan.buffers) {
    const bool suits = buffer.space == Space::Warp &&
                       (isLiteral(buffer.count, 1) ||
                        (count != plan.workers.end() && sameExpr(buffer.count, count->second)));
    if (suits)
      registers[buffer.var.get()] = newVariable(buffer.var->name, buffer.var->type.scalar);
  }
  while (!registers.empty()) {
    WarpRegisters pass(plan, lanes, registers);
    const StmtPtr body = pass.run(plan.body);
    if (pass.unsuited.empty()) {
      plan.body = body;
      break;
    }
    std::erase_if(registers, [&](const auto &each) { return pass.unsuited.contains(each.first); });
  }
  if (registers.empty())
    return plan;
  for (const auto &[array, own] : registers)
    plan.body = declared(plan, plan.body, own);
  std::erase_if(plan.buffers, [&](const Buffer &b) { return registers.contains(b.var.get()); });
  plan.body = withoutBarriersOfWarps(plan, plan.body);
  return placeBarriers(std::move(plan));
}

} // namespace tangram::codegen
