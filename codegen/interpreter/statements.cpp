// Statements, and what becomes of workers: in a group all items run its code, or are loops in it.
#include "codegen/interpreter/code_builder.h"

#include "codegen/analysis/accesses.h"
#include "codegen/analysis/copies.h"
#include "ir/swap.h"

#include <algorithm>

namespace tangram::codegen::interpreting {

using namespace ir;

namespace {

/// Whether workers of this role are told apart by an index in their group: a warp is a row of items.
bool isItem(Role role) { return role == Role::Item || role == Role::Warp; }

std::set<const Var *> namesIn(const StmtPtr &s) {
  std::set<const Var *> names;
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind == ExprKind::Var)
      names.insert(e.var.get());
  });
  return names;
}

class StatementBuilder : public CodeBuilder {
public:
  StatementBuilder(const LoweredPlan &plan, const InterpreterOptions &options, Machine::Code &code)
      : CodeBuilder(plan, code), options_(options) {}

  std::map<const Var *, std::uint32_t> run() {
    std::map<const Var *, std::uint32_t> inputs;
    for (const VarPtr &v : plan_.extents)
      inputs[v.get()] = registerOf(v.get());
    for (const VarPtr &v : plan_.scalars)
      inputs[v.get()] = registerOf(v.get());
    for (const Tunable &t : plan_.tunables)
      inputs[t.var.get()] = registerOf(t.var.get());
    conditions();
    statement(plan_.body);
    emit(end);
    return inputs;
  }

protected:
  void function(const Function &f) override { statement(f.body); }

private:
  bool loops() const { return options_.lanes == InterpreterOptions::Lanes::Loops; }
  bool implied() const { return options_.joins == InterpreterOptions::Joins::Implied && !loops(); }

