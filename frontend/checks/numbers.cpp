#include "frontend/checks/numbers.h"
#include "ir/assigned_variables.h"

#include <algorithm>
#include <map>
#include <set>

namespace tangram::frontend {

namespace {

/// What is known before a map begins.
class Known {
public:
  explicit Known(const ir::Codelet &codelet) : assigned_(ir::assignedIn(codelet.body)) {
    ir::forEach(codelet.body, [&](const ir::Stmt &s) {
      if (s.kind == ir::StmtKind::Decl && s.value && !assigned_.contains(s.var.get()))
        constants_.emplace(s.var.get(), s.value);
    });
  }

  /// Made of literals, tunables, parameters, sizes, and constants that are made of these.
  bool contains(const ir::ExprPtr &e) const {
    switch (e->kind) {
    case ir::ExprKind::Literal:
    case ir::ExprKind::Size:
      return true;
    case ir::ExprKind::Var: {
      const auto found = constants_.find(e->var.get());
      return e->var->kind == ir::VarKind::Tunable ||
             (e->var->kind == ir::VarKind::Param && !assigned_.contains(e->var.get())) ||
             (found != constants_.end() && contains(found->second));
    }
    case ir::ExprKind::Call:
    case ir::ExprKind::Unary:
    case ir::ExprKind::Binary:
    case ir::ExprKind::Select:
    case ir::ExprKind::Cast:
      return std::ranges::all_of(e->args, [&](const ir::ExprPtr &part) { return contains(part); });
    default:
      return false;
    }
  }

private:
  std::set<const ir::Var *> assigned_;
  std::map<const ir::Var *, ir::ExprPtr> constants_;
};

/// The increment that says how many elements the map has; null where something else does.
ir::ExprPtr countingIncrement(const ir::Expr &map) {
  ir::ExprPtr increment;
  for (const ir::ExprPtr &each : map.args) {
    const ir::Expr &bare = each->kind == ir::ExprKind::Cast ? *each->args[0] : *each;
    const bool isSequence = bare.kind == ir::ExprKind::Sequence;
    if (!isSequence && bare.kind != ir::ExprKind::All && bare.type.isContainer())
      return nullptr;
    if (isSequence && bare.args.size() > 1 && !increment)
      increment = bare.args[bare.args.size() - 2];
  }
  return increment;
}

void checkCodelet(const ir::Codelet &codelet, ir::Diagnostics &diagnostics) {
  std::set<const ir::Expr *> counted; // by the container that the results are assigned to
  ir::forEach(codelet.body, [&](const ir::Stmt &s) {
    if (s.kind == ir::StmtKind::Assign && s.target->type.isContainer())
      counted.insert(s.value.get());
  });
  const Known known(codelet);
  ir::forEachExpr(codelet.body, [&](const ir::Expr &e) {
    const ir::ExprPtr increment =
        e.kind == ir::ExprKind::Map && !counted.contains(&e) ? countingIncrement(e) : nullptr;
    if (!increment || (known.contains(increment) && ir::literalValue(increment).value_or(1) > 0))
      return;
    const bool isMap = e.op.empty();
    diagnostics.push_back(ir::errorAt(
        increment->location.valid() ? increment->location : e.location,
        "how many elements a '" + (isMap ? "map" : e.op.text()) +
            "' over sequences alone has is not known: the increment of its first must be positive, "
            "and made of constants, tunables, sizes and parameters"));
    if (isMap)
      diagnostics.back().notes = {ir::noteAt(
          {}, "results that are assigned to a container are as many as it has elements")};
  });
}

} // namespace

void checkNumbers(const ir::Program &program, ir::Diagnostics &diagnostics) {
  for (const ir::Spectrum &spectrum : program.spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets)
      checkCodelet(codelet, diagnostics);
  }
}

} // namespace tangram::frontend
