// Maps and sets of variables, which they keep: no variable made later on is taken for one that is gone, as it would be
// where only the address is known, which is given to others again.
#pragma once

#include "ir/expr.h"

#include <functional>
#include <map>
#include <set>

namespace tangram::ir {

/// By identity; looked up by the address alone, too.
struct ByIdentity {
  using is_transparent = void;

  bool operator()(const VarPtr &a, const VarPtr &b) const { return before(a.get(), b.get()); }
  bool operator()(const Var *a, const VarPtr &b) const { return before(a, b.get()); }
  bool operator()(const VarPtr &a, const Var *b) const { return before(a.get(), b); }

private:
  static bool before(const Var *a, const Var *b) { return std::less<const Var *>()(a, b); }
};

/// In no order that is the same in another run.
template <typename T> using VariableMap = std::map<VarPtr, T, ByIdentity>;
using VariableSet = std::set<VarPtr, ByIdentity>;

} // namespace tangram::ir
