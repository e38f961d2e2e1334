// Kernels are split and launches computed before any printer sees them.
#include "codegen/passes/split_kernels.h"

#include "algebra/simplify.h"

#include <algorithm>
#include <utility>

namespace tangram::codegen {

using namespace algebra;
using namespace ir;

namespace {

std::set<const Var *> mentioned(const StmtPtr &s) {
  std::set<const Var *> vars;
  forEachExpr(s, [&](const Expr &e) {
    if (e.kind == ExprKind::Var)
      vars.insert(e.var.get());
  });
  return vars;
}

std::vector<StmtPtr> neededBy(const StmtPtr &groups, const std::vector<StmtPtr> &declarations) {
  std::set<const Var *> wanted = mentioned(groups);
  std::vector<StmtPtr> needed;
  for (std::size_t i = declarations.size(); i-- > 0;) {
    if (!wanted.contains(declarations[i]->var.get()))
      continue;
    needed.insert(needed.begin(), declarations[i]);
    std::set<const Var *> more = mentioned(declarations[i]);
    wanted.insert(more.begin(), more.end());
  }
  return needed;
}

/// Fills in a launch from its statements.
class Geometry {
public:
  Geometry(const LoweredPlan &plan, Launch &launch) : plan_(plan), launch_(launch) {}

  void run() {
    const Stmt &groups = *launch_.groups;
    launch_.gridX = started(groups);
    if (const Stmt *row = rowOf(groups)) {
      launch_.gridY = launch_.gridX;
      launch_.gridX = started(*row);
    }
    items(groups);
    arguments(groups);
    memory(groups);
  }

private:
  void items(const Stmt &groups) {
    launch_.groupX = intLiteral(1);
    forEach(groups.children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Parallel || plan_.role(s.level) != Role::Item)
        return;
      if (isRowOfItems(plan_, s)) {
        launch_.groupY = plan_.workers.at(s.level);
        launch_.rowLevel = s.level;
        return;
      }
      // Items of a level, however many elements they take in turns.
      auto workers = plan_.workers.find(s.level);
      if (s.span != Span::One && workers != plan_.workers.end())
        launch_.groupX = workers->second;
      launch_.indexesItems |= s.var != nullptr || s.span != Span::One;
      launch_.itemLevel = std::max(launch_.itemLevel, s.level);
    });
    // A group may hold items that only some other kernel gives work to.
    forEachExpr(groups.children[0], [&](const Expr &e) {
      if (e.kind == ExprKind::Var && isItemCount(e.var))
        launch_.groupX = varRef(e.var);
    });
  }

  void arguments(const Stmt &groups) {
    std::set<const Var *> wanted = mentioned(launch_.groups);
    for (const StmtPtr &constant : launch_.constants) {
      std::set<const Var *> more = mentioned(constant);
      wanted.insert(more.begin(), more.end());
    }
    VarPtr count;
    if (groups.span == Span::All)
      count = groups.value->var;
    if (count && usesCount(count))
      launch_.count = count;
    for (const Buffer &b : plan_.buffers) {
      if (!wanted.contains(b.var.get()))
        continue;
      if (b.space == Space::Global)
        launch_.arguments.push_back({KernelArgument::Kind::Buffer, b.var});
      else
        launch_.locals.push_back(b.var);
    }
    for (const VarPtr &extent : plan_.extents) {
      if (wanted.contains(extent.get()))
        launch_.arguments.push_back({KernelArgument::Kind::Size, extent});
    }
    for (const Tunable &t : plan_.tunables) {
      if (t.kind == Tunable::Kind::Launch && wanted.contains(t.var.get()) && t.var != count)
        launch_.arguments.push_back({KernelArgument::Kind::Size, t.var});
    }
    for (const VarPtr &scalar : plan_.scalars) {
      if (wanted.contains(scalar.get()))
        launch_.arguments.push_back({KernelArgument::Kind::Scalar, scalar});
    }
  }

  void memory(const Stmt &groups) {
    forEach(groups.children[0], [&](const Stmt &s) {
      if (s.kind == StmtKind::Assign && s.target->kind == ExprKind::Index)
        launch_.written.insert(s.target->args[0]->var.get());
    });
    forEachExpr(groups.children[0], [&](const Expr &e) {
      if (e.kind == ExprKind::Atomic)
        launch_.written.insert(e.args[0]->args[0]->var.get());
    });
    for (const Buffer &b : plan_.buffers)
      launch_.globalBetweenItems |= b.space == Space::Global &&
                                    launch_.written.contains(b.var.get()) &&
                                    comesBackTo(b.var.get());
  }

  /// The groups that one row of groups consists of; null when `groups` are no rows.
  const Stmt *rowOf(const Stmt &groups) const {
    const Stmt *row = nullptr;
    forEach(groups.children[0], [&](const Stmt &s) {
      if (s.kind == StmtKind::Parallel && plan_.role(s.level) == Role::Group)
        row = &s;
    });
    return row;
  }

