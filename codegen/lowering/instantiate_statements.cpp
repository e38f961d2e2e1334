// Lowering of the statements of a codelet, as one worker of a level executes them: a group or the
// host as a whole.
#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/lowering/guard_launches.h"
#include "codegen/lowering/instantiation.h"
#include "ir/swap.h"

#include <algorithm>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

/// Whether a host decides about it, and not each kernel for itself.
bool hasRounds(const Stmt &s) {
  bool found = false;
  for (const StmtPtr &child : s.children)
    forEach(child, [&](const Stmt &each) { found |= isLoop(each) || isSwap(each); });
  return found;
}

} // namespace

void Instantiation::lowerStatement(Instance &in, const StmtPtr &s) {
  switch (s->kind) {
  case StmtKind::Block:
    return lowerBlock(in, s->children);
  case StmtKind::Decl:
    return lowerDeclaration(in, *s);
  case StmtKind::Assign:
    return lowerAssignment(in, *s);
  case StmtKind::If:
    return lowerConditional(in, *s);
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::DoWhile:
    return lowerLoop(in, s);
  case StmtKind::Break:
  case StmtKind::Continue:
    if (onlyLaunches(in.node->level))
      refuse("target " + target_.name + " cannot leave a loop of level " +
                 level(in.node->level).name + ", which only launches kernels, in its middle",
             s->location);
    return scope_.emit(s);
  case StmtKind::Return:
    return lowerReturn(in, *s);
  case StmtKind::Eval:
    if (isSwap(*s))
      lowerSwap(in, *s);
    else if (s->value->kind == ExprKind::SpectrumCall)
      lowerSpectrumCall(in, s->value, {});
    else if (s->value->kind == ExprKind::Map)
      evaluate(in, s->value);
    else if (s->value->kind == ExprKind::Atomic)
      emitForOne(in, eval(atomicOperation(in, s->value), s->location));
    else
      scope_.emit(eval(evaluateScalar(in, s->value), s->location));
    return;
  case StmtKind::Require:
    return lowerRequire(in, *s);
  case StmtKind::Parallel:
    return lowerPiece(in, *s);
  default:
    return scope_.emit(s);
  }
}

void Instantiation::lowerConditional(Instance &in, const Stmt &s) {
  ExprPtr condition = simplified(evaluateScalar(in, s.value));
  if (auto known = literalValue(condition)) {
    std::size_t taken = *known != 0 ? 0 : 1;
    if (taken < s.children.size())
      lowerStatement(in, s.children[taken]);
    return;
  }
  const bool guards = onlyLaunches(in.node->level);
  if (guards && hasRounds(s))
    return isSerial(s) ? lowerForOne(in, s) : chooseRounds(in, s);
  if (guards && readsChangingMemory(condition))
    condition = kept("condition", condition, in.node->level);
  auto branch = [&](const ExprPtr &holds, const StmtPtr &statements) {
    return scope_.collect([&] { where(holds, [&] { lowerStatement(in, statements); }); });
  };
  StmtPtr then = branch(condition, s.children[0]);
  StmtPtr otherwise =
      s.children.size() > 1 && s.children[1] ? branch(negated(condition), s.children[1]) : nullptr;
  if (!guards)
    return scope_.emit(ifThen(condition, then, otherwise, s.location));
  for (const StmtPtr &each : guardLaunches(condition, then, otherwise, plan_))
    scope_.emit(each);
}

/// Memory that keeps the value that `value` has now, for kernels that would read it again.
ExprPtr Instantiation::kept(const std::string &name, const ExprPtr &value, int at) {
  ExprPtr place = elementOf(newCell(name, value->type.scalar, at), {});
  storeElement(at, place, "=", value);
  return place;
}

/// The value that `value` has now, by a name; in memory where kernels use it, each of which would
/// read `value` again after others have written.
ExprPtr Instantiation::now(const Instance &in, const std::string &name, const ExprPtr &value) {
  return onlyLaunches(in.node->level) && readsChangingMemory(value)
             ? kept(name, value, in.node->level)
             : scope_.named(name, value);
}

void Instantiation::requireLoops(int at, const SourceLocation &where) const {
  if (onlyLaunches(at))
    refuse("target " + target_.name + " cannot run a loop at level " + level(at).name +
               ", which only launches kernels",
           where);
}

/// Whether `e` reads an element of anything but an input.
bool Instantiation::readsChangingMemory(const ExprPtr &e) const {
  return contains(e, [&](const Expr &each) {
    if (each.kind != ExprKind::Index)
      return false;
    const Buffer *buffer = plan_.bufferOf(each.args[0]->var);
    return !buffer || buffer->access != "in";
  });
}

