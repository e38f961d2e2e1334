#include "codegen/passes/array/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// An array that each worker of level `owner` has for itself, with two elements that a lane adds to.
class PlaceArrays : public ::testing::Test, protected Kernel4 {
protected:
  E own = variable("own", Scalar::I32, VarKind::Buffer);

  LoweredPlan placed(int owner, Role of) {
    auto add = std::make_shared<ir::Expr>(
        *ir::node(ExprKind::Atomic, ir::scalarType(Scalar::I32), {own[0].e, in[lane].e}));
    add->op = "add";
    const std::vector<ExprPtr> two{ir::intLiteral(2)};
    const StmtPtr array = ir::allocate(own.var(), {owner, two, two});
    const std::vector<StmtPtr> uses{set(own[0], 1), ir::eval(add), set(out[lane], own[0])};
    LoweredPlan before =
        plan(owner == 2 ? std::vector<StmtPtr>{lanes({array, uses[0], uses[1], uses[2]})}
                        : std::vector<StmtPtr>{array, lanes(uses)});
    before.roles[static_cast<std::size_t>(owner)] = of;
    return placeArrays(before);
  }
};

TEST_F(PlaceArrays, AnAtomicOperationOnAWorkersOwnArrayIsAPlainOne) {
  EXPECT_EQ(groupText(placed(2, Role::Item)), R"(
parallel level 2 lane < N {
  int own[2];
  own[0] = 1;
  own[0] += in[lane];
  out[lane] = own[0];
}
)");
}

TEST_F(PlaceArrays, OnMemoryOfTheGroupItStaysAtomic) {
  const LoweredPlan kernel = placed(1, Role::Group);
  EXPECT_EQ(groupText(kernel), R"(
parallel level 2 lane < N {
  own[0] = 1;
  atomicAdd(own[0], in[lane]);
  out[lane] = own[0];
}
)");
  EXPECT_EQ(kernel.buffers.back().space, Space::Local);
}

TEST_F(PlaceArrays, WhatBeginsInBothCopiesOfATileIsThereOnce) {
  const std::vector<ExprPtr> two{ir::intLiteral(2)};
  const auto array = ir::allocate(own.var(), {1, two, two});
  const auto copy = [&] { return ir::block({array, lanes({set(own[0], 1)})}); };
  const LoweredPlan kernel =
      placeArrays(plan({ir::ifThen(ir::binary("<", n.e, N.e), copy(), copy())}));
  EXPECT_EQ(std::ranges::count(kernel.buffers, own.var(), &Buffer::var), 1);
}

TEST_F(PlaceArrays, RowsOfAGroupsArrayLieAnOddNumberOfElementsApart) {
  const ExprPtr bound = ir::binary("*", N.e, ir::intLiteral(2));
  const auto array = ir::allocate(own.var(), {1, {n.e, n.e}, {ir::intLiteral(8), bound}});
  const ExprPtr element = ir::index(own.e, {lane.e, ir::intLiteral(3)});
  LoweredPlan before = plan({array, lanes({ir::assign(element, "=", in[lane].e)})});
  before.target = traitsOf("opencl");
  const LoweredPlan kernel = placeArrays(before);
  EXPECT_EQ(ir::toString(kernel.strides.at(own.var()).at(0)), "N * 2 + 1");
  EXPECT_EQ(ir::toString(kernel.buffers.back().count), "8 * (N * 2 + 1)");
  before.target = traitsOf("openmp");
  EXPECT_EQ(ir::toString(placeArrays(before).strides.at(own.var()).at(0)), "n");
}

TEST_F(PlaceArrays, ThatOfAWarpIsMemoryOfTheWarp) {
  const LoweredPlan kernel = placed(1, Role::Warp);
  EXPECT_EQ(kernel.buffers.back().var->name, "own");
  EXPECT_EQ(kernel.buffers.back().space, Space::Warp);
}

TEST_F(PlaceArrays, SlicesOfWorkersWhoAreNotAsManyInEachGroupDoNotOverlap) {
  const E mine = variable("mine", Scalar::Index, VarKind::Local);
  const auto array = ir::allocate(own.var(), {2, {n.e}, {n.e}});
  const auto some = [&](const ExprPtr &count) {
    return ir::parallel(2, ir::Span::All, lane.var(), count,
                        ir::block({array, set(own[1], in[lane]), set(out[lane], own[1])}));
  };
  LoweredPlan before = plan({let(mine, in[group]), some(mine.e)});
  before.target = traitsOf("openmp");
  before.mostWorkers = {{group.var(), p.e}, {lane.var(), N.e}};
  const std::string slices = R"(
  own[group * N + lane][1] = in[lane];
  out[lane] = own[group * N + lane][1];
}
)";
  EXPECT_EQ(groupText(placeArrays(before)),
            "\nindex mine = in[group];\nparallel level 2 lane < mine {" + slices);
  // As many in each: by their number.
  before = plan({some(N.e)});
  before.target = traitsOf("openmp");
  before.mostWorkers = {{group.var(), p.e}, {lane.var(), K.e}};
  EXPECT_EQ(groupText(placeArrays(before)), "\nparallel level 2 lane < N {" + slices);
}

} // namespace
} // namespace tangram::codegen
