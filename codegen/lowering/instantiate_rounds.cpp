// Loops around kernels. A host that only launches counts rounds whose number it knows; of others a
// kernel decides, after each, whether there is one more, and the host reads that. Variables that
// change are elements of memory, which kernels of one worker assign.
//
//   for (t = 0; t < steps; ++t) A     ->  for (t = 0; t < steps; t += 1) A
//   for (t = 1; t < n; t *= 2) A      ->  for (t = 1; t < n; t *= 2) A
//   for (t = n; t > 0; t /= 2) A      ->  for (c = 1; c < n + 1; c *= 2) A with n / c for t
//   while (changed > eps) A           ->  one { goes_on[0] = changed[0] > eps; }
//                                         while (goes_on[0]) { A; one { goes_on[0] = ...; } }
//
// Loops around nothing but numbers and elements are for a single worker, which goes all rounds in one kernel.
#include "algebra/simplify.h"
#include "codegen/analysis/accesses.h"
#include "codegen/analysis/rounding_count.h"
#include "codegen/form/building.h"
#include "codegen/lowering/counting.h"
#include "codegen/lowering/instantiation.h"
#include "ir/swap.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

ExprPtr unknownRoundings() {
  auto counted = std::make_shared<Var>();
  counted->name = referenceRoundings;
  counted->type = scalarType(Scalar::Index);
  counted->kind = VarKind::Param;
  return varRef(counted);
}

ExprPtr Instantiation::hostNumber(const ExprPtr &e) const {
  const ExprPtr written = simplified(scope_.closed(e));
  const bool known = !contains(written, [&](const Expr &each) {
    const bool extreme =
        each.kind == ExprKind::Call && (each.callee == "min" || each.callee == "max");
    switch (each.kind) {
    case ExprKind::Literal:
    case ExprKind::Unary:
    case ExprKind::Binary:
    case ExprKind::Select:
    case ExprKind::Cast:
      return isFloating(each.type.scalar);
    case ExprKind::Var:
      return isFloating(each.type.scalar) ||
             (each.var->kind != VarKind::Param && !plan_.tunableOf(each.var) &&
              !counters_.contains(each.var.get()));
    default:
      return !extreme || isFloating(each.type.scalar);
    }
  });
  return known ? written : nullptr;
}

/// How often the loop goes round at most, over what the host knows; null: it does not say.
ExprPtr Instantiation::roundsOf(const Stmt &loop) const {
  const std::optional<CountedLoop> counted = countedLoop(loop);
  if (!counted || literalValue(counted->start).value_or(-1) < 0 ||
      literalValue(counted->step).value_or(0) < 1)
    return nullptr;
  const ExprPtr end = hostNumber(counted->bound);
  const bool closed = end && !contains(end, [&](const Expr &each) {
                        return each.kind == ExprKind::Var && counters_.contains(each.var.get());
                      });
  if (!closed)
    return nullptr;
  const ExprPtr most = cast(Scalar::Index, end);
  return isLiteral(counted->step, 1)
             ? simplified(most)
             : simplified(ceilDiv(most, cast(Scalar::Index, counted->step)));
}

StmtPtr Instantiation::roundOf(Instance &in, const StmtPtr &counted,
                               const std::function<void()> &body) {
  const ExprPtr before = std::exchange(in.roundings, intLiteral(0));
  StmtPtr round = scope_.collect(body);
  const ExprPtr inside = std::exchange(in.roundings, before);
  if (!isLiteral(inside, 0)) {
    const ExprPtr rounds = counted ? roundsOf(*counted) : nullptr;
    in.roundings = add(before, rounds ? mul(rounds, inside) : add(inside, unknownRoundings()));
  }
  return round;
}

/// Whether a counter that goes on by `by`, or by factors from there, is never below where it began.
bool Instantiation::neverFalls(const ExprPtr &by) const {
  const Tunable *step = by->kind == ExprKind::Var ? plan_.tunableOf(by->var) : nullptr;
  return !isSigned(by->type.scalar) || literalValue(by).value_or(-1) >= 0 || step != nullptr;
}

/// In its body a counter that only the head changes is a number like others, below what the condition says.
void Instantiation::keepCounter(Instance &in, const Stmt &s) {
  if (!s.children[0] || s.children[0]->kind != StmtKind::Decl ||
      !isInteger(s.children[0]->var->type.scalar) ||
      assigns(s.children[2], s.children[0]->var.get()))
    return;
  const ExprPtr counter = evaluateScalar(in, varRef(s.children[0]->var));
  if (counter->kind != ExprKind::Var)
    return;
  scope_.keep(counter->var);
  const std::optional<Counting> counting = countingAtMost(s);
  if (!counting || counting->converted || counting->t != s.children[0]->var)
    return;
  const ExprPtr from = simplified(evaluateScalar(in, counting->from));
  if (neverFalls(counting->multiplies ? from : simplified(evaluateScalar(in, counting->by))) &&
      scope_.isFixed(from))
    scope_.boundBelow(counter->var, from);
  const ExprPtr below = simplified(evaluateScalar(in, counting->below));
  if (!isSigned(below->type.scalar) && scope_.isFixed(below))
    scope_.boundWorker(counter->var, maxOf(cast(Scalar::Index, below), intLiteral(1)));
}