void Instantiation::lowerDeclaration(Instance &in, const Stmt &s) {
  const VarPtr &source = s.var;
  if (source->kind == VarKind::Tunable)
    return; // bound when the codelet was instantiated
  if (source->kind == VarKind::Shared)
    return declareShared(in, s);
  if (source->extent) {
    auto own = std::make_shared<Var>(*source);
    own->extent = simplified(evaluateScalar(in, source->extent));
    in.environment[source.get()] = wholeBuffer(own, {own->extent});
    scope_.emit(declare(own, nullptr, s.location));
    return;
  }
  if (source->type.isContainer()) {
    in.environment[source.get()] = s.value->kind == ExprKind::Allocate
                                       ? Value(allocate(in, *source, *s.value))
                                       : settled(in, source->name, evaluate(in, s.value));
    return;
  }
  bool constant =
      s.value && !in.assigned.contains(source.get()) && s.value->kind != ExprKind::Atomic;
  if (constant && s.value->kind != ExprKind::SpectrumCall) {
    in.environment[source.get()] =
        now(in, source->name, cast(source->type.scalar, evaluateScalar(in, s.value)));
    return;
  }
  if (onlyLaunches(in.node->level) && in.assigned.contains(source.get()))
    return keepVariable(in, source, s.value);
  VarPtr own = renewed(*source);
  if (s.value && s.value->kind == ExprKind::Atomic) {
    ExprPtr value = evaluateScalar(in, s.value);
    in.environment[source.get()] = varRef(own);
    scope_.emit(declare(own, nullptr, s.location));
    return scope_.emit(assign(varRef(own), "=", cast(source->type.scalar, value), s.location));
  }
  in.environment[source.get()] = varRef(own);
  if (s.value && s.value->kind == ExprKind::SpectrumCall) {
    in.environment[source.get()] = valueOfCall(in, s.value, own);
    return;
  }
  ExprPtr value =
      s.value ? simplified(cast(source->type.scalar, evaluateScalar(in, s.value))) : nullptr;
  scope_.emit(declare(own, value, s.location));
}

/// A container that is named, as it is now: what it depends on may change later.
Value Instantiation::settled(const Instance &in, const std::string &name, Value container) {
  auto settle = [&](ExprPtr &e, const char *what) {
    if (e && !scope_.isFixed(e))
      e = now(in, name + what, e);
  };
  auto settleView = [&](View &view) {
    for (ExprPtr &origin : view.origin)
      settle(origin, "_start");
    for (Dimension &d : view.dims) {
      settle(d.extent, "_len");
      settle(d.step, "_stride");
    }
    for (Edge &edge : view.edges) {
      for (ExprPtr *each : {&edge.before, &edge.extent, &edge.origin, &edge.step, &edge.beyond})
        settle(*each, "_edge");
    }
  };
  if (View *view = std::get_if<View>(&container))
    settleView(*view);
  if (Parts *parts = std::get_if<Parts>(&container)) {
    settleView(parts->base);
    for (Cut &cut : parts->cuts) {
      settle(cut.count, "_count");
      for (Sequence *sequence : {&cut.start, &cut.inc, &cut.end}) {
        settle(sequence->start, "_from");
        settle(sequence->inc, "_by");
      }
    }
  }
  return container;
}

std::vector<ExprPtr> Instantiation::extentsOf(Instance &in, const Var &container,
                                              const Expr &extents) {
  std::vector<ExprPtr> sizes;
  for (std::size_t d = 0; d < extents.args.size(); ++d)
    sizes.push_back(
        scope_.named(container.name + "_size" + (extents.args.size() > 1 ? std::to_string(d) : ""),
                     cast(Scalar::Index, evaluateScalar(in, extents.args[d]))));
  return sizes;
}

View Instantiation::allocate(Instance &in, const Var &container, const Expr &extents) {
  return temporary(in.node->level, container.name, container.type.scalar,
                   extentsOf(in, container, extents), extents.location);
}

void Instantiation::lowerAssignment(Instance &in, const Stmt &s) {
  if (s.target->type.isContainer()) {
    Value target = evaluate(in, s.target);
    if (s.value->kind != ExprKind::Map || !std::holds_alternative<View>(target))
      refuse("only the results of a map can be assigned to a container", s.location);
    lowerMap(in, s.value, &std::get<View>(target));
    return;
  }
  if (s.target->kind == ExprKind::Var && onlyLaunches(in.node->level))
    return assignKept(in, s);
  if (s.target->kind == ExprKind::Var) {
    ExprPtr target = evaluateScalar(in, s.target);
    if (s.value->kind == ExprKind::SpectrumCall && s.op == "=") {
      lowerSpectrumCall(in, s.value, Destination{{}, target->var});
      return;
    }
    scope_.emit(assign(target, s.op, simplified(evaluateScalar(in, s.value)), s.location));
    return;
  }
  ExprPtr value = simplified(evaluateScalar(in, s.value));
  ExprPtr target = simplified(evaluateScalar(in, s.target));
  if (in.perLane)
    return scope_.emit(assign(target, s.op, value, s.location));
  storeElement(in.node->level, target, s.op, value);
}

