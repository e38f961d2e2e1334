// Kernels are split and launches computed before any printer sees them.
#include "codegen/passes/kernel/split_kernels.h"

#include "algebra/simplify.h"
#include "codegen/form/building.h"
#include "codegen/passes/kernel/name_sizes.h"
#include "ir/swap.h"

#include <algorithm>
#include <optional>
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

/// Of groups: of CUDA's grids all dimensions but the first have so many at most.
constexpr std::int64_t mostRows = 65535;

/// Fills in a launch from its statements.
class Geometry {
public:
  Geometry(const LoweredPlan &plan, Launch &launch) : plan_(plan), launch_(launch) {}

  void run() {
    const Stmt &groups = *launch_.groups;
    const auto most = static_cast<std::int64_t>(plan_.machine->code.launch);
    const Stmt *row = rowOf(groups);
    launch_.gridX = started(row ? *row : groups, most);
    if (row)
      launch_.gridY = started(groups, std::min(most, mostRows));
    items(groups);
    arguments(groups);
    memory(groups);
  }

private:
  void items(const Stmt &groups) {
    launch_.groupX = intLiteral(1);
    forEach(groups.children[0], [&](const Stmt &s) {
      const bool isRow = s.kind == StmtKind::Parallel && isRowOfItems(plan_, s);
      if (isRow) {
        if (const auto rows = plan_.workers.find(s.level); rows != plan_.workers.end()) {
          launch_.groupY = rows->second;
          launch_.rowLevel = s.level;
        }
        return;
      }
      if (s.kind != StmtKind::Parallel || plan_.role(s.level) != Role::Item)
        return;
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
      if (const int warps = e.kind == ExprKind::Var ? warpsCounted(e.var) : -1; warps >= 0) {
        launch_.groupY = varRef(e.var);
        launch_.rowLevel = warps;
      }
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
    for (const VarPtr &counter : launch_.counters) {
      if (wanted.contains(counter.get()))
        launch_.arguments.push_back({counter->type.scalar == Scalar::Index
                                         ? KernelArgument::Kind::Size
                                         : KernelArgument::Kind::Counter,
                                     counter});
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
  ExprPtr started(const Stmt &s, std::int64_t most) const {
    return s.span == Span::Turns
               ? minOf(maxOf(writtenOut(s.value), intLiteral(1)), intLiteral(most))
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

  /// The level of warps that a group has so many of, or -1.
  int warpsCounted(const VarPtr &var) const {
    for (const auto &[level, count] : plan_.workers) {
      if (plan_.role(level) == Role::Warp && count->var == var)
        return level;
    }
    return -1;
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

namespace {

bool decides(const StmtPtr &s) {
  return isLoop(*s) || s->kind == StmtKind::If || isSwap(*s) ||
         (s->kind == StmtKind::Block && std::ranges::any_of(s->children, decides));
}

/// Walks what the host does, launch by launch.
class Splitting {
public:
  explicit Splitting(const LoweredPlan &plan) : plan_(plan) {}

  std::vector<Launch> launches;

  /// Why the host cannot do it.
  std::optional<Refusal> walk(const StmtPtr &s) {
    switch (s->kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s->children) {
        if (std::optional<Refusal> refusal = walk(child))
          return refusal;
      }
      return std::nullopt;
    case StmtKind::Comment:
      comments_.push_back(s->text);
      return std::nullopt;
    case StmtKind::Decl:
      declarations_.push_back(s);
      return std::nullopt;
    case StmtKind::Parallel:
      return plan_.role(s->level) == Role::Group ? launch(s) : refused(*s);
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
    case StmtKind::If:
      return rounds(*s);
    default:
      return isSwap(*s) ? std::nullopt : refused(*s);
    }
  }

private:
  std::optional<Refusal> refused(const Stmt &s) const {
    return Refusal{"target " + plan_.target->name + " cannot run this statement at level " +
                       plan_.machine->top().name + ", which only launches kernels",
                   s.location};
  }

  /// Its own names, and the number of its round, are known inside.
  std::optional<Refusal> rounds(const Stmt &s) {
    const bool counts = s.kind == StmtKind::For;
    if (counts ? !countedLoop(s) && !scaledLoop(s) : s.value->kind != ExprKind::Index)
      return refused(s);
    const std::size_t outside = declarations_.size();
    if (counts)
      counters_.push_back(s.children[0]->var);
    std::optional<Refusal> refusal;
    for (std::size_t i = counts ? 2 : 0; i < s.children.size() && !refusal; ++i) {
      if (s.children[i])
        refusal = walk(s.children[i]);
    }
    if (counts)
      counters_.pop_back();
    declarations_.resize(outside);
    return refusal;
  }

  /// Whether lanes of warps stand in rows: then what runs as a warp has more items than one.
  bool hasRowsInWarps(const Stmt &groups) const {
    bool warps = false, rows = false;
    forEach(groups.children[0], [&](const Stmt &s) {
      const bool isRow = s.kind == StmtKind::Parallel && isRowOfItems(plan_, s);
      warps |= isRow && plan_.role(s.level) == Role::Warp;
      rows |= isRow && plan_.role(s.level) == Role::Item;
    });
    return warps && rows;
  }

  std::optional<Refusal> launch(const StmtPtr &s) {
    if (hasRowsInWarps(*s))
      return Refusal{"the items of a warp stand in rows in this plan, which target " +
                         plan_.target->name + " cannot launch",
                     s->location};
    Launch &made = launches.emplace_back();
    made.groups = s;
    made.constants = neededBy(s, declarations_);
    made.comments = std::exchange(comments_, {});
    made.counters = counters_;
    Geometry(plan_, made).run();
    nameSizes(plan_, made);
    const bool differs = contains(made.gridX, [&](const Expr &e) {
      return e.kind == ExprKind::Index ||
             (e.kind == ExprKind::Var && e.var->kind != VarKind::Param &&
              std::ranges::find(counters_, e.var) == counters_.end());
    });
    if (!differs)
      return std::nullopt;
    return Refusal{"the rows of groups of this plan have different numbers of groups, which "
                   "target " +
                       plan_.target->name + " cannot launch",
                   s->location};
  }

  const LoweredPlan &plan_;
  std::vector<StmtPtr> declarations_;
  std::vector<VarPtr> counters_;
  std::vector<std::string> comments_;
};

} // namespace

bool hasRounds(const LoweredPlan &plan) { return decides(plan.body); }

std::variant<std::vector<Launch>, Refusal> splitKernels(const LoweredPlan &plan) {
  Splitting splitting(plan);
  if (std::optional<Refusal> refusal = splitting.walk(plan.body))
    return *refusal;
  if (splitting.launches.empty())
    return Refusal{"this plan computes nothing, so there is no kernel to launch", {}};
  return std::move(splitting.launches);
}

} // namespace tangram::codegen
