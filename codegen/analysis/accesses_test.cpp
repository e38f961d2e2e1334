#include "codegen/analysis/accesses.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class AccessesTest : public ::testing::Test, protected Kernel4 {
protected:
  LoweredPlan kernel = plan({});

  static std::string text(const Accesses &accesses) {
    std::string result;
    for (const Access &each : accesses) {
      const char *by = each.by == Access::By::Own     ? "own"
                       : each.by == Access::By::First ? "first"
                                                      : "anyone";
      result += (result.empty() ? "" : ", ") + std::string(each.write ? "write " : "read ") +
                each.buffer->name + " " + by;
    }
    return result;
  }
  std::string of(const StmtPtr &s) const { return text(accessesOf(kernel, s)); }
  const Var *between(const StmtPtr &earlier, const StmtPtr &later) const {
    return conflict(accessesOf(kernel, earlier), accessesOf(kernel, later));
  }
};

TEST_F(AccessesTest, ThePlainWorkerIndexIsTheItemsOwnElement) {
  EXPECT_EQ(of(lanes({set(b[lane], a[lane])})), "read a own, write b own");
  EXPECT_EQ(of(lanes({set(b[lane + 1], a[lane])})), "read a own, write b anyone");
  EXPECT_EQ(of(lanes({set(b[0], a[lane])})), "read a own, write b anyone");
}

TEST_F(AccessesTest, ACompoundAssignmentReadsWhatItWrites) {
  EXPECT_EQ(of(lanes({addTo(b[lane], 1)})), "write b own, read b own");
}

TEST_F(AccessesTest, SubscriptsAndConditionsAreRead) {
  EXPECT_EQ(of(lanes({set(b[a[lane]], 1)})), "write b anyone, read a own");
  EXPECT_EQ(of(lanes({when(a[0] < 3, {set(b[lane], 1)})})), "read a anyone, write b own");
}

TEST_F(AccessesTest, OneItemAloneIsTheFirst) {
  EXPECT_EQ(of(firstLane({set(out[0], a[3])})), "read a first, write out first");
}

TEST_F(AccessesTest, AVaryingNumberOfItemsHasNoElementsOfItsOwn) {
  StmtPtr some = ir::parallel(2, ir::Span::Turns, lane.var(), n.e, ir::block({set(a[lane], 1)}));
  EXPECT_EQ(of(some), "write a anyone");
  EXPECT_FALSE(isPieceOfAllItems(kernel, *some));
  EXPECT_FALSE(isPieceOfAllItems(kernel, *firstLane({})));
  EXPECT_FALSE(isPieceOfAllItems(kernel, *chains({})));
  EXPECT_TRUE(isPieceOfAllItems(kernel, *lanes({})));
}

TEST_F(AccessesTest, WhatAllItemsExecuteIsDoneByAnyone) {
  E x = variable("x");
  EXPECT_EQ(of(set(x, a[0] + b[1])), "read a anyone, read b anyone");
  EXPECT_EQ(text(readsOf((a[lane] < b[0]).e)), "read a anyone, read b anyone");
  EXPECT_EQ(text(readsOf((x < 3).e)), "");
}

TEST_F(AccessesTest, TheWorkerOfAnotherPieceIsNobodysOwnHere) {
  E other = variable("other", Scalar::Index, VarKind::Worker);
  EXPECT_EQ(of(lanes({set(a[other], 1)})), "write a anyone");
}

TEST_F(AccessesTest, OnlyAWriteSomebodyElseMaySeeConflicts) {
  StmtPtr writesOwn = lanes({set(a[lane], 1)});
  StmtPtr readsOwn = lanes({set(b[lane], a[lane])});
  StmtPtr readsNext = lanes({set(b[lane], a[lane + 1])});
  StmtPtr writesFirst = firstLane({set(a[0], 1)});
  StmtPtr readsFirst = firstLane({set(out[0], a[0])});
  EXPECT_EQ(between(writesOwn, readsOwn), nullptr);
  EXPECT_EQ(between(writesOwn, writesOwn), nullptr);
  EXPECT_EQ(between(writesOwn, readsNext), a.var().get());
  EXPECT_EQ(between(readsNext, writesOwn), a.var().get());
  EXPECT_EQ(between(readsNext, readsNext), nullptr);
  EXPECT_EQ(between(writesFirst, readsFirst), nullptr);
  EXPECT_EQ(between(writesFirst, readsOwn), a.var().get());
  EXPECT_EQ(between(readsFirst, writesOwn), a.var().get());
  EXPECT_EQ(between(readsFirst, readsNext), nullptr);
}

TEST_F(AccessesTest, TwoWritesByAnyoneConflict) {
  StmtPtr scatter = lanes({set(a[in[lane]], 1)});
  EXPECT_EQ(between(scatter, scatter), a.var().get());
}

TEST_F(AccessesTest, LanesOfSeveralWarpsHaveTheSameNumbers) {
  const auto warps = [&](ir::Span span, StmtPtr body) {
    return ir::parallel(2, span, variable("warp", Scalar::Index, VarKind::Worker).var(), K.e,
                        ir::block({std::move(body)}));
  };
  kernel.roles = {Role::Host, Role::Group, Role::Warp, Role::Item};
  kernel.buffers[3].space = Space::Warp;
  const StmtPtr own = ir::parallel(3, ir::Span::All, lane.var(), N.e,
                                   ir::block({set(a[lane], 1), set(b[lane], 1)}));
  const StmtPtr first = ir::parallel(3, ir::Span::One, nullptr, E(1).e, ir::block({set(a[0], 1)}));
  EXPECT_EQ(of(warps(ir::Span::All, own)), "write a anyone, write b own");
  EXPECT_EQ(of(warps(ir::Span::One, own)), "write a own, write b own");
  EXPECT_EQ(of(own), "write a own, write b own");
  EXPECT_EQ(of(warps(ir::Span::All, first)), "write a anyone");
  EXPECT_EQ(of(warps(ir::Span::One, first)), "write a first");
}

} // namespace
} // namespace tangram::codegen
