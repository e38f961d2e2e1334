#include "codegen/form/verifier.h"

#include "codegen/form/building.h"
#include "codegen/form/statement_text.h"
#include "codegen/form/verify_arrays.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tangram::codegen {

using namespace ir;

namespace {

using Path = std::vector<const Stmt *>; ///< Parallels around, outermost first

struct Declared {
  Path workers;       ///< whose it is
  bool open = true;   ///< the block it stands in has not ended
  bool inner = false; ///< in a branch or a loop of its worker's code
};

class Verifier {
public:
  Verifier(const LoweredPlan &plan, Form form)
      : plan_(plan), arrayForm_(isArrayForm(form)), expanded_(form >= Form::Expanded),
        itemsAreLoops_(plan.target && plan.target->itemsAreLoops), ranks_(plan) {}

  std::vector<Violation> run() {
    for (const VarPtr &v : plan_.extents)
      given(v);
    for (const VarPtr &v : plan_.scalars)
      given(v);
    for (const Tunable &t : plan_.tunables)
      given(t.var);
    for (const Buffer &b : plan_.buffers)
      buffers_.insert(b.var.get());
    collectVarying();
    for (const Buffer &b : plan_.buffers)
      beforeLaunch("the number of elements of " + b.var->name, b.count);
    for (const Constraint &c : plan_.constraints)
      beforeLaunch("the constraint '" + c.reason + "'", c.require);
    if (arrayForm_)
      padding();
    walk(plan_.body);
    return std::move(violations_);
  }

private:
  void given(const VarPtr &v) {
    host_.insert(v.get());
    declared_[v.get()] = {};
    defined_.insert(v.get());
  }

  void violation(const std::string &message) {
    SourceLocation location = at_ ? locationOf(*at_) : SourceLocation{};
    std::string statement = at_ ? statementText(*at_) : "";
    const bool known = std::any_of(violations_.begin(), violations_.end(), [&](const Violation &v) {
      return v.message == message && v.statement == statement;
    });
    if (!known)
      violations_.push_back({location, statement, message});
  }

  void violations(const std::vector<std::string> &messages) {
    for (const std::string &each : messages)
      violation(each);
  }