/// The condition of a first round, where the loop counts; else what says nothing.
ExprPtr Instantiation::isEntered(Instance &in, const Stmt &s) {
  const std::optional<Counting> counting = countingOf(s);
  if (!counting || counting->converted || literalValue(counting->from).value_or(-1) < 0)
    return intLiteral(1);
  const ExprPtr below = evaluateScalar(in, counting->below);
  return simplified(binary("<", cast(below->type.scalar, counting->from), below));
}

void Instantiation::goRound(Instance &in, const StmtPtr &s) {
  if (s->kind == StmtKind::For && goRoundCounting(in, *s))
    return;
  goRoundAsking(in, *s);
}

/// Whether the host can count the rounds.
bool Instantiation::goRoundCounting(Instance &in, const Stmt &s) {
  std::optional<Counting> counting = countingOf(s);
  if (!counting)
    counting = fallingOf(s);
  if (!counting)
    return false;
  const Scalar type = counting->t->type.scalar;
  const ExprPtr from = hostNumber(cast(type, evaluateScalar(in, counting->from)));
  const ExprPtr below = hostNumber(evaluateScalar(in, counting->below));
  const ExprPtr by = hostNumber(cast(type, evaluateScalar(in, counting->by)));
  if (!from || !below || !by)
    return false;
  const Tunable *step = by->kind == ExprKind::Var ? plan_.tunableOf(by->var) : nullptr;
  const Tunable *first = from->kind == ExprKind::Var ? plan_.tunableOf(from->var) : nullptr;
  const bool isPositive = literalValue(from).value_or(0) > 0 || (first && first->min > 0);
  const bool ascends = counting->multiplies
                           ? isPositive
                           : literalValue(by).value_or(0) > 0 || (step && step->min > 0);
  // As another type a number below 0 may be a large one.
  const bool asItIs =
      !counting->converted || !isSigned(type) || literalValue(from).value_or(-1) >= 0;
  if (!ascends || !asItIs)
    return false;
  const VarPtr t = newVariable(counting->t->name, type);
  in.environment[counting->t.get()] = varRef(t);
  counters_.insert(t.get());
  if (counting->falling)
    in.environment[counting->falling.get()] = simplified(evaluateScalar(in, counting->value));
  if (!isSigned(below->type.scalar))
    scope_.boundWorker(t, maxOf(cast(Scalar::Index, below), intLiteral(1)));
  scope_.boundBelow(t, from);
  const StmtPtr init = declare(t, from, s.location);
  const ExprPtr goesOn = binary("<", varRef(t), below);
  const StmtPtr next = counting->multiplies ? assign(varRef(t), "*=", by, s.location)
                                            : assign(varRef(t), "+=", by, s.location);
  const StmtPtr head = forLoop(init, goesOn, next, block({}));
  StmtPtr body;
  where(isEntered(in, s),
        [&] { body = roundOf(in, head, [&] { lowerStatement(in, s.children[2]); }); });
  scope_.emit(forLoop(init, goesOn, next, body, s.location));
  return true;
}

/// Whether one worker can do all of `s`: nothing in it is done by several, or known to the host.
bool Instantiation::isSerial(const Stmt &s) {
  bool plain = true;
  const auto look = [&](const Stmt &each) {
    const bool container =
        each.kind == StmtKind::Decl && (each.var->type.isContainer() || each.var->extent);
    plain &= !container && !isSwap(each) && each.kind != StmtKind::Return &&
             each.kind != StmtKind::Require && each.kind != StmtKind::Parallel;
    for (const ExprPtr &e : {each.value, each.target})
      plain &= !e || !contains(e, [](const Expr &part) {
        return callsSpectrum(part) || part.kind == ExprKind::Atomic;
      });
  };
  look(s);
  for (const StmtPtr &child : s.children) {
    if (child)
      forEach(child, look);
  }
  return plain;
}

/// A statement around kernels in one of its own, in which variables that change are the worker's own.
void Instantiation::lowerForOne(Instance &in, const Stmt &s) {
  byOne(in.node->level, [&](int at) {
    PlanNode worker = *in.node;
    worker.level = at;
    Instance own = in;
    own.node = &worker;
    std::vector<std::pair<ExprPtr, VarPtr>> changed;
    for (const auto &[variable, cell] : in.cells) {
      const bool assigned =
          std::ranges::any_of(s.children, [&, v = variable](const StmtPtr &child) {
            return child && assigns(child, v);
          });
      if (!assigned)
        continue;
      const VarPtr kept = newVariable(variable->name + "_now", variable->type.scalar);
      scope_.emit(declare(kept, elementOf(cell, {})));
      own.environment[variable] = varRef(kept);
      changed.emplace_back(elementOf(cell, {}), kept);
    }
    lowerStatement(own, std::make_shared<Stmt>(s));
    for (const auto &[cell, kept] : changed)
      scope_.emit(assign(cell, "=", varRef(kept)));
    in.roundings = own.roundings;
  });
}

