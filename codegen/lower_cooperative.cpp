// Lowering of a cooperative codelet: its lanes are the workers of the subordinate
// level, and a statement reads for all lanes before it writes for any.
//
// What is the same for every lane (a uniform value, a loop over one) stays with the
// group; everything else becomes Parallel pieces. A piece ends where a lane could
// see what another lane wrote in it, so that printers may run its lanes in any
// order; codegen/passes then joins pieces that need not be apart.
#include "codegen/early_return.h"
#include "codegen/lowering.h"
#include "codegen/simplify.h"

#include "composer/coverage.h"

#include <utility>

namespace tangram::codegen {

using namespace ir;

struct Lowering::Lockstep {
  Instance in;
  int lanesLevel = 0;
  VarPtr lane;
  std::set<const Var *> varying; ///< source variables that may differ between lanes
  std::vector<ExprPtr> guards;   ///< conditions under which the lanes at hand are active
};

namespace {

/// What the locals of a codelet that never change stand for.
class Constants {
public:
  Constants() = default;
  explicit Constants(const StmtPtr &body) {
    std::set<const Var *> changing;
    forEach(body, [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Var)
        changing.insert(s.target->var.get());
    });
    forEach(body, [&](const Stmt &s) {
      bool constant = s.kind == StmtKind::Decl && s.value && !changing.contains(s.var.get()) &&
                      s.var->kind == VarKind::Local && s.value->kind != ExprKind::Atomic;
      if (constant)
        values_[s.var.get()] = s.value;
    });
  }

  /// `e` with the constants written out; reads of memory stay behind their names.
  ExprPtr meaning(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      auto found = each->kind == ExprKind::Var ? values_.find(each->var.get()) : values_.end();
      if (found == values_.end() || contains(found->second, [](const Expr &x) {
            return x.kind == ExprKind::Index || x.kind == ExprKind::Call;
          }))
        return each;
      ExprPtr value = meaning(found->second);
      return value->kind == ExprKind::Cast && value->type.scalar == Scalar::Index ? value->args[0]
                                                                                  : value;
    });
  }

private:
  std::map<const Var *, ExprPtr> values_;
};

bool isShared(const Expr &e) {
  return e.kind == ExprKind::Var && (e.var->kind == VarKind::Shared || e.var->type.isContainer());
}

bool varies(const ExprPtr &e, const std::set<const Var *> &varying) {
  return contains(e, [&](const Expr &each) {
    return each.kind == ExprKind::CoopIdx || each.kind == ExprKind::Atomic ||
           (each.kind == ExprKind::Var && varying.contains(each.var.get()));
  });
}

/// Whether `s` is a loop with a break or continue of its own.
bool hasJump(const StmtPtr &s) {
  if (!isLoop(*s))
    return false;
  bool found = false;
  forEach(s, [&](const Stmt &each) {
    found |= each.kind == StmtKind::Break || each.kind == StmtKind::Continue;
  });
  return found;
}

/// for (i = coopIdx(); ...; i += coopDim()), `names` being what constants stand for.
VarPtr stridingVariable(const StmtPtr &s, const Constants &names) {
  if (s->kind != StmtKind::For || !s->children[0] || !s->children[1] ||
      s->children[0]->kind != StmtKind::Decl || !s->children[0]->value ||
      names.meaning(s->children[0]->value)->kind != ExprKind::CoopIdx ||
      s->children[1]->op != "+=" || names.meaning(s->children[1]->value)->kind != ExprKind::CoopDim)
    return nullptr;
  const VarPtr &i = s->children[0]->var;
  bool changes = s->children[1]->target->var != i;
  forEach(s->children[2], [&](const Stmt &each) {
    changes |= each.kind == StmtKind::Assign && each.target->var == i;
  });
  return changes ? nullptr : i;
}

/// Whether elements with these subscripts differ where the values of `i` do: `i` is one of them,
/// or `i / n` and `i % n` are, with `n` not among what is `changing` meanwhile.
bool tellsApart(const std::vector<ExprPtr> &subscripts, const VarPtr &i,
                const std::set<const Var *> &changing) {
  auto isDigit = [&](const ExprPtr &e, const char *op) {
    return e->kind == ExprKind::Binary && e->op == op && e->args[0]->var == i &&
           !varies(e->args[1], changing);
  };
  for (const ExprPtr &a : subscripts) {
    if (a->kind == ExprKind::Var && a->var == i)
      return true;
    for (const ExprPtr &b : subscripts) {
      if (isDigit(a, "/") && isDigit(b, "%") && sameExpr(a->args[1], b->args[1]))
        return true;
    }
  }
  return false;
}

