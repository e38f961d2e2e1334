#include "codegen/lockstep/split_lockstep.h"

#include "codegen/analysis/atomics.h"
#include "codegen/form/building.h"
#include "codegen/lockstep/independence.h"
#include "codegen/lockstep/uniformity.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace tangram::codegen {

using namespace ir;

namespace {

/// The variables and containers whose values `e` depends on.
std::set<const Var *> readBy(const ExprPtr &e) {
  std::set<const Var *> read;
  forEach(e, [&](const Expr &each) {
    if (each.kind == ExprKind::Var)
      read.insert(each.var.get());
  });
  return read;
}

/// The variables and containers that `s` assigns to, by atomic operations too.
std::set<const Var *> writtenBy(const StmtPtr &s) {
  std::set<const Var *> written;
  auto note = [&](const Expr &place) {
    written.insert(place.kind == ExprKind::Index ? place.args[0]->var.get() : place.var.get());
  };
  forEach(s, [&](const Stmt &each) {
    if (each.target)
      note(*each.target);
  });
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind == ExprKind::Atomic)
      note(*e.args[0]);
  });
  return written;
}

bool mayChange(const ExprPtr &condition, const Stmt &s) {
  const std::set<const Var *> read = readBy(condition);
  return std::ranges::any_of(s.children, [&](const StmtPtr &branch) {
    return std::ranges::any_of(writtenBy(branch), [&](const Var *v) { return read.contains(v); });
  });
}

ExprPtr all(const std::vector<ExprPtr> &conditions) {
  ExprPtr joined = conditions[0];
  for (std::size_t i = 1; i < conditions.size(); ++i)
    joined = binary("&&", joined, conditions[i]);
  return joined;
}

[[noreturn]] void refuse(std::string reason, const SourceLocation &at) {
  throw Refusal{std::move(reason), at};
}

class Split {
public:
  explicit Split(const LockstepRegion &region) : region_(region), same_(region.body) {}

  StmtPtr run() {
    return collect([&] { statement(region_.body, {}); });
  }

private:
  /// Which lanes execute the code at hand.
  struct Flow {
    std::vector<ExprPtr> guards; ///< what holds for them, outermost first; none: all lanes
    /// Some lane surely executes it, so that the group may do what is the same for those that do.
    bool together = true;
    /// How many guards there are around the loop that jumps leave, -1 outside of loops.
    int loop = -1;
  };

