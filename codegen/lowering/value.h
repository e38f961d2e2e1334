// What stands for the expressions and containers of a codelet while a plan is instantiated.
#pragma once

#include "codegen/form/index_function.h"
#include "codegen/form/kernel_ir.h"
#include "codegen/form/refusal.h"
#include "ir/plan.h"
#include "ir/program.h"

#include <functional>
#include <map>
#include <set>
#include <variant>
#include <vector>

namespace tangram::codegen {

/// What an expression of a codelet is: a number, a container, parts of one, or their bounds.
using Value = std::variant<ir::ExprPtr, View, Parts, Sequence>;

/// Where a composed spectrum's scalar result goes.
struct Destination {
  View place;     ///< one element of memory (no dimensions); buffer null when `var` is used
  ir::VarPtr var; ///< a variable of the worker that asked for the result
  bool none() const { return !place.buffer && !var; }
};

/// Takes the arguments of an element of a map, and where its result goes.
using TakeElement = std::function<void(const std::vector<Value> &, const Destination &)>;

/// A map on its way down the levels it is spread over.
struct MapWork {
  std::vector<Value> args;
  std::vector<bool> shared; ///< all(c): the same for every element
  const ir::Spectrum *callee = nullptr;
  ir::ExprPtr count;                                             ///< of elements
  std::function<Destination(const ir::ExprPtr &)> destinationOf; ///< of the result of element i
  ir::ExprPtr roundings;                                         ///< of one element
  /// For flattened maps: emits the statements of element number `at` and calls `take` with the
  /// arguments of that of the innermost map. Null: the elements are those of `args`.
  std::function<void(const ir::ExprPtr &at, const TakeElement &take)> element = nullptr;
};

/// A codelet that is one map, which is flattened with the map around it: instead of a loop over its elements
/// there is one of them.
struct FlattenedMap {
  ir::ExprPtr at;                                 ///< number of the element
  bool isRagged = false;                          ///< the map may have fewer elements than that
  const TakeElement *take = nullptr;              ///< null: only `count` is asked for
  ir::ExprPtr count = nullptr;                    ///< of elements, once the map has been met
  std::map<const ir::Var *, Value> tunables = {}; ///< of the codelet, once they are known
};

/// Internal to lowering, turned into a Refusal at its boundary.
struct RefusedPlan {
  Refusal refusal;
};
[[noreturn]] void refuse(std::string reason, ir::SourceLocation at = {});

/// The codelet that a node of a plan computes.
const ir::Codelet &codeletOf(const ir::Program &program, const ir::PlanNode &node);

} // namespace tangram::codegen