/// Kernels decide about the rounds.
void Instantiation::goRoundAsking(Instance &in, const Stmt &s) {
  const bool counts = s.kind == StmtKind::For;
  if (!s.value)
    refuse("this loop around kernels says in no condition when it ends", s.location);
  if (counts && s.children[0]) {
    if (s.children[0]->kind == StmtKind::Decl)
      in.assigned.insert(s.children[0]->var.get());
    lowerStatement(in, s.children[0]);
  }
  const View goesOn = newCell("goes_on", Scalar::U32, in.node->level);
  auto ask = [&] {
    storeElement(in.node->level, elementOf(goesOn, {}), "=",
                 cast(Scalar::U32, simplified(evaluateScalar(in, s.value))));
  };
  const bool first = s.kind != StmtKind::DoWhile;
  if (first)
    ask();
  const StmtPtr body = roundOf(in, nullptr, [&] {
    lowerStatement(in, s.children[counts ? 2 : 0]);
    if (counts && s.children[1])
      lowerStatement(in, s.children[1]);
    ask();
  });
  const ExprPtr condition = elementOf(goesOn, {});
  scope_.emit(first ? whileLoop(condition, body, s.location)
                    : doWhile(body, condition, s.location));
}

/// An `if` with rounds or swaps in it: the host has to know.
void Instantiation::chooseRounds(Instance &in, const Stmt &s) {
  const View chosen = newCell("chosen", Scalar::U32, in.node->level);
  storeElement(in.node->level, elementOf(chosen, {}), "=",
               cast(Scalar::U32, simplified(evaluateScalar(in, s.value))));
  const StmtPtr then = scope_.collect([&] { lowerStatement(in, s.children[0]); });
  const StmtPtr otherwise = s.children.size() > 1 && s.children[1]
                                ? scope_.collect([&] { lowerStatement(in, s.children[1]); })
                                : nullptr;
  scope_.emit(ifThen(elementOf(chosen, {}), then, otherwise, s.location));
}

/// A variable that changes, in memory.
void Instantiation::keepVariable(Instance &in, const VarPtr &variable, const ExprPtr &value) {
  const Scalar type = variable->type.scalar;
  const View cell = newCell(variable->name, type, in.node->level);
  if (value && value->kind == ExprKind::SpectrumCall)
    lowerSpectrumCall(in, value, Destination{cell, nullptr});
  else if (value)
    storeElement(in.node->level, elementOf(cell, {}), "=",
                 simplified(cast(type, evaluateScalar(in, value))));
  in.cells[variable.get()] = cell;
  in.environment[variable.get()] = elementOf(cell, {});
}

void Instantiation::assignKept(Instance &in, const Stmt &s) {
  const View cell = in.cells.at(s.target->var.get());
  if (s.value->kind != ExprKind::SpectrumCall || !(s.op == "="))
    return storeElement(in.node->level, elementOf(cell, {}), s.op,
                        simplified(evaluateScalar(in, s.value)));
  // What kernels of the call still read must not change under them.
  const bool reads = mentions(s.value, s.target->var.get());
  const View to =
      reads ? newCell(s.target->var->name + "_next", cell.buffer->type.scalar, in.node->level)
            : cell;
  lowerSpectrumCall(in, s.value, Destination{to, nullptr});
  if (reads)
    storeElement(in.node->level, elementOf(cell, {}), "=", elementOf(to, {}));
}

void Instantiation::lowerSwap(Instance &in, const Stmt &s) {
  std::array<View, 2> both;
  for (std::size_t i = 0; i < 2; ++i)
    both[i] = std::get<View>(evaluate(in, s.value->args[i]));
  if (role(in.node->level) != Role::Host)
    refuse("containers of level " + level(in.node->level).name + " cannot be swapped", s.location);
  const bool same = std::ranges::equal(
      both[0].dims, both[1].dims, [&](const Dimension &one, const Dimension &other) {
        return sameExpr(scope_.closed(one.extent), scope_.closed(other.extent));
      });
  if (!same)
    refuse("'" + s.value->args[0]->var->name + "' and '" + s.value->args[1]->var->name +
               "' are swapped, and that they have the same extents is not known",
           s.location);
  if (both[0].buffer != both[1].buffer)
    scope_.emit(swapOf(varRef(both[0].buffer), varRef(both[1].buffer), s.location));
}

} // namespace tangram::codegen
