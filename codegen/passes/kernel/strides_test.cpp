#include "codegen/passes/kernel/strides.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace tangram::codegen {
namespace {

using namespace ir;

ExprPtr variable(const std::string &name) {
  auto var = std::make_shared<Var>();
  var->name = name;
  var->type = scalarType(Scalar::Index);
  return varRef(var);
}

class StridesTest : public ::testing::Test {
protected:
  /// "4", "some" with an unknown factor, or "none".
  std::string of(const ExprPtr &position) const {
    const Strides strides(i->var, names, [this](const ExprPtr &e) {
      return !contains(e, [this](const Expr &each) {
        return each.var && each.var != n->var && each.kind == ExprKind::Var;
      });
    });
    const auto stride = strides.of(position);
    return !stride ? "none" : stride->isNumber ? std::to_string(stride->elements) : "some";
  }

  ExprPtr i = variable("i"), n = variable("n"), row = variable("row"), other = variable("other");
  std::map<const Var *, ExprPtr> names;
};

TEST_F(StridesTest, OfSumsAndProducts) {
  EXPECT_EQ(of(n), "0");
  EXPECT_EQ(of(binary("+", i, n)), "1");
  EXPECT_EQ(of(binary("-", n, i)), "-1");
  EXPECT_EQ(of(binary("*", binary("-", i, n), intLiteral(4))), "4");
  EXPECT_EQ(of(binary("*", n, i)), "some");
  EXPECT_EQ(of(binary("*", i, i)), "none");
  EXPECT_EQ(of(binary("/", i, intLiteral(2))), "none");
  EXPECT_EQ(of(other), "none") << "it may change in any way";
}

TEST_F(StridesTest, ThroughNames) {
  names[row->var.get()] = binary("*", intLiteral(3), i);
  EXPECT_EQ(of(binary("+", row, i)), "4");
}

TEST_F(StridesTest, NamesOfNamesAreLookedAtOnce) {
  ExprPtr last = i;
  for (int k = 0; k < 60; ++k) {
    const ExprPtr next = variable("next");
    names[next->var.get()] = binary("+", last, last);
    last = next;
  }
  EXPECT_EQ(of(last), std::to_string(std::int64_t{1} << 60));
  EXPECT_EQ(of(binary("*", last, intLiteral(8))), "none") << "it is no number of 64 bits";
}

} // namespace
} // namespace tangram::codegen