void Instantiation::lowerLoop(Instance &in, const StmtPtr &s) {
  bool sites = false;
  forEachExpr(s, [&](const Expr &e) { sites |= callsSpectrum(e); });
  if (sites && s->value && contains(s->value, callsSpectrum))
    refuse("a spectrum called in the condition of a loop is not supported", s->value->location);
  if (onlyLaunches(in.node->level))
    return isSerial(*s) ? lowerForOne(in, *s) : goRound(in, s);
  if (s->kind == StmtKind::For) {
    // The parts of the head are single statements, so that they can stay in it.
    auto single = [&](const StmtPtr &part) -> StmtPtr {
      if (!part)
        return nullptr;
      StmtPtr lowered = scope_.collect([&] { lowerStatement(in, part); });
      if (lowered->children.size() > 1)
        refuse("this loop head is too complicated", part->location);
      return lowered->children.empty() ? nullptr : lowered->children[0];
    };
    if (s->children[0] && s->children[0]->kind == StmtKind::Decl)
      in.assigned.insert(s->children[0]->var.get());
    StmtPtr init = single(s->children[0]);
    ExprPtr condition = s->value ? simplified(evaluateScalar(in, s->value)) : nullptr;
    StmtPtr increment = single(s->children[1]);
    const StmtPtr head = forLoop(init, condition, increment, block({}), s->location);
    keepCounter(in, *s);
    StmtPtr body;
    where(isEntered(in, *s),
          [&] { body = roundOf(in, head, [&] { lowerStatement(in, s->children[2]); }); });
    scope_.emit(forLoop(init, condition, increment, body, s->location));
    return;
  }
  ExprPtr condition = simplified(evaluateScalar(in, s->value));
  StmtPtr body = roundOf(in, nullptr, [&] { lowerStatement(in, s->children[0]); });
  scope_.emit(s->kind == StmtKind::While ? whileLoop(condition, body, s->location)
                                         : doWhile(body, condition, s->location));
}

void Instantiation::lowerReturn(Instance &in, const Stmt &s) {
  if (!s.value)
    return;
  if (s.value->kind == ExprKind::SpectrumCall) {
    lowerSpectrumCall(in, s.value, in.destination);
    return;
  }
  Scalar type = program_.spectrum(in.codelet->spectrum)->result.scalar;
  store(in.node->level, in.destination, simplified(cast(type, evaluateScalar(in, s.value))));
}

/// The operation itself: whoever executes it does it.
ExprPtr Instantiation::atomicOperation(Instance &in, const ExprPtr &e) {
  if (onlyLaunches(in.node->level))
    refuse("target " + target_.name + " has no atomic operations at level " +
               level(in.node->level).name,
           e->location);
  std::vector<ExprPtr> args;
  for (const ExprPtr &arg : e->args)
    args.push_back(simplified(evaluateScalar(in, arg)));
  return withArgs(e, std::move(args));
}

/// Whether the code of a worker of this level is run by several items.
bool Instantiation::isGroupOfItems(int index) const {
  const int below = level(index).subordinate;
  return below >= 0 && (role(index) == Role::Group || role(index) == Role::Warp) &&
         (role(below) == Role::Warp || role(below) == Role::Item);
}

/// Whether all items of a group execute the code at hand, which is meant to be done once.
bool Instantiation::manyExecute(const Instance &in) const {
  return !in.lane && !in.perLane && isGroupOfItems(in.node->level);
}

/// The value an atomic operation gives, which one worker does for all that need it.
ExprPtr Instantiation::evaluateAtomic(Instance &in, const ExprPtr &e) {
  ExprPtr operation = atomicOperation(in, e);
  if (!manyExecute(in))
    return operation;
  ExprPtr place = elementOf(newCell("value_before", e->type.scalar, in.node->level), {});
  emitForOne(in, assign(place, "=", operation, e->location));
  return place;
}

/// `s`, which must be done once, by one of the workers that execute the code around it.
void Instantiation::emitForOne(const Instance &in, StmtPtr s) {
  scope_.emit(manyExecute(in) ? byFirstItem(in.node->level, {std::move(s)}) : std::move(s));
}