/// A loop whose lanes touch, of what it writes, elements of their own alone: those that its
/// variable tells apart, by subscripts in the same places.
bool strides(const StmtPtr &s, const Constants &names) {
  const VarPtr i = stridingVariable(s, names);
  if (!i)
    return false;
  bool fits = true;
  std::set<const Var *> written;
  std::set<const Var *> changing;
  forEach(s->children[2], [&](const Stmt &each) {
    if (each.kind == StmtKind::Decl)
      changing.insert(each.var.get());
    if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var)
      changing.insert(each.target->var.get());
    // A view with a name of its own may be of anything.
    if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Index &&
        each.target->args[0]->var && each.target->args[0]->var->kind == VarKind::Local &&
        each.target->args[0]->var->type.isContainer())
      fits = false;
  });
  // What atomic operations update is not read in another way.
  std::set<const Var *> atomic;
  std::map<const Var *, int> uses;
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind == ExprKind::Index && e.args[0]->kind == ExprKind::Var)
      ++uses[e.args[0]->var.get()];
    if (e.kind == ExprKind::Atomic && e.args[0]->kind == ExprKind::Index) {
      atomic.insert(e.args[0]->args[0]->var.get());
      --uses[e.args[0]->args[0]->var.get()];
    }
  });
  for (const Var *container : atomic)
    fits &= uses[container] == 0;
  forEach(s->children[2], [&](const Stmt &each) {
    if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Index &&
        each.target->args[0]->kind == ExprKind::Var &&
        each.target->args[0]->var->kind != VarKind::Local)
      written.insert(each.target->args[0]->var.get());
    fits &= each.kind != StmtKind::Assign || each.target->kind != ExprKind::Var ||
            each.target->var->kind != VarKind::Shared;
  });
  // Where each container's accesses have a subscript that tells iterations apart.
  std::map<const Var *, std::vector<ExprPtr>> common;
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind != ExprKind::Index || e.args[0]->kind != ExprKind::Var ||
        !written.contains(e.args[0]->var.get()))
      return;
    std::vector<ExprPtr> subscripts;
    for (std::size_t k = 1; k < e.args.size(); ++k)
      subscripts.push_back(names.meaning(e.args[k]));
    auto [known, first] = common.try_emplace(e.args[0]->var.get(), subscripts);
    for (std::size_t k = 0; !first && k < subscripts.size(); ++k) {
      if (k < known->second.size() && !sameExpr(known->second[k], subscripts[k]))
        known->second[k] = intLiteral(0); // says nothing
    }
  });
  for (const auto &[container, subscripts] : common)
    fits &= tellsApart(subscripts, i, changing);
  return fits && !written.empty();
}

/// Marks what is assigned lane by lane, until nothing changes.
void markVarying(const StmtPtr &s, bool divergent, std::set<const Var *> &varying) {
  if (!s)
    return;
  if (s->kind == StmtKind::Decl && s->var->kind == VarKind::Local &&
      (divergent || (s->value && varies(s->value, varying))))
    varying.insert(s->var.get());
  if (s->kind == StmtKind::Assign) {
    const ExprPtr &base = s->target->kind == ExprKind::Index ? s->target->args[0] : s->target;
    bool scalar = base->var->kind == VarKind::Param && !base->var->type.isContainer();
    if ((base->var->kind == VarKind::Local || scalar) &&
        (divergent || varies(s->value, varying) || varies(s->target, varying)))
      varying.insert(base->var.get());
  }
  // A loop that is left in the middle runs lane by lane.
  bool inner = divergent || hasJump(s) ||
               (s->value && s->kind != StmtKind::Decl && s->kind != StmtKind::Assign &&
                varies(s->value, varying));
  for (const StmtPtr &child : s->children)
    markVarying(child, inner, varying);
}

