// The interior of a statement: its code for the case that no access is past an end of a container, and the condition for that
// case, which is evaluated before the statement. Comparisons with ends are decided by the least and the greatest numbers of
// workers and loops.
#pragma once

#include "codegen/form/kernel_ir.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace tangram::codegen {

class Interior {
public:
  enum class Of {
    All,
    Guards, ///< comparisons that say whether there is an element; which one it is may be chosen before the statement
  };

  /// Before `s`: what it declares is not known there, nor are `unknown`.
  Interior(const LoweredPlan &plan, const ir::StmtPtr &s, const std::set<const ir::Var *> &unknown,
           Of what = Of::All);
  ~Interior();
  Interior(const Interior &) = delete;
  Interior &operator=(const Interior &) = delete;

  /// A part of the statement as it is inside, and simplified; itself where nothing in it is compared that can be told.
  ir::StmtPtr of(const ir::StmtPtr &part);

  /// Comparisons that are none inside, and those with ends that remain; of guards also choices of elements that cannot
  /// be made before the statement.
  std::size_t found() const { return found_; }
  std::size_t left() const { return left_; }

  /// What has to hold so that it is inside; null: nothing, or nothing that tells some from others.
  ir::ExprPtr condition() const;
  /// The same where it may hold for all or for none.
  ir::ExprPtr anyCondition() const;

private:
  class Extremes;

  ir::ExprPtr inside(const ir::ExprPtr &e, bool decides);
  void noteChoices(const ir::ExprPtr &subscript);
  ir::ExprPtr chosen(const ir::ExprPtr &e);
  ir::ExprPtr decided(const ir::ExprPtr &e);
  ir::ExprPtr when(ir::Operator op, const ir::ExprPtr &a, const ir::ExprPtr &b,
                   const ir::ExprPtr &then, const ir::ExprPtr &otherwise);
  void note(const ir::ExprPtr &condition);
  bool implies(const ir::ExprPtr &a, const ir::ExprPtr &b) const;
  bool accesses(const ir::ExprPtr &e) const;
  bool isEnd(const ir::ExprPtr &e) const;

  const LoweredPlan &plan_;
  std::unique_ptr<Extremes> extremes_;
  Of what_;
  std::set<const ir::Var *> host_; ///< what the host knows
  std::vector<ir::ExprPtr> conditions_;
  std::size_t found_ = 0;
  std::size_t left_ = 0;
};

} // namespace tangram::codegen