  /// How many groups to start for `s`, in terms of what the host knows.
  ExprPtr started(const Stmt &s) const {
    return s.span == Span::Turns
               ? minOf(maxOf(writtenOut(s.value), intLiteral(1)),
                       intLiteral(static_cast<std::int64_t>(plan_.machine->code.launch)))
               : s.value;
  }

  /// Launch sizes are the host's, which has no names but extents and tunables.
  ExprPtr writtenOut(const ExprPtr &e) const {
    return rewrite(e, [&](const ExprPtr &each) -> ExprPtr {
      for (const StmtPtr &constant : launch_.constants) {
        if (each->kind == ExprKind::Var && constant->var == each->var)
          return writtenOut(constant->value);
      }
      ExprPtr inRow;
      for (const StmtPtr &s : launch_.groups->children[0]->children) {
        if (each->kind == ExprKind::Var && s->kind == StmtKind::Decl && s->var == each->var)
          inRow = s->value;
      }
      return inRow ? writtenOut(inRow) : each;
    });
  }

  bool isItemCount(const VarPtr &var) const {
    return std::any_of(plan_.workers.begin(), plan_.workers.end(), [&](const auto &each) {
      return plan_.role(each.first) == Role::Item &&
             plan_.machine->levels[static_cast<std::size_t>(each.first)].dimension == 0 &&
             each.second->var == var;
    });
  }

  bool usesCount(const VarPtr &count) const {
    auto uses = [&](const StmtPtr &s) { return mentioned(s).contains(count.get()); };
    return uses(launch_.groups->children[0]) ||
           std::any_of(launch_.constants.begin(), launch_.constants.end(), uses);
  }

  /// Whether only one of the items does so, in atomic operations: for other groups.
  bool isHandedOver(const Var *buffer) const {
    std::size_t all = 0;
    std::size_t loads = 0;
    std::size_t byOne = 0;
    forEachExpr(launch_.groups->children[0], [&](const Expr &e) {
      all += e.var.get() == buffer;
      loads +=
          e.kind == ExprKind::Atomic && e.op == "load" && e.args[0]->args[0]->var.get() == buffer;
    });
    forEach(launch_.groups->children[0], [&](const Stmt &s) {
      if (s.kind != StmtKind::Parallel || s.span != Span::One || plan_.role(s.level) != Role::Item)
        return;
      forEachExpr(s.children[0], [&](const Expr &e) {
        byOne +=
            e.kind == ExprKind::Atomic && e.op != "load" && e.args[0]->args[0]->var.get() == buffer;
      });
    });
    return all == loads + byOne;
  }

  /// Whether an element that one item writes may be read or written by another one later.
  bool comesBackTo(const Var *buffer) const {
    if (hasLastGroup(plan_, launch_.groups) && isHandedOver(buffer))
      return false;
    auto isOf = [&](const Expr &e) { return e.var.get() == buffer; };
    bool reads = false;
    unsigned writes = 0;
    forEach(launch_.groups->children[0], [&](const Stmt &s) {
      if (s.target && contains(s.target, isOf)) {
        ++writes;
        reads |= !s.op.withoutAssignment().empty();
      }
      reads |= s.value && contains(s.value, isOf);
    });
    return reads || writes > 1;
  }

  const LoweredPlan &plan_;
  Launch &launch_;
};

} // namespace

bool isRowOfItems(const LoweredPlan &plan, const Stmt &s) {
  return plan.role(s.level) == Role::Item &&
         plan.machine->levels[static_cast<std::size_t>(s.level)].dimension > 0;
}

std::variant<std::vector<Launch>, Refusal> splitKernels(const LoweredPlan &plan) {
  std::vector<Launch> launches;
  std::vector<StmtPtr> declarations;
  std::vector<std::string> comments;
  for (const StmtPtr &s : plan.body->children) {
    if (s->kind == StmtKind::Comment) {
      comments.push_back(s->text);
    } else if (s->kind == StmtKind::Decl) {
      declarations.push_back(s);
    } else if (s->kind == StmtKind::Parallel && plan.role(s->level) == Role::Group) {
      launches.emplace_back();
      launches.back().groups = s;
      launches.back().constants = neededBy(s, declarations);
      launches.back().comments = std::exchange(comments, {});
    } else {
      return Refusal{"target " + plan.target->name + " cannot run this statement at level " +
                         plan.machine->top().name + ", which only launches kernels",
                     s->location};
    }
  }
  if (launches.empty())
    return Refusal{"this plan computes nothing, so there is no kernel to launch", {}};
  for (Launch &launch : launches) {
    Geometry(plan, launch).run();
    bool differs = contains(launch.gridX, [](const Expr &e) {
      return e.kind == ExprKind::Index ||
             (e.kind == ExprKind::Var && e.var->kind != VarKind::Param);
    });
    if (differs)
      return Refusal{"the rows of groups of this plan have different numbers of groups, which "
                     "target " +
                         plan.target->name + " cannot launch",
                     launch.groups->location};
  }
  return launches;
}

} // namespace tangram::codegen
