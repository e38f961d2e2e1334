#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class UnrollArrays : public ::testing::Test, protected Kernel4 {
protected:
  UnrollArrays() {
    auto own = std::make_shared<Var>();
    own->name = "own";
    own->type = scalarType(Scalar::I32);
    own->extent = ir::intLiteral(8);
    array = own;
  }

  /// What each loop asks for, outer loops first.
  std::vector<unsigned> asked(std::vector<StmtPtr> body) const {
    std::vector<unsigned> times;
    ir::forEach(unrollArrays(plan({lanes(std::move(body))})).body, [&](const Stmt &s) {
      if (s.kind == StmtKind::For)
        times.push_back(s.unroll);
    });
    return times;
  }

  E element(const E &at) const { return E(ir::index(ir::varRef(array), {at})); }

  ir::VarPtr array;
  E acc = variable("acc", Scalar::I32);
  E i = variable("i");
  E j = variable("j");
};

TEST_F(UnrollArrays, LoopsWhoseRoundsSayWhichElement) {
  EXPECT_EQ(asked({upTo(i, 8, {set(element(i), 0)})}), std::vector<unsigned>{8});
  EXPECT_EQ(asked({upTo(i, 4, {upTo(j, 5, {addTo(acc, element(i + j))})})}),
            (std::vector<unsigned>{4, 5}));
}

TEST_F(UnrollArrays, LoopsThatItemsRunTogether) {
  std::vector<unsigned> times;
  const StmtPtr loop = upTo(i, 8, {lanes({addTo(acc, element(i))})});
  ir::forEach(unrollArrays(plan({loop})).body, [&](const Stmt &s) {
    if (s.kind == StmtKind::For)
      times.push_back(s.unroll);
  });
  EXPECT_EQ(times, std::vector<unsigned>{8});
}

TEST_F(UnrollArrays, NoOthers) {
  EXPECT_EQ(asked({upTo(i, 8, {addTo(acc, element(3))})}), std::vector<unsigned>{0});
  EXPECT_EQ(asked({upTo(i, n, {addTo(acc, element(i))})}), std::vector<unsigned>{0});
  EXPECT_EQ(asked({upTo(i, 8, {addTo(acc, in[i])})}), std::vector<unsigned>{0});
}

TEST_F(UnrollArrays, NotWhereTooMuchComesOfIt) {
  EXPECT_EQ(asked({upTo(i, 2000, {addTo(acc, element(i % 8))})}), std::vector<unsigned>{0});
  EXPECT_EQ(asked({upTo(i, 100, {upTo(j, 20, {addTo(acc, element((i + j) % 8))})})}),
            (std::vector<unsigned>{0, 20}));
}

TEST_F(UnrollArrays, NotWhereArraysAreMoreThanRegistersHold) {
  const auto rounds = [&](std::size_t arrays) {
    std::vector<StmtPtr> body;
    for (std::size_t n = 0; n < arrays; ++n) {
      auto own = std::make_shared<ir::Var>(*array);
      own->extent = ir::intLiteral(64);
      body.push_back(ir::declare(own, nullptr));
      body.push_back(upTo(i, 64, {set(E(ir::index(ir::varRef(own), {i})), 0)}));
    }
    return asked(std::move(body));
  };
  EXPECT_EQ(rounds(8), std::vector<unsigned>(8, 64));
  EXPECT_EQ(rounds(9), std::vector<unsigned>(9, 0));
}

TEST_F(UnrollArrays, NotAnArrayThatNoRegistersHold) {
  auto large = std::make_shared<ir::Var>(*array);
  large->extent = ir::intLiteral(1024);
  EXPECT_EQ(asked({ir::declare(large, nullptr), ir::declare(array, nullptr),
                   upTo(i, 64, {set(E(ir::index(ir::varRef(large), {i})), 0)}),
                   upTo(j, 8, {set(element(j), 0)})}),
            (std::vector<unsigned>{0, 8}));
}

} // namespace
} // namespace tangram::codegen
