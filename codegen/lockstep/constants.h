// What the constants of a codelet stand for.
#pragma once

#include "ir/stmt.h"

#include <map>

namespace tangram::codegen {

/// Locals with an initial value that nothing changes, as expressions over each other, parameters,
/// lanes and the variables of loops.
class Constants {
public:
  explicit Constants(const ir::StmtPtr &body);

  /// `e` with the constants written out, and without conversions to wider integers; reads of
  /// memory, of what changes, and constants that would be long stay behind their names.
  ir::ExprPtr meaning(const ir::ExprPtr &e) const;

private:
  std::map<const ir::Var *, ir::ExprPtr> values_; ///< with the constants in them written out
};

} // namespace tangram::codegen
