#include "codegen/form/edges.h"

#include "codegen/form/index_function.h"
#include "codegen/test_fixture.h"
#include "composer/analysis/partition_check_evaluate.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using ir::Boundary;

const E n = variable("n", Scalar::Index, VarKind::Param);
const E i = variable("i", Scalar::Index);

/// What pad(in, before, after, boundary) has at `x`, "?" for an element that there is not.
std::string at(Boundary boundary, std::int64_t before, std::int64_t size, std::int64_t after,
               std::int64_t x) {
  const ir::ExprPtr array = variable("in", Scalar::I32, VarKind::Buffer).e;
  const ir::ExprPtr value =
      throughEdges(array->var, {i.e},
                   {{0, boundary, ir::intLiteral(before), ir::intLiteral(after), n.e, n.e,
                     ir::intLiteral(0), ir::intLiteral(1), ir::intLiteral(7, Scalar::I32)}});
  composer::Environment env;
  env.variables[n.e->var.get()] = size;
  env.variables[i.e->var.get()] = x;
  const auto inside = composer::evaluate(value->args[0], env);
  if (inside != 1)
    return "-";
  const auto element = composer::evaluate(value->args[1]->args[1], env);
  return element && *element >= 0 && *element < size ? std::to_string(*element) : "?";
}

std::string padded(Boundary boundary, std::int64_t before, std::int64_t size, std::int64_t after) {
  std::string all;
  for (std::int64_t x = 0; x < before + size + after; ++x)
    all += at(boundary, before, size, after, x);
  return all;
}

/// The text of an access to window element `j` of pad(in, 1, 1, boundary).
std::string accessed(Boundary boundary, const E &j) {
  const View in = wholeBuffer(variable("in", Scalar::I32, VarKind::Buffer).e->var, {n.e});
  const View longer =
      padded(in, 0, boundary, ir::intLiteral(1), ir::intLiteral(1), ir::intLiteral(7, Scalar::I32));
  return ir::toString(elementOf(longer, {(i + j).e}));
}

TEST(Edges, WhatIsPastTheEnds) {
  EXPECT_EQ(padded(Boundary::Clamp, 1, 7, 2), "0012345666");
  EXPECT_EQ(padded(Boundary::Mirror, 1, 7, 2), "0012345665");
  EXPECT_EQ(padded(Boundary::Wrap, 1, 7, 2), "6012345601");
  EXPECT_EQ(padded(Boundary::Constant, 1, 7, 2), "-0123456--");
}

TEST(Edges, LongerThanTheContainer) {
  EXPECT_EQ(padded(Boundary::Clamp, 4, 3, 4), "00000122222");
  EXPECT_EQ(padded(Boundary::Mirror, 4, 3, 4), "22100122100");
  EXPECT_EQ(padded(Boundary::Wrap, 4, 3, 4), "20120120120");
  EXPECT_EQ(padded(Boundary::Mirror, 5, 1, 5), "00000000000");
  EXPECT_EQ(padded(Boundary::Wrap, 3, 2, 5), "1010101010");
  EXPECT_EQ(padded(Boundary::Mirror, 7, 2, 3), "110011001100");
}

TEST(Edges, OneElementPastAnEndIsFoundWithoutDivision) {
  for (std::int64_t size = 1; size < 4; ++size) {
    const std::string last = std::to_string(size - 1);
    const std::string all = std::string("012").substr(0, static_cast<std::size_t>(size));
    EXPECT_EQ(padded(Boundary::Wrap, 1, size, 1), last + all + "0");
    EXPECT_EQ(padded(Boundary::Mirror, 1, size, 1), "0" + all + last);
  }
  EXPECT_EQ(accessed(Boundary::Wrap, 0), "0 < n ? in[i < 1 ? n - 1 : i < n + 1 ? i - 1 : 0] : 0");
  EXPECT_EQ(accessed(Boundary::Mirror, 0), "0 < n ? in[i < 1 ? 0 : i < n + 1 ? i - 1 : n - 1] : 0");
}

TEST(Edges, AContainerWithoutElementsHasNothingToRepeat) {
  for (const Boundary each :
       {Boundary::Clamp, Boundary::Mirror, Boundary::Wrap, Boundary::Constant})
    EXPECT_EQ(padded(each, 2, 0, 2), "----");
}

TEST(Edges, WhatCannotBeBeforeTheFirstElementIsNotComparedWithIt) {
  EXPECT_EQ(accessed(Boundary::Clamp, 2), "0 < n ? in[min(i + 1, n - 1)] : 0");
  EXPECT_EQ(accessed(Boundary::Clamp, 0), "0 < n ? in[min(max(i, 1) - 1, n - 1)] : 0");
  EXPECT_EQ(accessed(Boundary::Constant, 1), "i < n ? in[i] : 7");
  EXPECT_EQ(accessed(Boundary::Wrap, 2), "0 < n ? in[i + 1 < n ? i + 1 : 0] : 0");
}

TEST(Edges, WhatMayHaveWrappedAroundIsComparedWithTheFirstElement) {
  const E k = ir::cast(Scalar::Index, variable("k", Scalar::I64).e);
  EXPECT_EQ(accessed(Boundary::Clamp, k + 1),
            "0 < n ? in[min(max(i + ((index)k + 1), 1) - 1, n - 1)] : 0");
  EXPECT_EQ(accessed(Boundary::Clamp, E(1) - variable("j", Scalar::Index)),
            "0 < n ? in[min(max(i + (1 - j), 1) - 1, n - 1)] : 0");
}

TEST(Edges, WhatIsOutsideInTwoDimensionsIsOneChoice) {
  const View in = wholeBuffer(variable("in", Scalar::I32, VarKind::Buffer).e->var, {n.e, n.e});
  const ir::ExprPtr one = ir::intLiteral(1), seven = ir::intLiteral(7, Scalar::I32);
  const View both = padded(padded(in, 0, Boundary::Constant, one, one, seven), 1,
                           Boundary::Constant, one, one, seven);
  EXPECT_EQ(ir::toString(elementOf(both, {(i + 1).e, (i + 2).e})),
            "i + 1 < n && i < n ? in[i][i + 1] : 7");
}

TEST(Edges, APaddedViewMayBeAnyElementOfItsContainer) {
  View in = wholeBuffer(variable("in", Scalar::I32, VarKind::Buffer).e->var, {n.e, n.e});
  View row = fixOutermost(
      padded(in, 0, Boundary::Clamp, ir::intLiteral(1), ir::intLiteral(1), nullptr), i.e);
  const View reach = reachOf(row);
  EXPECT_EQ(reach.dims.size(), 2u);
  EXPECT_EQ(ir::toString(reach.origin[0]), "0");
  EXPECT_TRUE(reach.edges.empty());
}

} // namespace
} // namespace tangram::codegen
