#include "codegen/passes/array/passes.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class ReplaceOperandsByScalars : public ::testing::Test, protected Kernel4 {
protected:
  ReplaceOperandsByScalars() {
    auto own = std::make_shared<Var>();
    own->name = "tile";
    own->type = scalarType(Scalar::I32);
    own->extent = ir::intLiteral(8);
    array = own;
  }

  E tile(const E &at) const { return E(ir::index(ir::varRef(array), {at})); }

  StmtPtr unrolled(const E &i, int rounds, std::vector<StmtPtr> body) const {
    return unrolledLoop(upTo(i, rounds, std::move(body)), 64);
  }

  /// The statements that assign, in the order of the code.
  std::string assigned(std::vector<StmtPtr> body) const {
    LoweredPlan kernel = plan({lanes(std::move(body))});
    kernel.buffers[0].access = "in";
    std::string text;
    ir::forEach(replaceOperandsByScalars(kernel).body, [&](const Stmt &s) {
      if (s.kind == StmtKind::If)
        text += "if (" + ir::toString(s.value) + ") ";
      if (s.kind == StmtKind::Assign && s.op != "+=")
        text += ir::toString(s.target) + " = " + ir::toString(s.value) + "; ";
      if (s.kind == StmtKind::Assign && s.op == "+=" && s.target->kind == ir::ExprKind::Index)
        text += ir::toString(s.target) + " += " + ir::toString(s.value) + "; ";
    });
    return text;
  }

  ir::VarPtr array;
  E i = variable("i");
  E j = variable("j");
  E k = variable("k");
};

TEST_F(ReplaceOperandsByScalars, ReadOnceForTheRoundsThatTheyAreTheSameIn) {
  EXPECT_EQ(assigned({unrolled(i, 2, {unrolled(j, 4, {addTo(tile(i * 4 + j), in[k + i])})})}),
            "in_held[i] = in[k + i]; tile[i * 4 + j] += in_held[i]; ");
}

TEST_F(ReplaceOperandsByScalars, ReadWhereOneOfTheRoundsThatUseThemIsDone) {
  const std::string text = assigned({unrolled(
      i, 2,
      {unrolled(j, 4, {ir::ifThen(k + j < n, ir::block({addTo(tile(i * 4 + j), in[k + i])}))})})});
  EXPECT_EQ(text, "on[j] = k + j < n; any = any || on[j]; if (any) in_held[i] = in[k + i]; "
                  "if (on[j]) tile[i * 4 + j] += in_held[i]; ");
}

TEST_F(ReplaceOperandsByScalars, NotWhereNoneIsReadAgainAndNotOfLoopsThatAreNotUnrolled) {
  EXPECT_EQ(assigned({unrolled(i, 2, {unrolled(j, 4, {addTo(tile(i * 4 + j), in[i * 4 + j])})})}),
            "tile[i * 4 + j] += in[i * 4 + j]; ");
  EXPECT_EQ(assigned({upTo(i, 2, {upTo(j, 4, {addTo(tile(i * 4 + j), in[k + i])})})}),
            "tile[i * 4 + j] += in[k + i]; ");
}

/// Written out, they would have 2^60 nodes.
TEST_F(ReplaceOperandsByScalars, NotWhereNamesOfNamesStandForMoreThanAPersonWrites) {
  std::vector<StmtPtr> body;
  E last = k + i;
  for (int names = 0; names < 60; ++names) {
    const E next = variable("next");
    body.push_back(ir::declare(next.var(), last + last));
    last = next;
  }
  body.push_back(addTo(tile(i * 4 + j), in[last]));
  EXPECT_EQ(assigned({unrolled(i, 2, {unrolled(j, 4, std::move(body))})}),
            "tile[i * 4 + j] += in[next]; ");
}

TEST_F(ReplaceOperandsByScalars, ConditionsThatNameNoLoopAroundAreEvaluatedOnceBeforeIt) {
  LoweredPlan kernel = plan({lanes({unrolled(
      k, 2,
      {unrolled(i, 2,
                {unrolled(j, 4,
                          {ir::ifThen(j * 2 < n,
                                      ir::block({addTo(tile(i * 4 + j), in[k * 2 + i])}))})})})})});
  kernel.buffers[0].access = "in";
  bool holds = false;
  ir::forEach(replaceOperandsByScalars(kernel).body, [&](const Stmt &s) {
    if (s.kind != StmtKind::For || s.children[0]->var->name != "k")
      return;
    const std::string text = ir::toString(s.children[2]);
    holds = text.find("in_held[i] = ") != std::string::npos;
    EXPECT_EQ(text.find("on[j] = "), std::string::npos) << text;
  });
  EXPECT_TRUE(holds);
}

} // namespace
} // namespace tangram::codegen
