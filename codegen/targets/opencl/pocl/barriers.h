// Where items that took different ways have to meet on PoCL, though nothing they do asks for it.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <functional>
#include <set>

namespace tangram::codegen {

/// PoCL 3.1 makes of what stands between two barriers a loop over items, and computes wrong values where, in one,
///
/// - memory that a branch reads is read again behind it;
/// - the branches of a condition have barriers, and keep values over them;
/// - items go different ways twice, each time to loops: what they wrote the first time is lost.
///
/// And its code crashes where a loop with barriers follows a branch with one, whatever without barriers
/// stands between them.
///
/// A barrier between the two is enough. All items come to all places that are named here.
class PoclBarriers {
public:
  /// Of a kernel's `body`; `hasBraces`: whether the body of a Parallel is printed in braces of its own.
  PoclBarriers(const LoweredPlan &plan, const ir::Stmt &body,
               std::function<bool(const ir::Stmt &)> hasBraces);

  bool isBefore(const ir::Stmt &s) const { return before_.contains(&s); }
  /// Whether it belongs between the two branches of `s`, which has to become two statements for that.
  bool isWithin(const ir::Stmt &s) const { return within_.contains(&s); }
  /// Whether one belongs to the end of the first branch of `s`, whose condition may not be asked for again.
  bool isAtEndOfBranch(const ir::Stmt &s) const { return atEnd_.contains(&s); }
  /// Whether items that went one way go different ways again, or do so in a branch of a branch in which they
  /// meet, or leave a round in which they meet, or branch by what only those have that took another branch before, or
  /// by what only some have changed in a loop that each leaves for itself: LLVM makes of such branches what PoCL then
  /// takes for one.
  bool nests() const { return nests_; }

private:
  void findVarying(const ir::Stmt &s);
  bool varies(const ir::ExprPtr &e) const;
  bool hasVaryingBranchOfLoops(const ir::Stmt &s) const;
  void findOfSome(const ir::Stmt &body);
  bool asksTwice(const ir::Stmt &s) const;
  bool partsTwice(const ir::Stmt &s) const;
  void addPrinted(const ir::Stmt &s, std::vector<const ir::Stmt *> &all) const;
  void findReadAgain(const std::vector<const ir::Stmt *> &all, bool loops);
  void findBranchesOfLoops(const std::vector<const ir::Stmt *> &all);
  void findBranchesWithBarriers(const std::vector<const ir::Stmt *> &all);
  void findLoopsBehindBranches(const std::vector<const ir::Stmt *> &all);
  static bool keepsCondition(const ir::Stmt &branches);
  void find(const ir::Stmt &s, bool loops);

  const LoweredPlan &plan_;
  std::function<bool(const ir::Stmt &)> hasBraces_;
  std::set<const ir::Var *> varying_;       ///< what may differ between items
  std::set<const ir::Var *> ofSome_;        ///< what some items have alone
  std::set<const ir::Var *> changedBySome_; ///< alone, in a loop that each leaves for itself
  bool nests_ = false;
  std::set<const ir::Stmt *> before_;
  std::set<const ir::Stmt *> within_;
  std::set<const ir::Stmt *> atEnd_;
};

} // namespace tangram::codegen