  /// How large temporaries are, and what has to hold.
  void conditions() {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      const Buffer &b = plan_.buffers[i];
      if (!b.access.empty())
        continue;
      code().arrays[i].count = newRegister();
      into(code().arrays[i].count, Scalar::Index, b.count);
      endOfStatement();
    }
    for (const Constraint &c : plan_.constraints) {
      const std::uint32_t holds = newRegister();
      into(holds, Scalar::Bool, c.require);
      code().constraints.emplace_back(holds, c.reason);
      endOfStatement();
    }
    emit(move, newRegister(), constant(0).at);
    code().constraintsEnd = here();
  }

  void statement(const StmtPtr &s) {
    if (!s)
      return;
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children)
        statement(child);
      return;
    case StmtKind::Window:
      return statement(s->children[0]);
    case StmtKind::Comment:
    case StmtKind::Require:
      return;
    default:
      break;
    }
    enter(*s);
    simple(s);
    endOfStatement();
  }

  void simple(const StmtPtr &s) {
    switch (s->kind) {
    case StmtKind::Decl:
      return declaration(s);
    case StmtKind::Assign:
      return assignment(*s);
    case StmtKind::If:
      return branch(*s);
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
      return loop(*s);
    case StmtKind::Break:
      breaks_.back().push_back(emitJump(jump));
      return;
    case StmtKind::Continue:
      continues_.back().push_back(emitJump(jump));
      return;
    case StmtKind::Return:
      return returned(*s);
    case StmtKind::Eval:
      if (isSwap(*s))
        emit(exchangeArrays, 0, arrayOf(s->value->args[0]->var.get()),
             arrayOf(s->value->args[1]->var.get()));
      else
        value(s->value);
      return;
    case StmtKind::Barrier:
      if (!loops())
        emit(meet, 0, 0, 0, scopeOf(s->level));
      return;
    case StmtKind::Parallel:
      return parallel(s);
    case StmtKind::Copy: {
      const StmtPtr loops = expandedCopy(plan_, *s);
      copies_.push_back(loops);
      return statement(loops);
    }
    default:
      throw Unknown{"this statement", s->location};
    }
  }

  void declaration(const StmtPtr &s) {
    const Var *var = s->var.get();
    if (depth() == 0 && groups_ == 0)
      hostConstants_.push_back(s);
    if (var->extent) {
      const std::uint32_t array = arrayOf(var);
      emit(allocate, 0, converted(value(var->extent), Scalar::Index).at, 0, array);
      return;
    }
    const std::uint32_t at = registerOf(var);
    if (!s->value) {
      emit(unset, at);
      return;
    }
    into(at, var->type.scalar, s->value);
    if (isFollowed(var))
      emit(markSet, at);
  }

  void assignment(const Stmt &s) {
    const Operator op = s.op.withoutAssignment();
    if (s.target->kind == ExprKind::Var) {
      const Var *var = s.target->var.get();
      const std::uint32_t at = registerOf(var);
      const Scalar type = var->type.scalar;
      if (op.empty())
        into(at, type, s.value);
      else
        moveInto(at, converted(combined(op, value(s.target), value(s.value)), type));
      if (isFollowed(var))
        emit(markSet, at);
      return;
    }
    Operand result = op.empty() ? value(s.value) : Operand{};
    const Element place = element(*s.target);
    if (!op.empty()) {
      const std::uint32_t before = temporary();
      emit(load(place.type), before, place.index, 0, place.array);
      result = combined(op, {before, place.type}, value(s.value));
    }
    emit(store(place.type), 0, place.index, converted(result, place.type).at, place.array);
  }

  void branch(const Stmt &s) {
    const std::size_t otherwise = emitJump(jumpIfFalse, condition(s.value).at);
    endOfStatement();
    statement(s.children[0]);
    if (s.children.size() < 2 || !s.children[1]) {
      land(otherwise);
      return;
    }
    const std::size_t done = emitJump(jump);
    land(otherwise);
    statement(s.children[1]);
    land(done);
  }

  /// Runs `body`, where break and continue are this loop's; returns the places that break.
  std::vector<std::size_t> rounds(const StmtPtr &body) {
    breaks_.emplace_back();
    continues_.emplace_back();
    statement(body);
    for (std::size_t jump : continues_.back())
      land(jump);
    continues_.pop_back();
    std::vector<std::size_t> out = std::move(breaks_.back());
    breaks_.pop_back();
    return out;
  }

  void loop(const Stmt &s) {
    const bool isFor = s.kind == StmtKind::For;
    const std::size_t constants = hostConstants_.size();
    if (isFor)
      statement(s.children[0]);
    hostConstants_.resize(constants); // kernels are handed the number of the round
    enter(s);
    const std::size_t head = here();
    markLanding();
    std::vector<std::size_t> out;
    if (s.value && s.kind != StmtKind::DoWhile)
      out.push_back(emitJump(jumpIfFalse, condition(s.value).at));
    endOfStatement();
    for (std::size_t jump : rounds(s.children[isFor ? 2 : 0]))
      out.push_back(jump);
    if (isFor)
      statement(s.children[1]);
    enter(s);
    if (s.kind == StmtKind::DoWhile)
      out.push_back(emitJump(jumpIfFalse, condition(s.value).at));
    jumpTo(head);
    for (std::size_t jump : out)
      land(jump);
  }

  void returned(const Stmt &s) {
    if (returns_.empty()) {
      emit(end);
      return;
    }
    const Returns to = returns_.back();
    if (s.value)
      emit(move, to.to, converted(value(s.value), to.type).at);
    returns_.back().jumps.push_back(emitJump(jump));
  }

  // Workers.

  std::size_t depth() const { return enclosing_.size(); }

  void parallel(const StmtPtr &s) {
    const Role role = plan_.role(s->level);
    if (role == Role::Group)
      return groups_ == 0 ? launchOf(s) : groupsOfRow(s);
    if (role == Role::Host)
      throw Unknown{"workers of the level that starts groups", s->location};
    if (role == Role::Unroll)
      return chains(*s);
    return loops() ? lanes(*s) : items(*s);
  }

  /// `var` < `count`, from `first` on in steps; all of them registers.
  void counted(const Stmt &s, std::uint32_t var, std::uint32_t step) {
    const std::size_t head = here();
    markLanding();
    const Operand going =
        combined("<", {var, Scalar::Index}, converted(value(s.value), Scalar::Index));
    const std::size_t out = emitJump(jumpIfFalse, going.at);
    endOfStatement();
    statement(s.children[0]);
    enter(s);
    const std::uint32_t next = temporary();
    emit(binaryOperation("+", Scalar::Index), next, var, step);
    emit(move, var, next);
    jumpTo(head);
    land(out);
  }

  std::uint32_t numberOf(const Stmt &s) { return s.var ? registerOf(s.var.get()) : newRegister(); }

  void chains(const Stmt &s) {
    const std::uint32_t var = numberOf(s);
    emit(move, var, constant(0).at);
    counted(s, var, constant(1).at);
  }

  /// Items as rounds of a loop: each a worker that finishes before the code around runs on.
  void lanes(const Stmt &s) {
    const auto depth = static_cast<std::uint32_t>(enclosing_.size());
    const std::uint32_t var = numberOf(s);
    emit(leaveItems, 0, 0, 0, depth);
    emit(move, var, constant(0).at);
    const std::size_t head = here();
    markLanding();
    const Operand going =
        combined("<", {var, Scalar::Index}, converted(value(s.value), Scalar::Index));
    const std::size_t out = emitJump(jumpIfFalse, going.at);
    endOfStatement();
    emit(enterItem, 0, var, 0, depth);
    enclosing_.push_back(s.level);
    statement(s.children[0]);
    enclosing_.pop_back();
    enter(s);
    const std::uint32_t next = temporary();
    emit(binaryOperation("+", Scalar::Index), next, var, constant(1).at);
    emit(move, var, next);
    jumpTo(head);
    land(out);
    emit(leaveItems, 0, 0, 0, depth);
  }

  std::uint32_t depthOf(int level) const {
    auto at = std::find(itemLevels_.begin(), itemLevels_.end(), level);
    return static_cast<std::uint32_t>(at - itemLevels_.begin());
  }

  /// Who meets at a barrier of `level`: all items of one of its workers.
  std::uint32_t scopeOf(int level) const {
    return static_cast<std::uint32_t>(std::count_if(itemLevels_.begin(), itemLevels_.end(),
                                                    [&](int each) { return each <= level; }));
  }

  /// The scope of memory that the items of one warp share.
  std::uint32_t warps() const {
    if (loops())
      throw Unknown{"memory of warps whose items are loops", {}};
    return static_cast<std::uint32_t>(
        std::count_if(itemLevels_.begin(), itemLevels_.end(),
                      [&](int each) { return plan_.role(each) == Role::Warp; }));
  }

  /// Items that all run the code of their group.
  void items(const Stmt &s) {
    const auto scope = static_cast<std::uint32_t>(enclosing_.size());
    if (implied())
      emit(meet, 0, 0, 0, scope);
    std::vector<std::size_t> out;
    auto onlyFirst = [&](int level) {
      const std::uint32_t index = temporary();
      emit(itemIndex, index, 0, 0, depthOf(level));
      out.push_back(emitJump(jumpIfTrue, index));
    };
    // Rows that the code around does not speak of: the first one.
    for (int level : itemLevels_) {
      if (level < s.level &&
          std::find(enclosing_.begin(), enclosing_.end(), level) == enclosing_.end())
        onlyFirst(level);
    }
    const std::uint32_t var = numberOf(s);
    const bool one = s.span == Span::One;
    enclosing_.push_back(s.level);
    if (one)
      onlyFirst(s.level);
    emit(itemIndex, var, 0, 0, depthOf(s.level));
    if (s.span != Span::Turns) {
      endOfStatement();
      statement(s.children[0]);
    } else {
      counted(s, var, sizes_[depthOf(s.level)]);
    }
    enclosing_.pop_back();
    enter(s);
    for (std::size_t jump : out)
      land(jump);
    if (implied())
      emit(meet, 0, 0, 0, scope);
  }

  bool takesTurns(const Stmt &s) const { return options_.kernels && s.span == Span::Turns; }

  const Stmt *rowIn(const StmtPtr &groups) const {
    const Stmt *row = nullptr;
    forEach(groups->children[0], [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && plan_.role(s.level) == Role::Group)
        row = &s;
    });
    return row;
  }

  /// The constants of the host that a kernel computes for itself.
  std::vector<StmtPtr> neededBy(const StmtPtr &groups) const {
    std::set<const Var *> wanted = namesIn(groups);
    std::vector<StmtPtr> needed;
    for (std::size_t i = hostConstants_.size(); i-- > 0;) {
      if (!wanted.contains(hostConstants_[i]->var.get()))
        continue;
      needed.insert(needed.begin(), hostConstants_[i]);
      wanted.merge(namesIn(hostConstants_[i]));
    }
    return needed;
  }

  void launchOf(const StmtPtr &s) {
    LaunchCode launch;
    launch.count = newRegister();
    into(launch.count, Scalar::Index, s->value);
    endOfStatement();
    launch.turns = takesTurns(*s);
    if (const Stmt *row = rowIn(s)) {
      launch.nested = true;
      launch.nestedTurns = takesTurns(*row);
    }
    launch.waits = handsOver(s->children[0]) || hasLastGroup(plan_, s->children[0]);
    std::set<int> levels;
    forEach(s->children[0], [&](const Stmt &each) {
      if (each.kind == StmtKind::Parallel && isItem(plan_.role(each.level)))
        levels.insert(each.level);
    });
    itemLevels_.assign(levels.begin(), levels.end());
    if (itemLevels_.size() > itemDepth)
      throw Unknown{"items of more than three levels", s->location};
    sizes_.clear();
    for (int level : itemLevels_) {
      sizes_.push_back(newRegister());
      auto workers = plan_.workers.find(level);
      if (workers == plan_.workers.end())
        emit(move, sizes_.back(), constant(1).at);
      else
        into(sizes_.back(), Scalar::Index, workers->second);
      endOfStatement();
    }
    if (!loops()) {
      launch.depths = sizes_.size();
      std::copy(sizes_.begin(), sizes_.end(), launch.sizes.begin());
    }
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      const Space space = plan_.buffers[i].space;
      if (space != Space::Global && mentions(s, plan_.buffers[i].var.get()))
        launch.locals.push_back(
            {static_cast<std::uint32_t>(i), space == Space::Warp ? warps() : 0});
    }
    const auto number = static_cast<std::uint32_t>(code().launches.size());
    emit(interpreting::launch, 0, 0, 0, number);
    const std::size_t over = emitJump(jump);
    launch.entry = here();
    markLanding();
    code().launches.push_back(launch);
    ++groups_;
    if (options_.kernels) {
      for (const StmtPtr &constant : neededBy(s))
        statement(constant);
      enter(*s);
    }
    groupBody(*s, launch.nested ? 1 : 0, launch.turns);
    emit(end);
    --groups_;
    land(over);
  }

  void groupsOfRow(const StmtPtr &s) {
    const std::uint32_t count = newRegister();
    into(count, Scalar::Index, s->value);
    emit(countGroups, 0, count);
    groupBody(*s, 0, takesTurns(*s));
  }

  void groupBody(const Stmt &s, std::uint32_t dimension, bool turns) {
    const std::uint32_t var = numberOf(s);
    emit(groupIndex, var, 0, 0, dimension);
    if (!turns) {
      endOfStatement();
      statement(s.children[0]);
      return;
    }
    const std::uint32_t step = newRegister();
    emit(groupStep, step, 0, 0, dimension);
    counted(s, var, step);
  }

  const InterpreterOptions &options_;
  std::vector<std::vector<std::size_t>> breaks_;
  std::vector<std::vector<std::size_t>> continues_;
  std::vector<int> enclosing_;       ///< levels of items whose code this is
  std::vector<int> itemLevels_;      ///< of the launch
  std::vector<std::uint32_t> sizes_; ///< registers: workers of each of them
  unsigned groups_ = 0;              ///< Parallels of groups around
  std::vector<StmtPtr> hostConstants_;
  std::vector<StmtPtr> copies_; ///< expanded: their variables are what registers are known by
};

} // namespace

std::map<const Var *, std::uint32_t>
compile(const LoweredPlan &plan, const InterpreterOptions &options, Machine::Code &code) {
  return StatementBuilder(plan, options, code).run();
}

} // namespace tangram::codegen::interpreting
