#include "codegen/form/building.h"
#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"
#include "ir/swap.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class PadRows : public ::testing::Test, protected Kernel4 {
protected:
  E own = variable("own", Scalar::I32, VarKind::Buffer);
  E bins = variable("bins", Scalar::Index, VarKind::Param);
  E i = variable("i", Scalar::Index, VarKind::Local);

  /// On a processor, with a row of `own` for each group.
  LoweredPlan onProcessor(std::vector<StmtPtr> body) const {
    LoweredPlan made = plan(std::move(body));
    made.machine = &cpu();
    made.target = traitsOf("openmp");
    made.extents.push_back(bins.var());
    made.buffers.push_back({own.var(), Space::Global, (p * bins).e, ""});
    made.strides[own.var()] = {bins.e, ir::intLiteral(1)};
    return made;
  }
  static const composer::Machine &cpu() {
    static const composer::Machine machine = projected("cpu", "openmp");
    return machine;
  }
  E at(const E &row, const E &column) const { return {ir::index(own.e, {row.e, column.e})}; }
  StmtPtr rounds(std::vector<StmtPtr> body) const {
    return countingLoop(i.var(), n.e, ir::block(std::move(body)));
  }
  StmtPtr counting() const {
    return rounds({ir::assign(at(group, in[i]).e, "+=", ir::intLiteral(1))});
  }
  std::string row(const LoweredPlan &plan) const {
    return ir::toString(plan.strides.at(own.var())[0]);
  }
  std::string count(const LoweredPlan &plan) const {
    return ir::toString(plan.bufferOf(own.var())->count);
  }
};

TEST_F(PadRows, OfWhatGroupsAddToBeginLines) {
  const LoweredPlan after = padRows(onProcessor({counting()}));
  EXPECT_EQ(row(after), "own_row");
  EXPECT_EQ(count(after), "p * ((bins + 15) / 16 * 16)");
  const ir::Stmt &pitch = *after.body->children[0];
  ASSERT_EQ(pitch.kind, ir::StmtKind::Decl);
  EXPECT_EQ(ir::toString(pitch.value), "(bins + 15) / 16 * 16");
}

TEST_F(PadRows, OfNumbersOfEightBytesAsWell) {
  own = variable("own", Scalar::F64, VarKind::Buffer);
  EXPECT_EQ(count(padRows(onProcessor({counting()}))), "p * ((bins + 7) / 8 * 8)");
}

TEST_F(PadRows, WhereWhatIsAddedUpIsKeptInBetween) {
  const E sum = variable("sum", Scalar::I32, VarKind::Local);
  const auto inBetween = [&] {
    return rounds({ir::declare(sum.var(), (at(group, in[i]) + 1).e), set(at(group, in[i]), sum)});
  };
  EXPECT_EQ(row(padRows(onProcessor({inBetween()}))), "own_row");
}

TEST_F(PadRows, NotOfWhatIsWrittenOnce) {
  EXPECT_EQ(row(padRows(onProcessor({rounds({set(at(group, i), in[i])})}))), "bins");
  const StmtPtr after = ir::assign(at(group, 0).e, "+=", ir::intLiteral(1));
  EXPECT_EQ(row(padRows(onProcessor({after}))), "bins") << "once, if by what was there";
}

TEST_F(PadRows, NotOfRowsThatOthersChangeAsWell) {
  const StmtPtr others = rounds({ir::assign(at(i, group).e, "+=", ir::intLiteral(1))});
  EXPECT_EQ(row(padRows(onProcessor({others}))), "bins");
}

TEST_F(PadRows, NotOfAsManyRowsAsTheCallerHas) {
  LoweredPlan rowsOfCaller = onProcessor({counting()});
  rowsOfCaller.body = ir::parallel(1, ir::Span::All, group.var(), n.e, counting());
  EXPECT_EQ(row(padRows(rowsOfCaller)), "bins");
}

TEST_F(PadRows, NotOfArraysThatAreExchanged) {
  LoweredPlan exchanged = onProcessor({counting()});
  const E other = variable("other", Scalar::I32, VarKind::Buffer);
  exchanged.body = ir::block({exchanged.body, ir::swapOf(own.e, other.e)});
  EXPECT_EQ(row(padRows(exchanged)), "bins") << "where `own` lies `other` may";
}

TEST_F(PadRows, NotWhereALineHasOneElement) {
  composer::Machine narrow = cpu();
  narrow.costs.transactionBytes = 2;
  LoweredPlan plan = onProcessor({counting()});
  plan.machine = &narrow;
  EXPECT_EQ(row(padRows(plan)), "bins");
}

TEST_F(PadRows, NotOfTheCallersArrays) {
  LoweredPlan callers = onProcessor({counting()});
  callers.buffers.back().access = "inout";
  EXPECT_EQ(row(padRows(callers)), "bins");
}

} // namespace
} // namespace tangram::codegen