/// The statements, done by the first item of a group for all of it: that of the first warp, where
/// there are warps.
StmtPtr Instantiation::byFirstItem(int group, std::vector<StmtPtr> statements) const {
  const int below = level(group).subordinate;
  if (isGroupOfItems(below))
    statements = {byFirstItem(below, std::move(statements))};
  return oneOf(below, block(std::move(statements)));
}

/// The result of a spectrum call as an expression: `var`, or, where only kernels
/// compute, the cell of memory that one of them leaves it in.
ExprPtr Instantiation::valueOfCall(Instance &in, const ExprPtr &e, const VarPtr &var) {
  if (onlyLaunches(in.node->level)) {
    View place = newCell(var->name, var->type.scalar, in.node->level);
    lowerSpectrumCall(in, e, Destination{place, nullptr});
    return elementOf(place, {});
  }
  scope_.emit(declare(var, nullptr, e->location));
  lowerSpectrumCall(in, e, Destination{{}, var});
  return varRef(var);
}

namespace {

/// Whether the spectrum may write memory that `number` reads.
bool writesWhatIsRead(const Spectrum &callee, const std::vector<Value> &args, const View *result,
                      const ExprPtr &number) {
  std::set<const Var *> written;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Parts *parts = std::get_if<Parts>(&args[i]);
    const View *view = parts ? &parts->base : std::get_if<View>(&args[i]);
    if (view && !callee.params[i]->type.isConst)
      written.insert(view->buffer.get());
  }
  if (result)
    written.insert(result->buffer.get());
  return contains(number, [&](const Expr &e) {
    return e.kind == ExprKind::Index && written.contains(e.args[0]->var.get());
  });
}

} // namespace

/// Numbers handed to a spectrum have the value they have now, whatever it writes to its containers
/// and `result`.
void Instantiation::settleNumbers(const Instance &in, const Spectrum &callee,
                                  std::vector<Value> &args, const View *result) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    ExprPtr *number = std::get_if<ExprPtr>(&args[i]);
    if (!number || !writesWhatIsRead(callee, args, result, *number))
      continue;
    const std::string &name = callee.params[i]->name;
    *number = onlyLaunches(in.node->level) ? kept(name, *number, in.node->level)
                                           : scope_.named(name, *number);
  }
}

/// A number handed to a codelet that is inlined: not one that changes while it runs.
Value Instantiation::argument(const Instance &in, const std::string &name, Value value) {
  const ExprPtr *number = std::get_if<ExprPtr>(&value);
  bool onlyKernels = onlyLaunches(in.node->level);
  return number && !onlyKernels && !scope_.isFixed(*number) ? Value(scope_.named(name, *number))
                                                            : value;
}

ExprPtr Instantiation::lowerSpectrumCall(Instance &in, const ExprPtr &e, const Destination &to) {
  std::vector<Value> args;
  const Spectrum &callee = *program_.spectrum(e->callee);
  for (std::size_t i = 0; i < e->args.size(); ++i)
    args.push_back(argument(in, callee.params[i]->name, evaluate(in, e->args[i])));
  settleNumbers(in, callee, args, nullptr);
  int child = in.childOf.at(e.get());
  effects_.requireNoAliasing(*program_.spectrum(e->callee), args,
                             *in.node->children[static_cast<std::size_t>(child)], e->location);
  ExprPtr roundings = lowerCall(in.node->children[static_cast<std::size_t>(child)], args, to);
  in.roundings = add(in.roundings, roundings);
  return roundings;
}

void Instantiation::store(int index, const Destination &to, const ExprPtr &value) {
  if (to.var)
    scope_.emit(assign(varRef(to.var), "=", value));
  else if (to.place.buffer)
    storeElement(index, elementOf(to.place, {}), "=", value);
}

/// A store that one worker does for all that execute the code around it.
void Instantiation::storeElement(int index, const ExprPtr &target, Operator op,
                                 const ExprPtr &value) {
  const auto doIt = [&](int) { scope_.emit(assign(target, op, value)); };
  if (target->args[0]->var->kind == VarKind::Buffer)
    byOne(index, doIt);
  else
    doIt(index);
}

/// Emits `body` for one of the workers that execute the code around it, which is at `index`; `body`
/// gets that worker's level.
void Instantiation::byOne(int index, const std::function<void(int)> &body) {
  const int below = level(index).subordinate;
  if (below < 0 || (!isGroupOfItems(index) && !onlyLaunches(index)))
    return body(index);
  scope_.emit(oneOf(below, scope_.collect([&] { byOne(below, body); })));
}

} // namespace tangram::codegen
