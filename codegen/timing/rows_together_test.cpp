// Predictions of rounds that outer-loop-vectorization takes together, as rows.
#include "codegen/test_fixture.h"
#include "codegen/timing/cost.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class RowsTogether : public ::testing::Test, protected Kernel4 {
protected:
  static constexpr unsigned atOnce = 8;

  /// Cycles a row, where one group has so many rows of 64 sums over k < 100: `s += x[k * 64 + i] * y[100 * r + k]` if `condition`
  /// holds, or always.
  double cyclesARow(double rows, const ExprPtr &condition) const {
    static const composer::Machine cpu = projected("cpu", "openmp");
    const StmtPtr added = addTo(s, x[k * 64 + i] * y[r * 100 + k]);
    const StmtPtr round = condition ? ir::ifThen(condition, ir::block({added}), nullptr) : added;
    LoweredPlan made = plan({sideBySide(
        upTo(r, n,
             {sideBySide(
                 upTo(i, 64, {let(s), set(s, y[0]), upTo(k, 100, {round}), set(z[r * 64 + i], s)}),
                 1)}),
        atOnce)});
    made.machine = &cpu;
    made.target = traitsOf("openmp");
    made.buffers = {{x.var(), Space::Global, ir::intLiteral(6400), "in"},
                    {y.var(), Space::Global, (n * 100).e, "in"},
                    {z.var(), Space::Global, (n * 64).e, "out"}};
    const Prediction prediction = predict(
        made, {{n.var().get(), rows}, {p.var().get(), 1}, {N.var().get(), 1}, {K.var().get(), 1}});
    EXPECT_EQ(prediction.launches.size(), 1U);
    return prediction.launches[0].operations * cpu.costs.cyclesPerSecond / rows;
  }

  static StmtPtr sideBySide(const StmtPtr &loop, unsigned rows) {
    auto marked = std::make_shared<ir::Stmt>(*loop);
    marked->sideBySide = true;
    marked->unroll = rows;
    return marked;
  }
  static E real(const char *name, VarKind kind = VarKind::Local) {
    return variable(name, Scalar::F32, kind);
  }

  E i = variable("i");
  E r = variable("r");
  E k = variable("k");
  E x = real("x", VarKind::Buffer);
  E y = real("y", VarKind::Buffer);
  E z = real("z", VarKind::Buffer);
  E s = real("s");
};

TEST_F(RowsTogether, RowsThatAreLeftGoOneByOne) {
  const double together = cyclesARow(atOnce, nullptr);
  EXPECT_NEAR(cyclesARow(4 * atOnce, nullptr), together, 0.01 * together);
  const double alone = cyclesARow(1, nullptr);
  EXPECT_GT(alone, together * 1.5);
  EXPECT_NEAR(cyclesARow(atOnce - 1, nullptr), alone, 0.01 * alone);
  const double some = cyclesARow(atOnce + 4, nullptr);
  EXPECT_GT(some, together);
  EXPECT_LT(some, alone);
}

TEST_F(RowsTogether, WhatIsTheSameInAllRowsIsAskedOnce) {
  const double none = cyclesARow(atOnce, nullptr);
  const double same = cyclesARow(atOnce, (i + k * 3 < E(10000)).e) - none;
  const double own = cyclesARow(atOnce, (r + k * 3 < E(10000)).e) - none;
  EXPECT_GT(same, 0);
  EXPECT_GT(own, 3 * same);
}

} // namespace
} // namespace tangram::codegen
