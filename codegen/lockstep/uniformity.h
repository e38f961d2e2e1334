// What is the same for all lanes of a cooperative codelet.
#pragma once

#include "codegen/lockstep/constants.h"

#include <set>

namespace tangram::codegen {

/// Knows which variables may differ between lanes, and what follows for statements.
///
/// Below a condition that differs between lanes, their own is what is assigned; a variable that is
/// declared there is still the same for all lanes that are there, where the lanes have to stay
/// together because a loop needs them to meet (`staysTogether`).
class Uniformity {
public:
  explicit Uniformity(const ir::StmtPtr &body);

  const Constants &constants() const { return constants_; }

  bool varies(const ir::VarPtr &v) const { return varying_.contains(v.get()); }
  bool varies(const ir::ExprPtr &e) const;
  /// Whether lanes may leave the loop at different times.
  bool isLeftApart(const ir::Stmt &loop) const;
  /// Whether each lane may run `s` alone; see codegen/lockstep/independence.h.
  bool areIndependent(const ir::StmtPtr &s) const;
  /// Whether a loop in `s` can only be run by all lanes together.
  bool staysTogether(const ir::StmtPtr &s) const;

private:
  void mark(const ir::StmtPtr &s, int depth, bool alone);
  void markAssignment(const ir::Stmt &s, int depth, bool alone);
  bool jumpsApart(const ir::StmtPtr &s, bool apart) const;

  Constants constants_;
  std::set<const ir::Var *> varying_;
  std::map<const ir::Var *, int> declaredAt_; ///< below how many conditions that vary
};

} // namespace tangram::codegen
