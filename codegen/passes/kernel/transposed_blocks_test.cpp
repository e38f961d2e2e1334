#include "codegen/passes/kernel/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class TransposeBlocks : public ::testing::Test, protected Kernel4 {
protected:
  /// `body` for a processor whose vectors have 16 lanes of 4 bytes.
  LoweredPlan onProcessor(std::vector<StmtPtr> body) const {
    static const composer::Machine cpu = projected("cpu", "openmp");
    LoweredPlan made = plan(std::move(body));
    made.machine = &cpu;
    made.target = traitsOf("openmp");
    return made;
  }

  std::string turned(std::vector<StmtPtr> body) const {
    return groupText(transposeBlocks(onProcessor(std::move(body))));
  }
  bool isTurned(const StmtPtr &loops) const { return turned({loops}) != groupText(plan({loops})); }

  /// for (i < m) for (j < n) target = value
  StmtPtr nest(const E &target, const E &value) const {
    return upTo(i, m, {upTo(j, n, {set(target, value)})});
  }

  E i = variable("i");
  E j = variable("j");
  E m = variable("m", Scalar::Index, VarKind::Param);
};

TEST_F(TransposeBlocks, BlocksAndWhatIsLeft) {
  EXPECT_EQ(turned({nest(out[j * m + i], in[i * n + j])}), R"(
index whole_rows = m / 16 * 16;
index whole_columns = n / 16 * 16;
for (index i = 0; i < whole_rows; i += 1) {
  for (index j = 0; j < whole_columns; j += 1) {
    out[j * m + i] = in[i * n + j];
  }
}
for (index i = 0; i < whole_rows; i += 1) {
  for (index j = whole_columns; j < n; j += 1) {
    out[j * m + i] = in[i * n + j];
  }
}
for (index j = 0; j < n; j += 1) {
  for (index i = whole_rows; i < m; i += 1) {
    out[j * m + i] = in[i * n + j];
  }
}
)");
}

TEST_F(TransposeBlocks, RowsOfTheSourceAreOutside) {
  const LoweredPlan after = transposeBlocks(onProcessor({nest(out[i * n + j], in[j * m + i])}));
  std::vector<std::string> counters;
  ir::forEach(after.body, [&](const Stmt &s) {
    if (s.lanes == 16)
      counters.push_back(s.children[0]->var->name);
  });
  EXPECT_EQ(counters, (std::vector<std::string>{"j", "i"}));
}

// A processor that is described with 256 lanes has no vectors of 256 elements.
TEST_F(TransposeBlocks, NoSquaresThatRegistersDoNotHold) {
  static const composer::Machine wide = projected("simple-gpu", "openmp");
  LoweredPlan made = plan({nest(out[j * m + i], in[i * n + j])});
  made.machine = &wide;
  made.target = traitsOf("openmp");
  const std::string before = groupText(made);
  EXPECT_EQ(groupText(transposeBlocks(std::move(made))), before);
}

TEST_F(TransposeBlocks, EveryElementOnce) {
  const LoweredPlan before =
      onProcessor({upTo(i, E(21), {upTo(j, n, {set(out[j * 21 + i], in[i * n + j])})})});
  const LoweredPlan after = transposeBlocks(before);
  for (const int columns : {0, 1, 15, 16, 17, 40}) {
    std::vector<std::vector<std::int64_t>> found;
    for (const LoweredPlan *each : {&before, &after}) {
      Interpreter machine;
      for (const auto &[name, value] : {std::pair{p, 1}, {N, 1}, {K, 1}, {n, columns}})
        machine.set(name, value);
      for (int at = 0; at < 21 * columns; ++at)
        machine.memory[in.var().get()].push_back(at + 1);
      machine.memory[out.var().get()].assign(static_cast<std::size_t>(21 * columns), 0);
      machine.run(each->body);
      EXPECT_FALSE(machine.wrong);
      found.push_back(machine.memory[out.var().get()]);
    }
    EXPECT_EQ(found[0], found[1]) << columns;
  }
}

// As many rows as are left in each round of a loop, but no more than there are places for.
TEST_F(TransposeBlocks, RowsThatARoundCounts) {
  const E first = variable("first"), count = variable("count"), other = variable("other");
  const auto inRounds = [&](std::vector<StmtPtr> body) {
    body.push_back(upTo(i, count, {upTo(j, n, {set(out[j * 32 + i], in[(first + i) * n + j])})}));
    return upTo(first, m, {std::move(body)});
  };
  EXPECT_TRUE(isTurned(inRounds({let(count, minE(32, m - first))})));
  EXPECT_FALSE(isTurned(inRounds({let(count, m - first)})));
  const StmtPtr changed =
      ir::block({let(other, 0), inRounds({let(count, minE(32, other)), set(other, first)})});
  EXPECT_FALSE(isTurned(changed)) << "of what is another number meanwhile, it is not asked";
}

TEST_F(TransposeBlocks, NoOthers) {
  EXPECT_TRUE(isTurned(nest(out[j * m + i], in[i * n + j])));
  EXPECT_FALSE(isTurned(nest(out[i * n + j], in[i * n + j]))) << "rows stay rows";
  EXPECT_FALSE(isTurned(nest(out[j * m + i], out[i * n + j]))) << "in one array";
  EXPECT_FALSE(isTurned(nest(out[j * m + i], in[i * n + j] + 1))) << "no copy";
  EXPECT_FALSE(isTurned(nest(out[j * m + i], in[i * n + j * 2]))) << "every other column";
  EXPECT_FALSE(isTurned(nest(out[j * m + i], in[i * n + j % 7]))) << "again and again";
  EXPECT_FALSE(isTurned(nest(out[j * 2 + i], in[i * n + j]))) << "in places of others";
  EXPECT_FALSE(isTurned(nest(out[j * n + i], in[i * n + j]))) << "perhaps in those";
  EXPECT_TRUE(isTurned(nest(out[j * (m + 1) + i], in[i * n + j]))) << "rows with gaps";
  EXPECT_FALSE(isTurned(upTo(i, m, {upTo(j, i, {set(out[j * m + i], in[i * n + j])})})))
      << "a triangle";
  EXPECT_FALSE(isTurned(upTo(i, m, {upTo(j, E(15), {set(out[j * m + i], in[i * n + j])})})))
      << "fewer than a block";
}

} // namespace
} // namespace tangram::codegen