  /// What the host evaluates before anything runs.
  void beforeLaunch(const std::string &what, const ExprPtr &e) {
    forEach(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Var && !host_.contains(each.var.get()))
        violation(what + " uses " + each.var->name + ", which the host does not know");
      if (each.kind == ExprKind::Index || each.kind == ExprKind::Atomic)
        violation(what + " reads memory");
    });
  }

  // Expressions.

  void use(const Var *v) {
    if (const auto padded = paddedArrays_.find(v); padded != paddedArrays_.end())
      return use(padded->second);
    if (v->kind == VarKind::Buffer && !declared_.contains(v)) {
      if (!buffers_.contains(v))
        violation(v->name + " is no memory of the plan");
      return;
    }
    auto found = declared_.find(v);
    if (found == declared_.end())
      return violation(v->name + " is used and not declared");
    if (!sees(found->second))
      violation(v->name + " is used where what declares it cannot be seen");
    if (!v->extent && !defined_.contains(v))
      violation(v->name + " is read, and no definition reaches it");
  }

  /// Whether code at this place may use what was declared there.
  bool sees(const Declared &d) const {
    if (d.open)
      return true;
    if (expanded_ || d.inner)
      return false;
    // The same worker in a piece that follows: pieces of the same levels, each of all workers.
    return d.workers.size() <= path_.size() &&
           std::equal(d.workers.begin(), d.workers.end(), path_.begin(),
                      [&](const Stmt *a, const Stmt *b) {
                        return a == b || (a->level == b->level && areLevel(*a) && areLevel(*b));
                      });
  }

  /// Whether `workers` are those that their level has, the same wherever it has them.
  bool areLevel(const Stmt &workers) const {
    return workers.span == Span::All && plan_.role(workers.level) != Role::Group;
  }

  void expression(const ExprPtr &e) {
    if (std::string wrong = wrongType(plan_, e, arrayForm_ ? &ranks_ : nullptr); !wrong.empty())
      violation(wrong);
    forEach(e, [&](const Expr &each) {
      if (each.kind == ExprKind::Var)
        use(each.var.get());
    });
  }

  // Statements.

  void walk(const StmtPtr &s) {
    if (!s)
      return;
    const Stmt *outer = at_;
    if (s->kind != StmtKind::Block)
      at_ = s.get();
    statement(*s);
    at_ = outer;
  }

  void statement(const Stmt &s) {
    switch (s.kind) {
    case StmtKind::Block:
      for (const StmtPtr &child : s.children)
        walk(child);
      return;
    case StmtKind::Decl:
      return declaration(s);
    case StmtKind::Assign:
      return assignment(s);
    case StmtKind::If:
      return branch(s);
    case StmtKind::For:
    case StmtKind::While:
    case StmtKind::DoWhile:
      return loop(s);
    case StmtKind::Parallel:
      return parallel(s);
    case StmtKind::Barrier:
      return barrier(s);
    case StmtKind::Allocate:
      return allocation(s);
    case StmtKind::Window:
      return window(s);
    case StmtKind::Copy:
      return copy(s);
    case StmtKind::Require:
    case StmtKind::Comment:
      return;
    default:
      if (s.value)
        expression(s.value);
    }
  }

  /// What `inside` declares ends with it. A block alone ends nothing: passes return blocks for
  /// statements, and printers print their statements.
  template <class Function> void scope(const Function &inside) {
    const std::size_t from = open_.size();
    ++blocks_;
    inside();
    --blocks_;
    for (std::size_t i = from; i < open_.size(); ++i)
      declared_[open_[i]].open = false;
    open_.resize(from);
  }

  // Arrays and windows.

  /// The level whose worker runs the code at this place.
  int here() const { return path_.empty() ? 0 : path_.back()->level; }

  /// Whether a worker of the level runs it. The only chain of a worker is that worker.
  bool isHere(int level) const {
    const bool exists = level >= 0 && static_cast<std::size_t>(level) < plan_.roles.size();
    return !exists || level == here() || (level > here() && plan_.role(level) == Role::Unroll);
  }

  void allocation(const Stmt &s) {
    if (!arrayForm_)
      return violation(s.var->name + " is allocated in the kernel form");
    violations(wrongArray(plan_, s));
    for (const ExprPtr &extent : s.array->extents)
      expression(extent);
    for (const ExprPtr &bound : s.array->bounds)
      beforeLaunch("a bound of " + s.var->name, bound);
    if (!isHere(s.array->owner))
      violation(s.var->name + " belongs to level " + levelName(s.array->owner) +
                ", and is allocated by a worker of level " + levelName(here()));
    declare(*s.var);
    defined_.insert(s.var.get());
  }

  void window(const Stmt &s) {
    if (!arrayForm_)
      return violation(s.var->name + " is a window in the kernel form");
    elements(s, s.var->name);
    walk(s.children[0]);
  }

  void copy(const Stmt &s) {
    const Var *array = arrayChangedBy(s);
    if (!array)
      return violation(toString(s.target) + " is nothing that can be copied to");
    if (!arrayForm_)
      return violation(array->name + " is a copy of a window in the kernel form");
    violations(wrongCopy(s));
    elements(s, "the window that " + array->name + " is a copy of");
    scope([&] {
      for (const VarPtr &counter : s.copy->counters) {
        declare(*counter);
        defined_.insert(counter.get());
      }
      forEachOwnExpr(s, [&](const ExprPtr &e) { expression(e); });
    });
  }

  /// The window of a statement, which has this name.
  void elements(const Stmt &s, const std::string &name) {
    violations(wrongWindow(plan_, ranks_, s, name));
    use(s.window->array.get());
    for (const ExprPtr &origin : s.window->origin)
      expression(origin);
    for (const WindowDimension &d : s.window->dims) {
      expression(d.step);
      expression(d.extent);
      beforeLaunch("a bound of " + name, d.bound);
    }
    if (!isHere(s.level))
      violation(name + " is a window of level " + levelName(s.level) +
                ", and its body runs at level " + levelName(here()));
  }

  /// Arrays that are others continued past their ends are there where these are.
  void padding() {
    for (const auto &[var, padded] : plan_.padded) {
      violations(wrongPadding(ranks_, var, padded));
      paddedArrays_[var.get()] = padded.array.get();
    }
  }

  void declaration(const Stmt &s) {
    const Var *v = s.var.get();
    if (v->extent)
      expression(v->extent);
    if (s.value)
      expression(s.value);
    if (v->type.isContainer())
      violation(v->name + " is a container");
    declare(*v);
    if (s.value || v->extent)
      defined_.insert(v);
    else
      defined_.erase(v);
  }

  void declare(const Var &v) {
    auto known = declared_.find(&v);
    if (known != declared_.end() && known->second.open)
      violation(v.name + " is declared where it is declared already");
    declared_[&v] = {path_, true, blocks_ > 0};
    open_.push_back(&v);
  }

  void assignment(const Stmt &s) {
    expression(s.value);
    if (s.target->kind != ExprKind::Var) {
      if (s.target->kind != ExprKind::Index)
        violation(toString(s.target) + " is nothing that can be assigned");
      return expression(s.target);
    }
    const Var *v = s.target->var.get();
    if (!s.op.withoutAssignment().empty())
      expression(s.target);
    auto found = declared_.find(v);
    if (found == declared_.end())
      return violation(v->name + " is assigned and not declared");
    if (!sees(found->second))
      violation(v->name + " is assigned where what declares it cannot be seen");
    if (v->kind != VarKind::Local)
      violation(v->name + " is assigned and is no variable");
    shared(*v, found->second);
    defined_.insert(v);
  }

  /// Workers do not assign what they share.
  void shared(const Var &v, const Declared &d) {
    for (std::size_t i = d.workers.size(); i < path_.size(); ++i) {
      const Stmt &workers = *path_[i];
      const Role role = plan_.role(workers.level);
      const bool several = workers.span != Span::One;
      const bool ownCopies =
          !expanded_ || ((role == Role::Item || role == Role::Warp) && !itemsAreLoops_);
      if (role == Role::Group || (several && !ownCopies))
        violation(v.name + " is assigned by workers of level " + levelName(workers.level) +
                  ", which share it");
    }
  }

  std::string levelName(int level) const {
    return plan_.machine ? plan_.machine->levels[static_cast<std::size_t>(level)].name
                         : std::to_string(level);
  }

  void branch(const Stmt &s) {
    expression(s.value);
    divergent(s.value, s);
    const std::set<const Var *> before = defined_;
    std::set<const Var *> after = s.children.size() < 2 ? before : std::set<const Var *>{};
    for (const StmtPtr &child : s.children) {
      defined_ = before;
      scope([&] { walk(child); });
      after.insert(defined_.begin(), defined_.end());
    }
    defined_ = after;
  }

  /// Definitions of a round reach the next one.
  void loop(const Stmt &s) {
    scope([&] {
      const bool isFor = s.kind == StmtKind::For;
      if (isFor)
        walk(s.children[0]);
      const std::set<const Var *> before = defined_;
      if (s.value && s.kind != StmtKind::DoWhile)
        expression(s.value);
      if (s.value)
        divergent(s.value, s);
      auto round = [&] {
        scope([&] { walk(s.children[isFor ? 2 : 0]); });
        if (isFor)
          walk(s.children[1]);
        if (s.value)
          expression(s.value);
      };
      // Only the second one knows all that is defined before it.
      const std::vector<Violation> found = violations_;
      round();
      violations_ = found;
      round();
      defined_.insert(before.begin(), before.end());
    });
  }

  // Workers.

  void parallel(const Stmt &s) {
    expression(s.value);
    if (s.level < 0 || static_cast<std::size_t>(s.level) >= plan_.roles.size())
      return violation("there is no level " + std::to_string(s.level));
    if (!path_.empty() && s.level <= path_.back()->level)
      violation("level " + levelName(s.level) + " does not stand below level " +
                levelName(path_.back()->level) + ", whose workers run it");
    span(s);
    if (s.copies)
      copying(s);
    path_.push_back(&s);
    const int outside = std::exchange(blocks_, -1);
    scope([&] {
      if (s.var) {
        // A name that is visible already would have two meanings inside: its old one and this worker.
        if (const auto known = declared_.find(s.var.get());
            known != declared_.end() && known->second.open)
          violation(s.var->name + " numbers workers where it is declared already");
        declared_[s.var.get()] = {path_, true, true};
        open_.push_back(s.var.get());
        defined_.insert(s.var.get());
      }
      walk(s.children[0]);
    });
    blocks_ = outside;
    path_.pop_back();
  }

  /// Span and count agree.
  void span(const Stmt &s) {
    if (s.span != Span::One && !s.var)
      violation("workers of level " + levelName(s.level) + " have no number");
    if ((s.span == Span::One) != isLiteral(s.value, 1))
      violation(toString(s.value) + " workers of level " + levelName(s.level) +
                (s.span == Span::One ? " are to be one of them" : " are not said to be one"));
    if (s.span == Span::All && !isWorkerCount(plan_, s.level, s.value))
      violation(toString(s.value) + " workers of level " + levelName(s.level) +
                " are to be all of them");
  }

  /// Workers that copy take elements in turns, and change elements of arrays and variables of their own alone.
  void copying(const Stmt &s) {
    if (s.span != Span::Turns || plan_.role(s.level) != Role::Item)
      violation("workers of level " + levelName(s.level) + " copy, and are no items in turns");
    std::set<const Var *> own;
    forEach(s.children[0], [&](const Stmt &each) {
      if (each.kind == StmtKind::Decl)
        own.insert(each.var.get());
      const bool changes = each.kind == StmtKind::Assign && each.target->kind == ExprKind::Var &&
                           !own.contains(each.target->var.get());
      if (changes || each.kind == StmtKind::Parallel || each.kind == StmtKind::Barrier)
        violation("items that copy do more than that");
    });
    if (hasAtomic(s.children[0]))
      violation("items that copy do more than that");
  }

  void barrier(const Stmt &s) {
    for (const Stmt *each : path_) {
      if (each->level > s.level && plan_.role(each->level) >= Role::Warp)
        violation("a barrier of level " + levelName(s.level) + " in code of some of its items");
    }
  }

  /// Variables that may differ between the items of a group, in code that all of them run.
  void collectVarying() {
    for (std::size_t before = varying_.size() + 1; before != varying_.size();) {
      before = varying_.size();
      forEach(plan_.body, [&](const Stmt &s) {
        const bool items = s.kind == StmtKind::Parallel &&
                           (plan_.role(s.level) == Role::Item || plan_.role(s.level) == Role::Warp);
        if (items)
          collectVarying(s);
        else if (const Var *v = assignedBy(s); v && s.value && varies(s.value))
          varying_.insert(v);
      });
    }
  }

  void collectVarying(const Stmt &items) {
    if (items.var)
      varying_.insert(items.var.get());
    forEach(items.children[0], [&](const Stmt &s) {
      if (const Var *v = assignedBy(s))
        varying_.insert(v);
    });
  }

  static const Var *assignedBy(const Stmt &s) {
    if (s.kind == StmtKind::Decl)
      return s.var.get();
    if (s.kind == StmtKind::Assign)
      return s.target->kind == ExprKind::Var ? s.target->var.get() : nullptr;
    return nullptr;
  }

  bool varies(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      return each.kind == ExprKind::Var && varying_.contains(each.var.get());
    });
  }

  void divergent(const ExprPtr &condition, const Stmt &s) {
    bool meets = false;
    for (const StmtPtr &child : s.children)
      forEach(child, [&](const Stmt &each) { meets |= each.kind == StmtKind::Barrier; });
    if (meets && !itemsAreLoops_ && varies(condition))
      violation("items may decide " + toString(condition) +
                " differently, and there is a barrier "
                "below");
  }

  const LoweredPlan &plan_;
  const bool arrayForm_;
  const bool expanded_;
  const bool itemsAreLoops_; ///< of one activity, which shares what is declared outside
  const ArrayRanks ranks_;
  std::map<const Var *, const Var *> paddedArrays_; ///< and what each continues
  std::vector<Violation> violations_;
  const Stmt *at_ = nullptr;
  std::map<const Var *, Declared> declared_;
  std::vector<const Var *> open_;
  std::set<const Var *> defined_;
  std::set<const Var *> host_; ///< sizes, scalars, tunables
  std::set<const Var *> buffers_;
  std::set<const Var *> varying_;
  Path path_;
  int blocks_ = 0; ///< branches and loops around, in the code of the innermost worker
};

} // namespace

std::string Violation::text() const {
  std::string text;
  if (location.valid())
    text = location.file + ":" + std::to_string(location.line) + ":" +
           std::to_string(location.column) + ": ";
  return text + message + (statement.empty() ? "" : ", in '" + statement + "'");
}

std::vector<Violation> verify(const LoweredPlan &plan, Form form) {
  return Verifier(plan, form).run();
}

} // namespace tangram::codegen
