#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class VectorizeAccesses : public ::testing::Test, protected Kernel4 {
protected:
  /// An array of one item.
  static E ownArray(std::int64_t size, Scalar type = Scalar::I32) {
    auto own = std::make_shared<Var>();
    own->name = "own";
    own->type = scalarType(type);
    own->extent = ir::intLiteral(size);
    return E(ir::varRef(own));
  }

  /// Elements of the vectors that a loop of so many rounds reads; 0: none.
  unsigned lanesOf(std::int64_t rounds, std::vector<StmtPtr> body) const {
    const LoweredPlan read = vectorizeAccesses(plan({lanes({upTo(i, rounds, std::move(body))})}));
    unsigned found = 0;
    ir::forEach(read.body, [&](const Stmt &s) { found = std::max(found, s.lanes); });
    return found;
  }

  E i = variable("i");
};

TEST_F(VectorizeAccesses, NeighboursFromAMultipleOn) {
  const E own = ownArray(8);
  EXPECT_EQ(lanesOf(4, {set(own[i], in[lane * 4 + i])}), 4U);
  EXPECT_EQ(lanesOf(8, {set(own[i], in[(lane * 8 + 16) + i])}), 4U);
}

TEST_F(VectorizeAccesses, NoOthers) {
  const E own = ownArray(8);
  EXPECT_EQ(lanesOf(4, {set(own[i], in[lane * 2 + i])}), 0U);
  EXPECT_EQ(lanesOf(3, {set(own[i], in[lane * 4 + i])}), 0U);
  EXPECT_EQ(lanesOf(4, {set(own[i], in[lane + i * 4])}), 0U);
  EXPECT_EQ(lanesOf(4, {addTo(own[i], in[lane * 4 + i])}), 0U);
  EXPECT_EQ(lanesOf(4, {set(own[i], a[lane * 4 + i])}), 0U) << "memory of the group";
  EXPECT_EQ(lanesOf(4, {set(own[i], in[lane * 4 + i]), set(out[lane], 0)}), 0U);
  EXPECT_EQ(lanesOf(4, {set(own[i], in[lane * 4 * i + i])}), 0U) << "a diagonal";
  EXPECT_EQ(lanesOf(4, {set(own[i], in[own[0] * 4 + i])}), 0U)
      << "its first round says where others are";
  EXPECT_EQ(lanesOf(4, {set(ownArray(6)[i], in[lane * 4 + i])}), 0U);
  EXPECT_EQ(lanesOf(4, {set(ownArray(8, Scalar::F64)[i], in[lane * 4 + i])}), 0U);
}

/// A kernel whose items read rows of n elements, four of them in each round of a loop over j.
class VectorizeAccessesOfRows : public ::testing::Test, protected Kernel4 {
protected:
  E e = variable("e");
  E j = variable("j");
  E row = variable("row");

  std::string text(const E &subscript) const {
    auto own = std::make_shared<Var>();
    own->name = "own";
    own->type = scalarType(Scalar::I32);
    own->extent = ir::intLiteral(4);
    const E array(ir::varRef(own));
    return groupText(vectorizeAccesses(plan({lanes(
        {upTo(j, 9, {upTo(e, 4, {set(array[e], in[subscript])}), addTo(out[lane], array[0])})})})));
  }
  static unsigned countOf(const std::string &text, const std::string &part) {
    unsigned found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }
};

TEST_F(VectorizeAccessesOfRows, SizesAreAskedForBeforeTheLoop) {
  const std::string asked = text(lane * n + j * 4 + e);
  EXPECT_EQ(asked.find("\nparallel level 2 lane < N {\n  if (n % 4 == 0) {\n    for (index j"), 0U)
      << asked;
  EXPECT_EQ(countOf(asked, "for (index j"), 2U) << asked;
}

TEST_F(VectorizeAccessesOfRows, NothingIsAskedWhereItDoesNotHelp) {
  EXPECT_EQ(countOf(text(lane * n + 1 + e), "if ("), 0U);
  EXPECT_EQ(countOf(text(lane * n + j + e), "if ("), 0U);
  EXPECT_EQ(countOf(text(lane * 4 + j * 4 + e), "if ("), 0U) << "always a vector";
}

} // namespace
} // namespace tangram::codegen
