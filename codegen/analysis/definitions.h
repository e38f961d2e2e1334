// The values that variables of some code are declared with: those of constants, and the first ones of
// counters and of other variables that are assigned later.
#pragma once

#include "ir/stmt.h"

#include <functional>
#include <map>
#include <vector>

namespace tangram::codegen {

class Definitions {
public:
  explicit Definitions(const ir::StmtPtr &body);

  /// The value that the variable `e` is declared with; null where there is none, or `e` is no
  /// variable.
  ir::ExprPtr of(const ir::Expr &e) const;

  /// Calls `f` with each part of `expressions` and of the values that variables in them are declared
  /// with, each value once.
  void forEachPart(const std::vector<ir::ExprPtr> &expressions,
                   const std::function<void(const ir::Expr &)> &f) const;

  /// Whether one of these parts fits.
  bool anyPart(const std::vector<ir::ExprPtr> &expressions,
               const std::function<bool(const ir::Expr &)> &fits) const;

private:
  std::map<const ir::Var *, ir::ExprPtr> values_;
};

} // namespace tangram::codegen
