#include "ir/assigned_variables.h"

#include <gtest/gtest.h>

#include <memory>

namespace tangram::ir {
namespace {

VarPtr variable(const std::string &name) {
  auto var = std::make_shared<Var>();
  var->name = name;
  var->type = scalarType(Scalar::I32);
  return var;
}

TEST(AssignedVariables, AreThoseOfAssignmentsWhereverTheyStand) {
  const VarPtr constant = variable("constant"), sum = variable("sum"), i = variable("i"),
               array = variable("array");
  const StmtPtr body =
      block({declare(constant, intLiteral(1)), declare(sum, intLiteral(0)),
             forLoop(declare(i, intLiteral(0)), binary("<", varRef(i), varRef(constant)),
                     assign(varRef(i), "+=", intLiteral(1)),
                     block({assign(varRef(sum), "+=", varRef(i)),
                            assign(index(varRef(array), {varRef(i)}), "=", varRef(sum))}))});
  EXPECT_EQ(assignedIn(body), std::set<const Var *>({sum.get(), i.get()}));
}

} // namespace
} // namespace tangram::ir
