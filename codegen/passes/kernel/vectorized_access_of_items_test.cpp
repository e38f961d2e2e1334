#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class VectorizeItems : public ::testing::Test, protected Kernel4 {
protected:
  VectorizeItems() { machine.code.accessBytes = 16; }

  composer::Machine machine;
  E s = variable("s", Scalar::Index, VarKind::Param);
  E k = variable("k", Scalar::Index, VarKind::Worker);
  E i = variable("i");
  E x = variable("x", Scalar::I32);
  E d = variable("d", Scalar::F64, VarKind::Buffer);

  StmtPtr turns(std::vector<StmtPtr> body) const { return turns(n, std::move(body)); }
  StmtPtr turns(const E &count, std::vector<StmtPtr> body) const {
    return ir::parallel(2, ir::Span::Turns, k.var(), count.e, ir::block(std::move(body)));
  }
  LoweredPlan kernel(std::vector<StmtPtr> body) const {
    LoweredPlan made = plan(std::move(body));
    made.buffers.push_back({d.var(), Space::Global, n.e, "out"});
    made.machine = &machine;
    return made;
  }
  std::string widened(std::vector<StmtPtr> body) const {
    return groupText(vectorizeItems(kernel(std::move(body))));
  }
  void expectLeftAlone(const StmtPtr &s) const {
    const LoweredPlan before = kernel({s});
    EXPECT_EQ(groupText(vectorizeItems(before)), groupText(before));
  }
};

TEST_F(VectorizeItems, NeighboursAreReadAndWrittenTogetherAndWhatIsLeftOneByOne) {
  EXPECT_EQ(widened({turns({set(out[s + k], in[s + k] * 2)})}), R"(
parallel level 2 item < N {
  index first_vector = (s + 3) / 4;
  index end_vector = max((s + n) / 4, first_vector);
  index before = min(first_vector * 4 - s, n);
  index first_rest = min(end_vector * 4 - s, n);
  for (index v = item; v < end_vector - first_vector; v += N) {
    int out_near[4];
    int in_near[4];
    for (index u = 0; u < 4; u += 1)
      in_near[u] = in[(first_vector + v) * 4 + u];
    for (index lane = 0; lane < 4; lane += 1) {
      out_near[lane] = in_near[lane] * 2;
    }
    for (index u = 0; u < 4; u += 1)
      out[(first_vector + v) * 4 + u] = out_near[u];
  }
  for (index k = item; k < before + (n - first_rest); k += N) {
    index k = k < before ? k : k - before + first_rest;
    out[s + k] = in[s + k] * 2;
  }
}
)");
}

TEST_F(VectorizeItems, AVectorIsOneAccess) {
  std::vector<unsigned> lanesOfLoops;
  ir::forEach(vectorizeItems(kernel({turns({set(out[s + k], in[s + k])})})).body,
              [&](const Stmt &each) {
                if (each.kind == StmtKind::For)
                  lanesOfLoops.push_back(each.lanes);
              });
  EXPECT_EQ(lanesOfLoops, (std::vector<unsigned>{0, 4, 0, 4, 0}));
}

