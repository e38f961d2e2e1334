#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace tangram::codegen {
namespace {

using namespace algebra;
using namespace fixture;

class WholeBlocks : public ::testing::Test, protected Kernel4 {
protected:
  E part = variable("part");
  E j = variable("j");
  E r = variable("r");

  static E choose(const E &condition, const E &then, const E &otherwise) {
    return {ir::select(condition.e, then.e, otherwise.e)};
  }

  /// A tile has K elements in each of 3 rows.
  LoweredPlan over(const E &count, std::vector<StmtPtr> round) const {
    return plan({lanes({ir::forLoop(let(part, lane), (part < count).e, addTo(part, N),
                                    ir::block(std::move(round)))})});
  }
  std::vector<StmtPtr> blocks(int past, int length = 4) const {
    const E end = past == 0 ? K : K + past;
    return {let(j, part / 3 * 4),
            upTo(r, length, {when(j + r < end, {set(out[part % 3 * 32 + j + r], in[j + r])})})};
  }

  static void expectLeftAlone(const LoweredPlan &plan) {
    EXPECT_EQ(groupText(wholeBlocks(plan)), groupText(plan));
  }

  std::map<std::int64_t, std::int64_t> outOf(const LoweredPlan &plan, int tile) const {
    Interpreter machine;
    machine.set(p, 1);
    machine.set(N, 3);
    machine.set(K, tile);
    machine.set(n, 1000);
    for (int at = 0; at < 1000; ++at)
      machine.memory[in.var().get()].push_back(at * at + 3);
    machine.memory[out.var().get()].assign(1000, -1);
    machine.run(plan.body);
    EXPECT_FALSE(machine.wrong) << ir::toString(plan.body);
    std::map<std::int64_t, std::int64_t> found;
    for (const std::int64_t value : machine.memory[out.var().get()])
      found[static_cast<std::int64_t>(found.size())] = value;
    return found;
  }

  void expectSame(const LoweredPlan &before) const {
    const LoweredPlan after = wholeBlocks(before);
    ASSERT_NE(groupText(after), groupText(before));
    for (int tile = 1; tile < 18; ++tile)
      EXPECT_EQ(outOf(after, tile), outOf(before, tile)) << tile << groupText(after);
  }
};

TEST_F(WholeBlocks, NoElementOfThemIsPastTheEnd) {
  const LoweredPlan before = over((K + 3) / 4 * 3, blocks(0));
  EXPECT_EQ(groupText(wholeBlocks(before)), R"(
parallel level 2 lane < N {
  for (index part = lane; part < (K + 3) / 4 * 3; part += N) {
    index j = part / 3 * 4;
    for (index r = 0; r < 4; r += 1) {
      if (K % 4 == 0 || j + r < K) {
        out[part % 3 * 32 + j + r] = in[j + r];
      }
    }
  }
}
)");
  expectSame(before);
  expectSame(over((K + 3) / 4 * 3, blocks(2)));
}

TEST_F(WholeBlocks, OnlyWhatIsSoWhereverTheyAreIsAsked) {
  expectLeftAlone(over((K + 3) / 4 * 3, blocks(0, 5))); // one more than a block
  expectLeftAlone(over((K + 2) / 4 * 3, blocks(0)));
  expectLeftAlone(over((K + 4) / 4 * 3, blocks(0)));
  expectLeftAlone(over((n + 3) / 4 * 3, blocks(0)));
  LoweredPlan moves = over((K + 3) / 4 * 3, blocks(0));
  moves.body = ir::rewrite(moves.body, [&](const StmtPtr &s) {
    return s->kind == StmtKind::If ? ir::block({s, addTo(j, 1)}) : s;
  });
  expectLeftAlone(moves);
}

TEST_F(WholeBlocks, RemaindersOfTheirNumberAreBelowIt) {
  const E number = (K + 3) / 4;
  expectSame(
      over(number * 3,
           {let(j, part % number * 4),
            upTo(r, 4, {set(out[part / number * 32 + j + r], choose(j + r < K, in[j + r], 7))})}));
}

TEST_F(WholeBlocks, LoopsGoFromOneToTheNext) {
  const auto loop = [&](const E &start, const E &step) {
    return plan({lanes({ir::forLoop(
        let(j, start), (j < K).e, addTo(j, step),
        ir::block({when(j + 4 <= K, {set(out[j], in[j + 3])}, {set(out[j], in[j] + K)})}))})});
  };
  expectSame(loop(0, 4));
  expectSame(loop(lane * 4 + 8, N * 4));
  expectLeftAlone(loop(1, 4));
  expectLeftAlone(loop(lane, 4));
  expectLeftAlone(loop(0, 3));
}

TEST_F(WholeBlocks, TilesThatAreAlwaysMultiplesNeedNoQuestion) {
  LoweredPlan before = over((K + 3) / 4 * 3, blocks(0));
  before.tunables[2].values = {8, 16, 20};
  const std::string text = groupText(wholeBlocks(before));
  EXPECT_EQ(text.find("if ("), std::string::npos) << text;
  before.tunables[2].values = {8, 18};
  EXPECT_NE(groupText(wholeBlocks(before)).find("if (K % 4 == 0 || j + r < K)"), std::string::npos);
}

} // namespace
} // namespace tangram::codegen