bool writesShared(const StmtPtr &s) {
  bool writes = false;
  forEach(s, [&](const Stmt &each) {
    writes |= each.kind == StmtKind::Assign &&
              contains(each.target, [](const Expr &e) { return isShared(e); });
  });
  return writes;
}

/// Whether running `s` may change the value of `condition`.
bool mayChange(const ExprPtr &condition, const StmtPtr &s) {
  bool readsShared = contains(condition, [](const Expr &e) { return isShared(e); });
  bool changes = readsShared && writesShared(s);
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var)
      changes |= contains(condition, [&](const Expr &e) { return e.var == each.target->var; });
  });
  return changes;
}

} // namespace

ExprPtr Lowering::lowerCooperative(const PlanNode &node, const std::vector<Value> &args,
                                   const Destination &destination) {
  const composer::Level &here = level(node.level);
  if (here.subordinate < 0 || role(node.level) != Role::Group ||
      role(here.subordinate) != Role::Item)
    refuse("target " + target_ + " runs cooperative codelets on a group of items only; level " +
               here.name + " (" + here.title + ") is none",
           codeletOf(node).location);
  emitComment("compute(" + codeletOf(node).name() + ", VE_" + here.name + ")");
  Lockstep state;
  state.in = instantiate(node, args, destination);
  state.in.roundings = roundingsOf(*state.in.codelet, args);
  state.lanesLevel = here.subordinate;
  state.lane = variable(identifier(level(here.subordinate).title), Scalar::Index, VarKind::Worker);
  state.in.lane = varRef(state.lane);
  state.in.lanes = workersOf(here.subordinate, "", {});
  state.in.roundings = add(state.in.roundings, state.in.lanes);
  boundWorker(state.lane, state.in.lanes);
  StmtPtr body =
      tailReturns(state.in.codelet->body, program_.spectrum(node.spectrum)->result.scalar);
  noteAssigned(state.in, body);
  std::size_t before = 0;
  do {
    before = state.varying.size();
    markVarying(body, false, state.varying);
  } while (state.varying.size() != before);
  ownParameters(state.in, [&](const VarPtr &param, StmtPtr declaration) {
    if (state.varying.contains(param.get()))
      emitLanes(state, std::move(declaration));
    else
      emit(std::move(declaration));
  });
  for (const composer::Requirement &needed : composer::inferRequires(*state.in.codelet))
    lowerRequire(state.in, *require(needed.condition, needed.location));
  lowerLockstep(state, body);
  return state.in.roundings;
}

void Lowering::emitLanes(Lockstep &state, StmtPtr s) {
  if (!state.guards.empty()) {
    ExprPtr active = state.guards[0];
    for (std::size_t i = 1; i < state.guards.size(); ++i)
      active = binary("&&", active, state.guards[i]);
    s = ifThen(active, block({std::move(s)}));
  }
  emit(parallel(state.lanesLevel, state.lane, state.in.lanes, block({std::move(s)})));
}

void Lowering::lowerLockstep(Lockstep &state, const StmtPtr &s) {
  switch (s->kind) {
  case StmtKind::Block:
    for (const StmtPtr &child : s->children)
      lowerLockstep(state, child);
    return;
  case StmtKind::Decl:
    return lockstepDeclaration(state, *s);
  case StmtKind::Assign:
    return lockstepAssignment(state, *s);
  case StmtKind::If:
    return lockstepIf(state, s);
  case StmtKind::For:
  case StmtKind::While:
  case StmtKind::DoWhile:
    return lockstepLoop(state, s);
  case StmtKind::Require:
    return lowerRequire(state.in, *s);
  case StmtKind::Return: {
    if (!state.guards.empty())
      refuse("a cooperative codelet cannot return under a condition that differs between lanes",
             s->location);
    if (!s->value)
      return;
    if (varies(s->value, state.varying))
      refuse("what a cooperative codelet returns must be the same for every lane", s->location);
    Scalar type = program_.spectrum(state.in.codelet->spectrum)->result.scalar;
    return store(state.in.node->level, state.in.destination,
                 simplify(cast(type, evaluateScalar(state.in, s->value))));
  }
  case StmtKind::Eval:
    return emitLanes(state,
                     eval(s->value->kind == ExprKind::Atomic ? atomicOperation(state.in, s->value)
                                                             : evaluateScalar(state.in, s->value),
                          s->location));
  default:
    refuse("break and continue of a loop that all lanes share are not supported", s->location);
  }
}

