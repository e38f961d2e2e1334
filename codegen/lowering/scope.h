// The code that is being instantiated: its statements, the names in it, what they stand for, and
// how large they can be.
#pragma once

#include "codegen/analysis/plan_facts.h"
#include "codegen/form/index_function.h"
#include "codegen/form/kernel_ir.h"
#include "ir/variable_map.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tangram::codegen {

class Scope {
public:
  /// `plan` knows its tunables and the arrays in it; it has to live as long as the scope.
  explicit Scope(const LoweredPlan &plan) : plan_(plan), facts_(plan) {}

  // Statements.
  void emit(ir::StmtPtr s) { out_->push_back(std::move(s)); }
  /// What `body` emits, as a block; names of values made in it are not visible outside.
  ir::StmtPtr collect(const std::function<void()> &body);
  /// A step of the plan, for the readers of the code.
  void emitComment(const std::string &text);
  const std::string &lastComment() const { return lastComment_; }

  // Names.
  /// A constant named after the source; trivial values are returned as they are, and a value that
  /// has a name is not given another one.
  ir::ExprPtr named(const std::string &name, ir::ExprPtr value);
  /// From now on the variable does not change while what is made of it is used.
  void keep(const ir::VarPtr &var);
  /// Whether `value` is the same wherever its variables are visible.
  bool isFixed(const ir::ExprPtr &value) const;
  /// Whether `value` may have wrapped around below 0, for all that is known of the plan.
  bool mayHaveWrapped(const ir::ExprPtr &value) const;
  /// Whether what is known of the plan makes `a` at least as large as `b`, both exact.
  bool isAtLeast(const ir::ExprPtr &a, const ir::ExprPtr &b) const;

  // Definitions.
  void remember(const ir::VarPtr &var, const ir::ExprPtr &definition);
  /// `e` with every host variable replaced by its definition.
  ir::ExprPtr closed(const ir::ExprPtr &e) const;
  /// `e` with all names of values that stay as they are written out.
  ir::ExprPtr meaningOf(const ir::ExprPtr &e) const;

  // Bounds that can be checked before launch.
  /// From now on worker < count.
  void boundWorker(const ir::VarPtr &worker, const ir::ExprPtr &count);
  /// From now on counter >= least.
  void boundBelow(const ir::VarPtr &counter, const ir::ExprPtr &least);
  /// The smallest value of a counter; null when none is known.
  const ir::ExprPtr *smallest(const ir::Var *var) const;
  /// What `extent` names is at most `most`, which its definition need not show.
  void bound(const ir::ExprPtr &extent, const ir::ExprPtr &most);
  /// The largest value of a worker's index or a named extent; null when none is known.
  const ir::ExprPtr *largest(const ir::Var *var) const;
  /// Upper bound of `e` that mentions no worker index and no variable below host
  /// level; null when none is known.
  ir::ExprPtr upperBound(const ir::ExprPtr &e) const;
  /// The better of the upper bounds of `e` as it is and with names written out; null: none is known.
  ir::ExprPtr boundOf(const ir::ExprPtr &e) const;
  /// An upper bound of a bound, made of literals and compile-time tunables alone: of
  /// min(T, in_size) it is T. Null when there is none.
  ir::ExprPtr compileTimeBound(const ir::ExprPtr &e) const;
  /// Made of literals and compile-time tunables alone.
  bool isCompileTime(const ir::ExprPtr &count) const;
  View withBound(View view);

private:
  bool isNeverNegative(const ir::Expr &e) const;
  ir::ExprPtr lessCounters(const ir::ExprPtr &e) const;
  /// Computes what compileTimeBound and upperBound have not cached.
  ir::ExprPtr findCompileTimeBound(const ir::ExprPtr &e) const;
  ir::ExprPtr findUpperBound(const ir::ExprPtr &e) const;
  /// Clears cached meanings and upper bounds, because more is known of a name now.
  void forgetFound();

  const LoweredPlan &plan_;
  GrowingPlanFacts facts_;
  std::vector<ir::StmtPtr> *out_ = nullptr;
  std::string lastComment_;
  std::vector<std::pair<ir::ExprPtr, ir::VarPtr>> names_; ///< of values, while they are visible
  ir::VariableMap<ir::ExprPtr> definitions_;              ///< constants: what they stand for
  // Those asked for so far, null where there is none. Definitions are built on one another, so that each has to be looked
  // at once; and what would be very long (ir/expression_length.h) is none.
  mutable ir::VariableMap<ir::ExprPtr> closedDefinitions_;
  mutable ir::VariableMap<ir::ExprPtr> meanings_;
  mutable ir::VariableMap<ir::ExprPtr> upperBounds_;
  ir::VariableMap<ir::ExprPtr> largest_;
  ir::VariableMap<ir::ExprPtr> smallest_;
  ir::VariableSet kept_;
};

} // namespace tangram::codegen
