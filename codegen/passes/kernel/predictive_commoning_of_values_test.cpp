#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

#include <algorithm>

namespace tangram::codegen {
namespace {

using namespace fixture;

class CommonValues : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E k = variable("k");
  E m = variable("m", Scalar::Index, VarKind::Param);
  E lines = ir::varRef(arrayOf("lines", 3));

  static ir::VarPtr arrayOf(const std::string &name, std::int64_t count) {
    ir::Var var;
    var.name = name;
    var.type = ir::scalarType(Scalar::I32);
    var.extent = ir::intLiteral(count);
    return std::make_shared<const ir::Var>(std::move(var));
  }
  /// An item goes down its column, of rows of m, with a window of three of what `value` says.
  LoweredPlan kernel(const E &value, std::vector<StmtPtr> more = {}) const {
    std::vector<StmtPtr> round{ir::declare(lines.var(), nullptr),
                               upTo(k, E(3), {set(lines[k], value)}),
                               set(out[i * m + lane], lines[E(0)] + lines[E(1)] * lines[E(2)])};
    round.insert(round.end(), more.begin(), more.end());
    return plan({lanes({upTo(i, n, std::move(round))})});
  }
  E row(const E &number) const { return in[number * m + lane]; }
  void expectLeftAlone(const LoweredPlan &before) const {
    EXPECT_EQ(groupText(commonValues(before)), groupText(before));
  }
  /// What is written, and how many elements of `in` are read, for so many rows.
  std::vector<std::int64_t> ran(const LoweredPlan &plan, int rows, int &reads) const {
    Interpreter run;
    run.set(p, 1);
    run.set(N, 4);
    run.set(K, 1);
    run.set(n, rows);
    run.set(m, 4);
    auto &elements = run.memory[in.var().get()];
    elements.resize(static_cast<std::size_t>(rows > 0 ? (rows + 2) * 4 : 0));
    for (std::size_t e = 0; e < elements.size(); ++e)
      elements[e] = static_cast<std::int64_t>(e * e % 101);
    run.memory[out.var().get()].resize(elements.size());
    run.memory[lines.var().get()].resize(3);
    run.onAccess = [&](const Var *array, std::int64_t, bool write, std::int64_t) {
      reads += array == in.var().get() && !write ? 1 : 0;
    };
    run.run(plan.body);
    EXPECT_FALSE(run.wrong);
    return run.memory[out.var().get()];
  }
};

TEST_F(CommonValues, AreComputedOnce) {
  EXPECT_EQ(groupText(commonValues(kernel(row(i + k) * row(i + k)))), R"(
parallel level 2 lane < N {
  int lines[3];
  if (0 < n)
    for (index k = 0; k < 2; k += 1) {
      lines[k] = in[k * m + lane] * in[k * m + lane];
    }
  for (index i = 0; i < n; i += 1) {
    lines[2] = in[(i + 2) * m + lane] * in[(i + 2) * m + lane];
    out[i * m + lane] = lines[0] + lines[1] * lines[2];
    for (index k = 0; k < 2; k += 1) {
      lines[k] = lines[k + 1];
    }
  }
}
)");
}

TEST_F(CommonValues, AreTheSameInAllRounds) {
  const LoweredPlan before = kernel(row(k + i) * 3 + row(i + k));
  const LoweredPlan after = commonValues(before);
  for (int rows : {0, 1, 2, 7}) {
    int reads = 0;
    int fewer = 0;
    EXPECT_EQ(ran(before, rows, reads), ran(after, rows, fewer)) << rows;
    EXPECT_EQ(reads, rows * 4 * 3 * 2);
    EXPECT_EQ(fewer, rows > 0 ? (rows + 2) * 4 * 2 : 0);
  }
}

TEST_F(CommonValues, NotOfOtherPlaces) {
  expectLeftAlone(kernel(row(i + k * 2)));
  expectLeftAlone(kernel(row(i)));
  expectLeftAlone(kernel(row(k)));
  expectLeftAlone(kernel(row(i + k) * i));
}

TEST_F(CommonValues, NotOfWhatIsWritten) {
  expectLeftAlone(kernel(out[(i + k) * m + lane]));
  expectLeftAlone(kernel(row(i + k), {set(lines[E(0)], E(1))}));
}

} // namespace
} // namespace tangram::codegen
