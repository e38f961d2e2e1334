#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class VectorizeNeighbours : public ::testing::Test, protected Kernel4 {
protected:
  std::string joined(std::vector<StmtPtr> body) const {
    return groupText(vectorizeNeighbours(plan({lanes(std::move(body))})));
  }
  /// Whether anything of it is read or written as a vector.
  bool joins(std::vector<StmtPtr> body) const {
    const LoweredPlan done = vectorizeNeighbours(plan({lanes(std::move(body))}));
    bool found = false;
    ir::forEach(done.body, [&](const Stmt &s) { found |= s.lanes > 1; });
    return found;
  }
  static std::vector<StmtPtr> each(int count, const std::function<StmtPtr(int)> &made) {
    std::vector<StmtPtr> all;
    for (int k = 0; k < count; ++k)
      all.push_back(made(k));
    return all;
  }

  E x = variable("x", Scalar::I32), y = variable("y", Scalar::I32);
  E wide = variable("wide", Scalar::I64, VarKind::Buffer);
};

TEST_F(VectorizeNeighbours, ReadAndWrittenOneByOne) {
  EXPECT_EQ(joined({let(x, in[lane * 2] + in[lane * 2 + 1]), set(out[lane * 2 + 4], x),
                    set(out[lane * 2 + 5], x * 2)}),
            R"(
parallel level 2 lane < N {
  int in_vector[2];
  for (index u = 0; u < 2; u += 1)
    in_vector[u] = in[lane * 2 + u];
  int x = in_vector[0] + in_vector[1];
  int out_vector[2];
  out_vector[0] = x;
  out_vector[1] = x * 2;
  for (index u = 0; u < 2; u += 1)
    out[lane * 2 + 4 + u] = out_vector[u];
}
)");
}

TEST_F(VectorizeNeighbours, UpdatedInPlace) {
  EXPECT_EQ(joined(each(4, [&](int k) { return addTo(out[lane * 4 + k], in[lane * 4 + k]); })), R"(
parallel level 2 lane < N {
  int in_vector[4];
  for (index u = 0; u < 4; u += 1)
    in_vector[u] = in[lane * 4 + u];
  int out_vector[4];
  for (index u = 0; u < 4; u += 1)
    out_vector[u] = out[lane * 4 + u];
  out_vector[0] += in_vector[0];
  out_vector[1] += in_vector[1];
  out_vector[2] += in_vector[2];
  out_vector[3] += in_vector[3];
  for (index u = 0; u < 4; u += 1)
    out[lane * 4 + u] = out_vector[u];
}
)");
}

TEST_F(VectorizeNeighbours, TheLargestThereIs) {
  const auto text = joined(each(6, [&](int k) { return addTo(x, in[lane * 4 + k]); }));
  EXPECT_EQ(text, R"(
parallel level 2 lane < N {
  int in_vector[4];
  for (index u = 0; u < 4; u += 1)
    in_vector[u] = in[lane * 4 + u];
  x += in_vector[0];
  x += in_vector[1];
  x += in_vector[2];
  x += in_vector[3];
  int in_vector[2];
  for (index u = 0; u < 2; u += 1)
    in_vector[u] = in[lane * 4 + 4 + u];
  x += in_vector[0];
  x += in_vector[1];
}
)");
}

TEST_F(VectorizeNeighbours, MostOfAnInputOfWholeVectors) {
  auto joinsOf = [&](const E &count, const E &array) {
    LoweredPlan kernel =
        plan({lanes({let(x, array[lane * 4] + array[lane * 4 + 1] + array[lane * 4 + 3])})});
    kernel.buffers[0].count = kernel.buffers[1].count = count;
    bool found = false;
    ir::forEach(vectorizeNeighbours(kernel).body, [&](const Stmt &s) { found |= s.lanes == 4; });
    return found;
  };
  EXPECT_TRUE(joinsOf(n * 4, in));
  EXPECT_FALSE(joinsOf(n, in));
  EXPECT_FALSE(joinsOf(n * 4, out)) << "others may write what is not asked for";
}

TEST_F(VectorizeNeighbours, NoOthers) {
  EXPECT_FALSE(joins({let(x, in[lane * 2] + in[lane * 2 + 3])}));
  EXPECT_FALSE(joins({let(x, in[lane * 3] + in[lane * 3 + 1])}));
  EXPECT_FALSE(joins({let(x, in[lane * 2 + 1] + in[lane * 2 + 2])})) << "no multiple";
  EXPECT_FALSE(joins({let(x, a[lane * 2] + a[lane * 2 + 1])})) << "memory of the group";
  EXPECT_FALSE(joins({let(x, ir::select((lane < n).e, in[lane * 2].e, in[lane * 2 + 1].e))}))
      << "one of them alone is read";
  EXPECT_FALSE(joins({when(lane < n, {let(x, in[lane * 2])}), let(y, in[lane * 2 + 1])}));
  EXPECT_FALSE(joins({set(out[lane * 2], 1), set(out[lane], 2), set(out[lane * 2 + 1], 3)}))
      << "another element may be the same";
  EXPECT_FALSE(joins({let(x, out[lane * 2]), set(out[lane], 2), let(y, out[lane * 2 + 1])}));
  EXPECT_FALSE(joins({set(out[lane * 2], 1), let(x, out[lane]), set(out[lane * 2 + 1], 3)}));
  E i = variable("i");
  EXPECT_FALSE(joins({let(i, 0), let(x, in[i * 2]), addTo(i, 1), let(y, in[i * 2 + 1])}));
  EXPECT_FALSE(joins({set(out[out[lane] * 2], 1), set(out[out[lane] * 2 + 1], 3)}))
      << "the first one may say where the second one is";
}

} // namespace
} // namespace tangram::codegen
