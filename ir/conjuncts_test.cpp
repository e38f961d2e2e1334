#include "ir/conjuncts.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tangram::ir {
namespace {

ExprPtr variable(const std::string &name) {
  auto var = std::make_shared<Var>();
  var->name = name;
  var->type = scalarType(Scalar::Bool);
  return varRef(var);
}

std::string conjunctsText(const ExprPtr &condition) {
  std::string text;
  for (const ExprPtr &each : conjunctsOf(condition))
    text += "[" + each->var->name + "]";
  return text;
}

TEST(Conjuncts, AreInTheOrderOfTheCondition) {
  const ExprPtr a = variable("a"), b = variable("b"), c = variable("c"), d = variable("d");
  EXPECT_EQ(conjunctsText(binary("&&", binary("&&", a, b), binary("&&", c, d))), "[a][b][c][d]");
  EXPECT_EQ(conjunctsText(a), "[a]");
}

TEST(Conjuncts, AlternativesAreOne) {
  const ExprPtr either = binary("||", variable("a"), variable("b"));
  EXPECT_EQ(conjunctsOf(either).size(), 1U);
}

} // namespace
} // namespace tangram::ir
