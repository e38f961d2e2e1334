#include "codegen/passes/array/one_assignment.h"

#include "algebra/expression_fixture.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

using namespace algebra::fixture;
using ir::ExprPtr;
using ir::Scalar;
using ir::StmtPtr;

const E a = variable("a", Scalar::F32);
const E c = variable("c", Scalar::F32);
const E i = variable("i");

ExprPtr element(const E &array, const E &at) { return ir::index(array.e, {at.e}); }
ExprPtr number(double value) { return ir::realLiteral(value, Scalar::F32); }

std::string one(std::vector<StmtPtr> body) {
  const StmtPtr found = oneAssignment(ir::block(std::move(body)));
  return found ? ir::toString(found) : "none";
}

TEST(OneAssignment, ConstantsStandWhereTheyAreUsed) {
  const E by = variable("by", Scalar::F32);
  const StmtPtr named = ir::declare(by.e->var, ir::binary("-", element(a, i), number(1)));
  EXPECT_EQ(one({named, ir::assign(element(c, i), "+=", (by * by).e)}),
            "c[i] += (a[i] - 1) * (a[i] - 1);\n");
}

std::string all(std::vector<StmtPtr> body) {
  std::string text;
  for (const StmtPtr &each : assignmentsOf(ir::block(std::move(body))))
    text += ir::toString(each);
  return text;
}

TEST(OneAssignment, SeveralStandWhereTheyAskForWhatWasThere) {
  const E d = variable("d", Scalar::F32);
  const StmtPtr least = ir::assign(element(c, i), "=", element(a, i));
  const StmtPtr where = ir::assign(element(d, i), "=", number(7));
  const ExprPtr less = ir::binary("<", element(a, i), element(c, i));
  const std::string expected =
      "d[i] = a[i] < c[i] ? 7 : d[i];\nc[i] = a[i] < c[i] ? a[i] : c[i];\n";
  EXPECT_EQ(all({ir::ifThen(less, ir::block({least, where}))}), expected);
  EXPECT_EQ(one({ir::ifThen(less, ir::block({least, where}))}), "none");
}

TEST(OneAssignment, IntegersAreConverted) {
  const E place = variable("place", Scalar::I32);
  const E k = variable("k", Scalar::Index);
  const ExprPtr less = ir::binary("<", element(a, i), number(1));
  EXPECT_EQ(one({ir::ifThen(less, ir::assign(element(place, i), "=", k.e))}),
            "place[i] = a[i] < 1 ? (int)k : place[i];\n");
  EXPECT_EQ(one({ir::assign(element(place, i), "=", element(a, i))}), "none");
}

TEST(OneAssignment, NotSeveralThatAskForEachOther) {
  const E d = variable("d", Scalar::F32);
  const StmtPtr keep = ir::declare(variable("t", Scalar::F32).e->var, element(c, i));
  const StmtPtr first = ir::assign(element(c, i), "=", element(d, i));
  const StmtPtr second = ir::assign(element(d, i), "=", ir::varRef(keep->var));
  EXPECT_EQ(all({keep, first, second}), "");
  EXPECT_EQ(all({first, ir::assign(ir::index(c.e, {(i + 1).e}), "=", element(d, i))}), "");
}

TEST(OneAssignment, BranchesAreChoices) {
  const StmtPtr less = ir::assign(element(c, i), "=", element(a, i));
  const StmtPtr more = ir::assign(element(c, i), "+=", number(1));
  const ExprPtr condition = ir::binary("<", element(a, i), element(c, i));
  EXPECT_EQ(one({ir::ifThen(condition, less)}), "c[i] = a[i] < c[i] ? a[i] : c[i];\n");
  EXPECT_EQ(one({ir::ifThen(condition, less, more)}), "c[i] = a[i] < c[i] ? a[i] : c[i] + 1;\n");
}

TEST(OneAssignment, VariablesChangeInBranches) {
  const E by = variable("by", Scalar::F32);
  EXPECT_EQ(one({ir::declare(by.e->var, element(a, i)),
                 ir::ifThen(ir::binary(">", by.e, number(2)), ir::assign(by.e, "*=", number(3))),
                 ir::assign(element(c, i), "=", by.e)}),
            "c[i] = a[i] > 2 ? a[i] * 3 : a[i];\n");
}

TEST(OneAssignment, CallsThatComparisonsSay) {
  const auto given = [&](const char *name, std::vector<ExprPtr> args) {
    return one({ir::assign(element(c, i), "=",
                           ir::call(name, ir::scalarType(Scalar::F32), std::move(args)))});
  };
  const ExprPtr x = element(a, i), y = element(c, i);
  EXPECT_EQ(given("fabs", {x}), "c[i] = a[i] <= 0 ? 0 - a[i] : a[i];\n");
  EXPECT_EQ(given("fmax", {x, y}), "c[i] = c[i] == c[i] ? (a[i] > c[i] ? a[i] : c[i]) : a[i];\n");
  EXPECT_EQ(given("sqrt", {x}), "none");
}

TEST(OneAssignment, NothingIsReadUnasked) {
  const ExprPtr guarded = ir::binary("<", (i + 1).e, variable("n").e);
  const ExprPtr next = element(a, i + 1);
  EXPECT_EQ(one({ir::ifThen(guarded, ir::assign(element(c, i), "+=", next))}), "none");
  EXPECT_EQ(one({ir::assign(element(c, i), "+=", ir::select(guarded, next, number(0)))}), "none");
  EXPECT_EQ(one({ir::assign(element(c, i), "=", next),
                 ir::ifThen(guarded, ir::assign(element(c, i), "+=", next))}),
            "c[i] = i + 1 < n ? a[i + 1] + a[i + 1] : a[i + 1];\n");
}

TEST(OneAssignment, OneElementAlone) {
  const StmtPtr first = ir::assign(element(c, i), "=", number(1));
  EXPECT_EQ(one({first, ir::assign(element(c, i + 1), "=", number(2))}), "none");
  EXPECT_EQ(one({}), "none");
}

} // namespace
} // namespace tangram::codegen
