#include "codegen/bundle/bytes_moved.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::codegen {

using namespace ir;

namespace {

bool jumps(const StmtPtr &s) {
  bool found = false;
  forEach(s, [&](const Stmt &each) {
    found |= each.kind == StmtKind::Break || each.kind == StmtKind::Continue ||
             each.kind == StmtKind::Return;
  });
  return found;
}

class Uses {
public:
  explicit Uses(const Codelet &codelet) {
    for (const VarPtr &param : codelet.params) {
      if (param->type.isContainer())
        use_[param.get()];
    }
    std::size_t before = 0;
    do { // what depends on values is found in rounds
      before = byValue_.size();
      for (auto &[container, use] : use_)
        use = {};
      isLeft_ = false;
      statement(codelet.body, false);
    } while (byValue_.size() != before);
  }

  std::optional<ContainerUse> of(const Var *container) const {
    const Use &use = use_.at(container);
    if ((use.reads && !use.readsAll) || (use.writes && !use.writesAll))
      return std::nullopt;
    return ContainerUse{use.reads, use.writes};
  }

private:
  /// `...All`: also where no value decides.
  struct Use {
    bool reads = false, readsAll = false, writes = false, writesAll = false;
  };

  /// `depends`: whether values decide if `s` is executed, or how often.
  void statement(const StmtPtr &s, bool depends) {
    if (!s || s->kind == StmtKind::Require)
      return;
    depends |= isLeft_;
    if (isLoop(*s)) {
      const bool isOpen = leavesByValue(s) || (s->value && isByValue(s->value));
      depends |= isOpen;
    }
    if (s->kind == StmtKind::Decl && s->value)
      return declaration(*s, depends);
    if (s->kind == StmtKind::Assign)
      return assignment(*s, depends);
    if (s->value)
      expression(s->value, depends);
    const bool decides = s->kind == StmtKind::If && isByValue(s->value);
    for (const StmtPtr &child : s->children)
      statement(child, depends || decides);
    isLeft_ |= s->kind == StmtKind::Return && depends;
    isLeft_ |= isLoop(*s) && depends && returns(s);
  }

  void declaration(const Stmt &s, bool depends) {
    if (s.var->type.isContainer()) {
      if (const Var *container = containerOf(s.value))
        views_[s.var.get()] = container;
      return;
    }
    expression(s.value, depends);
    note(s.var.get(), depends || isByValue(s.value));
  }

  void assignment(const Stmt &s, bool depends) {
    expression(s.value, depends);
    const bool updates = s.op != "=";
    if (s.target->kind == ExprKind::Var)
      return note(s.target->var.get(), depends || isByValue(s.value));
    if (const Var *container = containerOf(s.target)) {
      if (use_.contains(container))
        write(s.target, depends, updates);
      else
        note(container, true); // an array of the codelet's own
    }
    subscripts(s.target, depends);
  }

  void expression(const ExprPtr &e, bool depends) {
    if (!e)
      return;
    if (e->kind == ExprKind::Index && !e->type.isContainer()) {
      const Var *container = containerOf(e);
      if (auto use = use_.find(container); use != use_.end()) {
        use->second.reads = true;
        use->second.readsAll |= !depends && !atByValue(e);
      }
      return subscripts(e, depends);
    }
    if (e->kind == ExprKind::Atomic) {
      if (use_.contains(containerOf(e->args[0])))
        write(e->args[0], depends, true);
      subscripts(e->args[0], depends);
      std::for_each(e->args.begin() + 1, e->args.end(),
                    [&](const ExprPtr &arg) { expression(arg, depends); });
      return;
    }
    const bool decides = e->kind == ExprKind::Select ||
                         (e->kind == ExprKind::Binary && (e->op == "&&" || e->op == "||"));
    for (std::size_t i = 0; i < e->args.size(); ++i)
      expression(e->args[i], depends || (decides && i > 0 && isByValue(e->args[0])));
  }

  void write(const ExprPtr &place, bool depends, bool updates) {
    Use &use = use_.at(containerOf(place));
    const bool all = !depends && !atByValue(place);
    use.writes = true;
    use.writesAll |= all;
    use.reads |= updates;
    use.readsAll |= updates && all;
  }

  void subscripts(const ExprPtr &e, bool depends) {
    std::for_each(e->args.begin() + 1, e->args.end(),
                  [&](const ExprPtr &arg) { expression(arg, depends); });
    if (e->args[0]->kind == ExprKind::Index)
      subscripts(e->args[0], depends);
  }

  bool atByValue(const ExprPtr &element) const {
    return std::any_of(element->args.begin() + 1, element->args.end(),
                       [&](const ExprPtr &arg) { return isByValue(arg); });
  }

  /// Whether elements of containers decide what `e` is.
  bool isByValue(const ExprPtr &e) const {
    return contains(e, [&](const Expr &each) {
      return (each.kind == ExprKind::Index && !each.type.isContainer()) ||
             (each.kind == ExprKind::Var && byValue_.contains(each.var.get()));
    });
  }

  /// Whether values decide when the loop is left, or a round of it ends.
  bool leavesByValue(const StmtPtr &loop) const {
    bool found = false;
    forEach(loop, [&](const Stmt &s) {
      if (s.kind != StmtKind::If || !isByValue(s.value))
        return;
      for (const StmtPtr &child : s.children)
        found |= child && jumps(child);
    });
    return found;
  }

  static bool returns(const StmtPtr &s) {
    bool found = false;
    forEach(s, [&](const Stmt &each) { found |= each.kind == StmtKind::Return; });
    return found;
  }

  void note(const Var *var, bool isByValue) {
    if (isByValue)
      byValue_.insert(var);
  }

  /// The parameter, or array, that a view or an element is of.
  const Var *containerOf(const ExprPtr &e) const {
    if (e->kind == ExprKind::Index || e->kind == ExprKind::Transpose || e->kind == ExprKind::Pad)
      return containerOf(e->args[0]);
    if (e->kind != ExprKind::Var)
      return nullptr;
    auto view = views_.find(e->var.get());
    return view == views_.end() ? e->var.get() : view->second;
  }

  std::map<const Var *, Use> use_;
  std::map<const Var *, const Var *> views_;
  std::set<const Var *> byValue_; ///< variables that depend on elements
  bool isLeft_ = false;           ///< values decide whether what follows is executed at all
};

} // namespace

std::optional<std::vector<ContainerUse>> containerUses(const Codelet &codelet) {
  const Uses uses(codelet);
  std::vector<ContainerUse> found;
  for (const VarPtr &param : codelet.params) {
    if (!param->type.isContainer())
      continue;
    std::optional<ContainerUse> use = uses.of(param.get());
    if (!use)
      return std::nullopt;
    found.push_back(*use);
  }
  return found;
}

} // namespace tangram::codegen