  void statement(const StmtPtr &s, const Flow &flow) {
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children)
        statement(child, flow);
      return;
    case StmtKind::Decl:
      return declaration(s, flow);
    case StmtKind::Assign:
      return assignment(*s, flow);
    case StmtKind::Eval:
      return evaluation(*s, flow);
    case StmtKind::If:
      return branches(s, flow);
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
      return loop(s, flow);
    case StmtKind::Return:
      return returned(s, flow);
    case StmtKind::Break:
    case StmtKind::Continue:
      if (std::cmp_not_equal(flow.guards.size(), flow.loop))
        refuse("internal error: lanes leave a loop that they were to leave together; please report "
               "it",
               s->location);
      return emit(s);
    default:
      emit(s);
    }
  }

  void declaration(const StmtPtr &s, const Flow &flow) {
    const VarPtr &v = s->var;
    if (v->kind != VarKind::Local || v->type.isContainer() || !same_.varies(v))
      return emit(s);
    if (flow.guards.empty() && !atomicIn(s->value))
      return lanes({}, s);
    // Lanes that are not there have it too, with no value.
    lanes({}, declare(v, nullptr, s->location));
    if (s->value)
      assignment(*assign(varRef(v), "=", s->value, s->location), flow);
  }

  void assignment(const Stmt &s, const Flow &flow) {
    const ExprPtr &base = s.target->kind == ExprKind::Index ? s.target->args[0] : s.target;
    const StmtPtr whole = std::make_shared<Stmt>(s);
    if (!isSeenByAllLanes(*base->var)) {
      if (!same_.varies(base->var))
        return emit(whole);
      return atomicIn(s.value) ? apart(s, flow) : lanes(flow.guards, whole);
    }
    if (flow.guards.empty() && !same_.varies(s.target)) {
      // All lanes write one element: the same value, so that one of them can do it for all.
      if (same_.varies(s.value))
        refuse("every lane writes a value of its own to the same element", s.location);
      return one(whole);
    }
    apart(s, flow);
  }

  void evaluation(const Stmt &s, const Flow &flow) {
    if (atomicIn(s.value))
      return apart(s, flow);
    lanes(flow.guards, std::make_shared<Stmt>(s));
  }

  /// A statement that writes memory: another lane may be about to write what this lane reads, which
  /// is read for all first.
  void apart(const Stmt &s, const Flow &flow) {
    auto split = std::make_shared<Stmt>(s);
    ExprPtr atomic = atomicIn(s.value);
    if (atomic && s.target && isSeenByAllLanes(*baseOf(s.target))) {
      VarPtr before = newVariable(baseOf(s.target)->name + "_new", s.target->type.scalar);
      lanes({}, declare(before, nullptr, s.location));
      apart(*assign(varRef(before), "=", s.value, s.location), flow);
      split->value = varRef(before);
      return apart(*split, flow);
    }
    if (same_.areIndependent(split))
      return lanes(flow.guards, split);
    const VarPtr written = baseOf(atomic ? atomic->args[0] : s.target);
    auto reads = [&](const ExprPtr &e) {
      return contains(e, [&](const Expr &each) { return each.var == written; });
    };
    auto kept = [&](const ExprPtr &e, const char *what) -> ExprPtr {
      return reads(e) ? keep(written->name + what, e, flow) : e;
    };
    auto place = [&](const ExprPtr &e) {
      std::vector<ExprPtr> args = e->args;
      for (std::size_t i = 1; e->kind == ExprKind::Index && i < args.size(); ++i)
        args[i] = kept(args[i], "_at");
      return withArgs(e, std::move(args));
    };
    if (atomic) {
      split->value = rewrite(s.value, [&](const ExprPtr &e) -> ExprPtr {
        if (e->kind != ExprKind::Atomic)
          return e;
        std::vector<ExprPtr> args = e->args;
        args[0] = place(args[0]);
        for (std::size_t i = 1; i < args.size(); ++i)
          args[i] = kept(args[i], "_read");
        return withArgs(e, std::move(args));
      });
      return lanes(flow.guards, split);
    }
    split->target = place(s.target);
    split->value = kept(s.value, "_read");
    if (s.op != "=" && !same_.areIndependent(split)) {
      split->value =
          keep(written->name + "_read", binary(s.op.withoutAssignment(), s.target, s.value), flow);
      split->op = "=";
    }
    lanes(flow.guards, split);
  }

  /// A variable of each lane with the value `e` has now, where the lane is active.
  ExprPtr keep(const std::string &name, ExprPtr e, const Flow &flow) {
    VarPtr read = newVariable(name, e->type.scalar);
    if (!flow.guards.empty())
      e = select(all(flow.guards), e, zeroOf(e->type.scalar));
    lanes({}, declare(read, e, e->location));
    return varRef(read);
  }

  void branches(const StmtPtr &s, const Flow &flow) {
    if (!same_.varies(s->value) && (flow.guards.empty() || flow.together)) {
      auto branch = [&](std::size_t i) {
        return collect([&] { statement(s->children[i], flow); });
      };
      StmtPtr then = branch(0);
      return emit(
          ifThen(s->value, then, s->children.size() > 1 ? branch(1) : nullptr, s->location));
    }
    if (isWhole(s))
      return lanes(flow.guards, s);
    bool together = same_.staysTogether(s) && flow.together;
    ExprPtr condition = s->value;
    Flow inner = flow;
    if (together || mayChange(s->value, *s)) {
      std::vector<ExprPtr> path = flow.guards;
      path.push_back(condition);
      VarPtr active = newVariable("active", Scalar::Bool);
      lanes({}, declare(active, cast(Scalar::Bool, all(path)), s->location));
      condition = varRef(active);
      inner.guards = {condition}; // which says all that the guards around it say
    } else {
      inner.guards.push_back(condition);
    }
    branch(s->children[0], inner);
    if (s->children.size() > 1) {
      inner.guards = flow.guards;
      inner.guards.push_back(unary("!", condition));
      branch(s->children[1], inner);
    }
  }

  void branch(const StmtPtr &s, Flow flow) {
    flow.together = flow.together && same_.staysTogether(s);
    if (!flow.together)
      return statement(s, flow);
    // The group enters if a lane does.
    VarPtr entered = newVariable("entered", Scalar::U32, VarKind::Shared);
    emit(declare(entered, nullptr, s->location));
    one(assign(varRef(entered), "=", intLiteral(0, Scalar::U32), s->location));
    const ExprPtr set = atomicAt("max", varRef(entered), {intLiteral(1, Scalar::U32)}, s->location);
    lanes(flow.guards, eval(set, s->location));
    emit(ifThen(binary("!=", varRef(entered), intLiteral(0, Scalar::U32)),
                collect([&] { statement(s, flow); }), nullptr, s->location));
  }

  /// Whether lanes may run the branches of `s` from start to end without the others.
  bool isWhole(const StmtPtr &s) const {
    forEach(s, [&](const Stmt &each) {
      if (each.kind == StmtKind::Return)
        refuse("a cooperative codelet cannot return under a condition that differs between lanes",
               each.location);
    });
    return same_.areIndependent(s);
  }

  void loop(const StmtPtr &s, const Flow &flow) {
    bool apart = same_.isLeftApart(*s) || !flow.together;
    if (same_.areIndependent(s) && (apart || !flow.guards.empty()))
      return lanes(flow.guards, s);
    if (apart)
      refuse("lanes that leave a loop at different times can write in it only what no other lane "
             "reads: elements at the loop's variable, which starts at coopIdx() and advances by "
             "coopDim(). Let all lanes run every round, and put what not all do under an if",
             s->location);
    Flow inner = flow;
    inner.loop = static_cast<int>(flow.guards.size());
    if (s->kind != StmtKind::For) {
      StmtPtr body = collect([&] { statement(s->children[0], inner); });
      return emit(withChildren(s, {body}));
    }
    // Variables of lanes have no place in the head of a loop of the group.
    auto ofLanes = [&](const StmtPtr &part) {
      return part && same_.varies(part->kind == StmtKind::Decl ? part->var : part->target->var);
    };
    if (ofLanes(s->children[0]))
      statement(s->children[0], flow);
    bool step = ofLanes(s->children[1]);
    if (step && hasContinue(s->children[2]))
      refuse(
          "a loop that all lanes share cannot continue where its head changes a variable of each "
          "lane",
          s->location);
    StmtPtr body = collect([&] {
      statement(s->children[2], inner);
      if (step)
        statement(s->children[1], inner);
    });
    emit(withChildren(s, {ofLanes(s->children[0]) ? nullptr : s->children[0],
                          step ? nullptr : s->children[1], body}));
  }

  static bool hasContinue(const StmtPtr &s) {
    return s && !isLoop(*s) &&
           (s->kind == StmtKind::Continue || std::ranges::any_of(s->children, hasContinue));
  }

  void returned(const StmtPtr &s, const Flow &flow) {
    if (!flow.guards.empty())
      refuse("a cooperative codelet cannot return under a condition that differs between lanes",
             s->location);
    if (s->value && same_.varies(s->value))
      refuse("what a cooperative codelet returns must be the same for every lane", s->location);
    emit(s);
  }

  static VarPtr baseOf(const ExprPtr &place) {
    return place->kind == ExprKind::Index ? place->args[0]->var : place->var;
  }

  void lanes(const std::vector<ExprPtr> &guards, StmtPtr s) {
    if (!guards.empty())
      s = ifThen(all(guards), block({std::move(s)}));
    emit(parallel(region_.level, Span::All, region_.lane,
                  node(ExprKind::CoopDim, scalarType(Scalar::Index), {}), block({std::move(s)})));
  }

  void one(StmtPtr s) { emit(oneOf(region_.level, block({std::move(s)}))); }

  StmtPtr collect(const std::function<void()> &body) {
    std::vector<StmtPtr> statements;
    std::vector<StmtPtr> *outer = std::exchange(out_, &statements);
    body();
    out_ = outer;
    return block(std::move(statements));
  }

  void emit(StmtPtr s) { out_->push_back(std::move(s)); }

  const LockstepRegion &region_;
  Uniformity same_;
  std::vector<StmtPtr> *out_ = nullptr;
};

} // namespace

std::variant<StmtPtr, Refusal> splitLockstep(const LockstepRegion &region) {
  try {
    return Split(region).run();
  } catch (const Refusal &refusal) {
    return refusal;
  }
}

} // namespace tangram::codegen