void Lowering::lockstepDeclaration(Lockstep &state, const Stmt &s) {
  const VarPtr &source = s.var;
  Instance &in = state.in;
  if (source->kind == VarKind::Shared) {
    ExprPtr count = source->extent
                        ? simplify(cast(Scalar::Index, evaluateScalar(in, source->extent)))
                        : intLiteral(1);
    if (!isCompileTime(closed(count)))
      refuse("'" + source->name + "' has " + toString(source->extent) +
                 " elements, a number known only at run time; shared memory has to be sized "
                 "before, by coopDim(), tunables and constants",
             s.location);
    VarPtr memory = variable(source->name, source->type.scalar, VarKind::Buffer);
    plan_.buffers.push_back({memory, Space::Local, closed(count), ""});
    View view = wholeBuffer(memory, {count});
    if (!source->extent)
      view.dims.clear();
    in.environment[source.get()] = source->extent ? Value(view) : Value(elementOf(view, {}));
    if (s.value)
      refuse("a __shared variable cannot have an initial value; assign to it", s.location);
    return;
  }
  if (source->kind == VarKind::Tunable) {
    in.environment[source.get()] =
        freeTunable(in, *source, "free parameter of " + in.codelet->name());
    return;
  }
  bool isLane = s.value && s.value->kind == ExprKind::CoopIdx &&
                source->type.scalar == Scalar::Index && !in.assigned.contains(source.get());
  if (!state.varying.contains(source.get()) || isLane)
    return lowerDeclaration(in, s);
  if (source->extent)
    refuse("an array of its own for every lane is not supported; make it __shared", s.location);
  VarPtr own = variable(source->name, source->type.scalar);
  in.environment[source.get()] = varRef(own);
  ExprPtr value =
      s.value ? simplify(cast(source->type.scalar, evaluateScalar(in, s.value))) : nullptr;
  // Inactive lanes declare it too; what they compute is not used.
  std::vector<ExprPtr> guards = std::exchange(state.guards, {});
  if (!guards.empty() && value) {
    emitLanes(state, declare(own, nullptr, s.location));
    state.guards = guards;
    emitLanes(state, assign(varRef(own), "=", value, s.location));
  } else {
    emitLanes(state, declare(own, value, s.location));
    state.guards = guards;
  }
}

void Lowering::lockstepAssignment(Lockstep &state, const Stmt &s) {
  Instance &in = state.in;
  ExprPtr target = simplify(evaluateScalar(in, s.target));
  ExprPtr value = simplify(evaluateScalar(in, s.value));
  bool toVariable = target->kind == ExprKind::Var;
  if (toVariable && !state.varying.contains(s.target->var.get()) && state.guards.empty())
    return emit(assign(target, s.op, value, s.location));
  if (toVariable)
    return emitLanes(state, assign(target, s.op, value, s.location));
  if (!varies(s.target, state.varying) && state.guards.empty()) {
    // All lanes write one element: the same value, so that one of them can do it for all.
    if (varies(s.value, state.varying))
      refuse("every lane writes a value of its own to the same element", s.location);
    return emit(parallel(state.lanesLevel, nullptr, intLiteral(1),
                         block({assign(target, s.op, value, s.location)})));
  }
  // Another lane may be about to write what this lane reads: read for all first.
  ExprPtr own = target->args[1];
  bool ownElement = sameExpr(own, in.lane);
  bool readsOthers = contains(value, [&](const Expr &each) {
    return each.kind == ExprKind::Index && each.args[0]->var == target->args[0]->var &&
           !(ownElement && sameExpr(each.args[1], own));
  });
  if (readsOthers || (s.op != "=" && !ownElement)) {
    VarPtr read = variable(target->args[0]->var->name + "_read", target->type.scalar);
    std::string op = s.op;
    if (!ownElement && op != "=") {
      value = binary(op.substr(0, op.size() - 1), target, value);
      op = "=";
    }
    value = cast(target->type.scalar, value);
    std::vector<ExprPtr> guards = state.guards;
    if (!guards.empty()) {
      ExprPtr active = guards[0];
      for (std::size_t i = 1; i < guards.size(); ++i)
        active = binary("&&", active, guards[i]);
      ExprPtr none = isFloating(target->type.scalar) ? realLiteral(0, target->type.scalar)
                                                     : intLiteral(0, target->type.scalar);
      value = select(active, value, none);
    }
    state.guards.clear();
    emitLanes(state, declare(read, value, s.location));
    state.guards = guards;
    return emitLanes(state, assign(target, op, varRef(read), s.location));
  }
  emitLanes(state, assign(target, s.op, value, s.location));
}

