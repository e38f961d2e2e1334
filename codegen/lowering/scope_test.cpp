#include "codegen/lowering/scope.h"

#include "codegen/form/building.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace tangram::codegen {
namespace {

// What is known of a variable that is gone would hold for the next one that is given its address.
TEST(Scope, KeepsTheVariablesThatItKnowsSomethingOf) {
  const LoweredPlan plan;
  Scope scope(plan);
  const ir::ExprPtr ten = ir::intLiteral(10);
  const std::function<void(const ir::VarPtr &)> ways[] = {
      [&](const ir::VarPtr &var) { scope.keep(var); },
      [&](const ir::VarPtr &var) { scope.remember(var, ten); },
      [&](const ir::VarPtr &var) { scope.boundWorker(var, ten); },
      [&](const ir::VarPtr &var) { scope.boundBelow(var, ten); },
      [&](const ir::VarPtr &var) { scope.bound(ir::varRef(var), ten); },
  };
  for (const auto &tell : ways) {
    ir::VarPtr variable = newVariable("i");
    const std::weak_ptr<const ir::Var> kept = variable;
    tell(variable);
    variable.reset();
    EXPECT_FALSE(kept.expired());
  }
}

} // namespace
} // namespace tangram::codegen
