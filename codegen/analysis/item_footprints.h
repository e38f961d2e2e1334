// Whether different items of a group touch different elements of a buffer, from the subscripts.
#pragma once

#include "codegen/analysis/accesses.h"

#include <map>
#include <memory>
#include <set>
#include <utility>

namespace tangram::codegen {

/// Of one lowered plan, whose statements must stay as they are meanwhile.
class ItemFootprints {
public:
  explicit ItemFootprints(const LoweredPlan &plan);
  ~ItemFootprints();

  /// Whether what an item does in `a` and another one in `b` is surely at different elements
  /// (the range inclusion of LIFT's memory-access graph: notes/constraints-and-barriers.md 1.4).
  bool differ(const Access &a, const Access &b);

private:
  struct Context;
  class Reading;
  class Footprint;
  using Contexts = std::multimap<const ir::Expr *, Context>;

  const Contexts &contextsOf(const ir::Stmt *piece);
  bool differ(const Context &a, const Context &b, bool global);
  bool differInOrder(const Context &a, const Context &b, bool global, bool less);
  void collectNames(const ir::StmtPtr &s, bool varies);
  void collectLoops(const ir::StmtPtr &s, std::vector<const ir::Stmt *> &loops);

  const LoweredPlan &plan_;
  std::map<const ir::Var *, ir::ExprPtr> definitions_; ///< of constants, not read from memory
  std::set<const ir::Var *> stable_; ///< the same for all items and all rounds of loops
  std::set<const ir::Var *> changing_;
  std::map<const ir::Stmt *, std::vector<const ir::Stmt *>> around_; ///< of pieces: loops
  std::map<const ir::Stmt *, std::unique_ptr<Contexts>> contexts_;
  std::map<std::pair<const ir::Expr *, const ir::Expr *>, bool> known_;
  std::size_t work_ = 0; ///< nodes of expressions looked at
};

} // namespace tangram::codegen
