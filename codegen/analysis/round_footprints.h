// Whether rounds of a loop touch different elements, from the subscripts.
#pragma once

#include "codegen/form/building.h"
#include "codegen/form/kernel_ir.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace tangram::codegen {

/// An element that a round of a loop touches, in kernel form: where, and in which loops and conditions inside of it.
struct RoundAccess {
  ir::ExprPtr element;
  bool write = false;
  std::vector<CountedLoop> loops;
  std::vector<std::pair<ir::ExprPtr, bool>> conditions; ///< and whether they hold
};

/// All of those of arrays that rounds do not have for themselves, in order. Of loops that are no counted ones nothing is
/// noted: their variables are unknown.
std::vector<RoundAccess> accessesOfRound(const CountedLoop &loop);

/// Of one lowered plan in kernel form, whose statements must stay as they are meanwhile.
class RoundFootprints {
public:
  static constexpr unsigned usualEffort = 150; ///< goals of a proof

  /// `effort`: the number of goals that a proof may look at before it is given up.
  explicit RoundFootprints(const LoweredPlan &plan, unsigned effort = usualEffort);

  /// Whether no round of `s`, a loop by ones that ends at its end, sees or changes what another one changes, so that
  /// their order does not matter. False: not proved.
  bool areApart(const ir::Stmt &s);

private:
  struct Around {
    const ir::Stmt *statement;
    std::size_t child; ///< of it, in which the loop stands
  };
  struct Side;
  class Proof;

  void collect(const ir::StmtPtr &s);
  bool differ(const ir::Stmt &s, const CountedLoop &loop, const RoundAccess &a,
              const RoundAccess &b);
  bool isSteady(const ir::ExprPtr &e) const;

  const LoweredPlan &plan_;
  const unsigned effort_;
  std::map<const ir::Var *, ir::ExprPtr> definitions_; ///< of constants, made of such alone
  std::set<const ir::Var *> assigned_; ///< other than as the counter of a loop, or declared twice
  std::vector<Around> path_;
  std::map<const ir::Stmt *, std::vector<Around>> around_; ///< of loops
  std::set<const ir::Stmt *> twice_;                       ///< loops that stand in several places
  std::size_t work_ = 0;                                   ///< nodes of expressions looked at
};

} // namespace tangram::codegen