void Lowering::lockstepIf(Lockstep &state, const StmtPtr &s) {
  Instance &in = state.in;
  ExprPtr condition = simplify(evaluateScalar(in, s->value));
  if (!varies(s->value, state.varying) && state.guards.empty()) {
    auto branch = [&](std::size_t i) {
      return collect([&] { lowerLockstep(state, s->children[i]); });
    };
    StmtPtr then = branch(0);
    return emit(ifThen(condition, then, s->children.size() > 1 ? branch(1) : nullptr, s->location));
  }
  if (mayChange(s->value, s->children[0]) ||
      (s->children.size() > 1 && mayChange(s->value, s->children[1]))) {
    VarPtr active = variable("active", Scalar::Bool);
    std::vector<ExprPtr> guards = std::exchange(state.guards, {});
    emitLanes(state, declare(active, condition, s->location));
    state.guards = guards;
    condition = varRef(active);
  }
  state.guards.push_back(condition);
  lowerLockstep(state, s->children[0]);
  if (s->children.size() > 1) {
    state.guards.back() = unary("!", condition);
    lowerLockstep(state, s->children[1]);
  }
  state.guards.pop_back();
}

/// A whole statement run lane by lane: nothing in it needs the other lanes.
StmtPtr Lowering::perLane(Lockstep &state, const StmtPtr &s) {
  forEach(s, [&](const Stmt &each) {
    if (each.kind == StmtKind::Return)
      refuse("a cooperative codelet cannot return from inside a loop", each.location);
  });
  std::set<const Var *> assigned = state.in.assigned;
  state.in.perLane = true;
  StmtPtr lowered = collect([&] { lowerLoop(state.in, s); });
  state.in.perLane = false;
  state.in.assigned = assigned;
  return lowered->children.size() == 1 ? lowered->children[0] : lowered;
}

void Lowering::lockstepLoop(Lockstep &state, const StmtPtr &s) {
  Instance &in = state.in;
  bool uniform = s->value && !varies(s->value, state.varying) && !hasJump(s);
  if (s->kind == StmtKind::For && s->children[0] && s->children[0]->kind == StmtKind::Decl)
    uniform = uniform && !state.varying.contains(s->children[0]->var.get());
  if ((!writesShared(s) && (!uniform || !state.guards.empty())) ||
      strides(s, Constants(in.codelet->body)))
    return emitLanes(state, perLane(state, s));
  if (!uniform)
    refuse("lanes that leave a loop at different times can write in it only what no other lane "
           "reads: elements at the loop's variable, which starts at coopIdx() and advances by "
           "coopDim()",
           s->location);
  const StmtPtr &source = s->children.back();
  if (s->kind != StmtKind::For) {
    ExprPtr condition = simplify(evaluateScalar(in, s->value));
    StmtPtr body = collect([&] { lowerLockstep(state, s->children[0]); });
    return emit(s->kind == StmtKind::While ? whileLoop(condition, body, s->location)
                                           : doWhile(body, condition, s->location));
  }
  std::vector<ExprPtr> guards = std::exchange(state.guards, {});
  auto head = [&](const StmtPtr &part) -> StmtPtr {
    if (!part)
      return nullptr;
    StmtPtr lowered = collect([&] { lowerStatement(in, part); });
    return lowered->children.empty() ? nullptr : lowered->children[0];
  };
  if (s->children[0] && s->children[0]->kind == StmtKind::Decl)
    in.assigned.insert(s->children[0]->var.get());
  StmtPtr init = head(s->children[0]);
  ExprPtr condition = simplify(evaluateScalar(in, s->value));
  StmtPtr increment = head(s->children[1]);
  state.guards = guards;
  StmtPtr body = collect([&] { lowerLockstep(state, source); });
  emit(forLoop(init, condition, increment, body, s->location));
}

} // namespace tangram::codegen