TEST_F(VectorizeItems, ALoopThatGoesOnByAsManyAsThereAreItems) {
  const StmtPtr loop = ir::forLoop(ir::declare(i.var(), lane.e), (i < n).e,
                                   ir::assign(i.e, "+=", N.e), set(out[s + i], in[s + i] + 1));
  const std::string text = widened({lanes({loop})});
  EXPECT_NE(text.find("for (index v = lane; v < end_vector - first_vector; v += N)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("for (index k = lane; k < before + (n - first_rest); k += N)"),
            std::string::npos)
      << text;
}

TEST_F(VectorizeItems, OnlyWhatARoundReadsIsReadOfNeighbours) {
  const std::string text = widened({turns({set(out[s + k], in[s + k - 2] + in[s + k])})});
  EXPECT_NE(text.find("in_near[0] = in[(first_vector + v) * 4 - 2];"), std::string::npos) << text;
  EXPECT_NE(text.find("in_near[1] = in[(first_vector + v) * 4 - 1];"), std::string::npos) << text;
  EXPECT_NE(text.find("out_near[lane] = in_near[lane] + in_near[lane + 2];"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("in_near[6] ="), std::string::npos) << text;
}

TEST_F(VectorizeItems, AnElementThatIsReadAndWrittenIsHeldOnce) {
  const std::string text = widened({turns({addTo(out[s + k], in[s + k])})});
  EXPECT_NE(text.find("out_near[u] = out[(first_vector + v) * 4 + u];"), std::string::npos) << text;
  EXPECT_NE(text.find("out_near[lane] += in_near[lane];"), std::string::npos) << text;
}

TEST_F(VectorizeItems, AsManyAsTheLargestElementsAllow) {
  const std::string text = widened({turns({set(d[s + k], in[s + k])})});
  EXPECT_NE(text.find("index first_vector = (s + 1) / 2;"), std::string::npos) << text;
}

TEST_F(VectorizeItems, TheNumberOfAnElementIsWhatItWas) {
  const std::string text = widened({turns({set(out[s + k], k)})});
  EXPECT_NE(text.find("out_near[lane] = (first_vector + v) * 4 + lane - s;"), std::string::npos)
      << text;
}

TEST_F(VectorizeItems, WhatIsNotReadInEveryRoundIsLeftAlone) {
  expectLeftAlone(turns({when(k < s, {set(out[s + k], in[s + k])})}));
  expectLeftAlone(turns({set(out[s + k], E(ir::select((k < s).e, in[s + k].e, in[s].e)))}));
}

TEST_F(VectorizeItems, WhatEveryRoundReadsWhicheverBranchItTakesIsReadTogether) {
  const E element = in[s + k];
  const auto chosen = [](const E &condition, const E &yes, const E &no) {
    return E(ir::select(condition.e, yes.e, no.e));
  };
  const char *const load = "in_near[u] = in[(first_vector + v) * 4 + u];";
  for (const std::string &text :
       {widened({turns({set(out[s + k], chosen(0 < element, element, element * 2))})}),
        widened({turns({set(out[s + k], chosen(k < s, element, element * 2))})}),
        widened({turns({ir::ifThen((0 < element).e, set(out[s + k], element),
                                   set(out[s + k], E(0)))})})})
    EXPECT_NE(text.find(load), std::string::npos) << text;
}

TEST_F(VectorizeItems, WhatSomeRoundsDoNotWriteIsWrittenBackOnlyWhereAllRoundsReadIt) {
  const E element = in[s + k];
  expectLeftAlone(turns({when(0 < element, {set(out[s + k], element)})}));
  const std::string text =
      widened({turns({when(0 < out[s + k], {addTo(out[s + k], element)}), set(x, element)})});
  EXPECT_EQ(text.find("out_near"), std::string::npos) << text; // x is of another round, too
}

TEST_F(VectorizeItems, WhatIsElsewhereOrDependsOnOtherRoundsIsLeftAlone) {
  expectLeftAlone(turns({set(out[s + k], in[in[s + k]])}));
  expectLeftAlone(turns({set(out[s + k * 2], in[s + k])}));
  expectLeftAlone(turns({set(out[s + k], in[k])}));          // begins elsewhere in a vector
  expectLeftAlone(turns({set(out[s + k], out[s + k - 1])})); // another round's
  expectLeftAlone(turns({addTo(x, in[s + k])}));
  expectLeftAlone(turns({set(a[k], in[s + k])})); // memory of the group
}

TEST_F(VectorizeItems, FewElementsAGroupAndOtherMachinesAreLeftAlone) {
  expectLeftAlone(turns(minE(n, 4), {set(out[s + k], in[s + k])}));
  machine.code.accessBytes = 0;
  expectLeftAlone(turns({set(out[s + k], in[s + k])}));
}

} // namespace
} // namespace tangram::codegen
