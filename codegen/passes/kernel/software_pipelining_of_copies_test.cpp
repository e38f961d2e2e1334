#include "codegen/passes/kernel/passes.h"

#include "codegen/form/building.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class PipelineCopies : public ::testing::Test, protected Kernel4 {
protected:
  E part = variable("part");
  E element = variable("element", Scalar::Index, ir::VarKind::Worker);
  E acc = variable("acc", Scalar::I32);

  StmtPtr inTurns(const E &value) const {
    return ir::parallel(2, ir::Span::Turns, element.var(), ir::intLiteral(512),
                        ir::block({set(a[element], value)}));
  }
  StmtPtr copied(const E &value) const { return copying(inTurns(value)); }
  StmtPtr rounds(std::vector<StmtPtr> body) const {
    return ir::forLoop(let(part, 0), (part < n).e, addTo(part, 1), ir::block(std::move(body)));
  }
  StmtPtr use() const { return lanes({addTo(acc, a[lane])}); }

  composer::Machine machine;

  LoweredPlan made(StmtPtr s) const {
    LoweredPlan made = plan({std::move(s)});
    made.machine = &machine;
    made.tunables[1].defaultValue = "256";
    return made;
  }
  std::string text(StmtPtr s) const { return groupText(pipelineCopies(made(std::move(s)))); }
  void expectUnchanged(StmtPtr s) const { EXPECT_EQ(text(s), groupText(made(s))); }
};

TEST_F(PipelineCopies, ThroughRegisters) {
  EXPECT_EQ(text(rounds({copied(in[part * 512 + element]), use()})), R"(
int a_next[(512 + N - 1) / N];
if (0 < n) {
  parallel level 2 element < N
    for (index r = 0; r < (N + 511) / N; r += 1) {
      index element = element + r * N;
      if (512 % N == 0 || element < 512) {
        a_next[r] = in[element];
      }
    }
}
for (index part = 0; part < n; part += 1) {
  parallel level 2 element < N
    for (index r = 0; r < (N + 511) / N; r += 1) {
      index element = element + r * N;
      if (512 % N == 0 || element < 512) {
        a[element] = a_next[r];
      }
    }
  if (part + 1 < n) {
    parallel level 2 element < N
      for (index r = 0; r < (N + 511) / N; r += 1) {
        index element = element + r * N;
        if (512 % N == 0 || element < 512) {
          a_next[r] = in[(part + 1) * 512 + element];
        }
      }
  }
  parallel level 2 lane < N {
    acc += a[lane];
  }
}
)");
}

TEST_F(PipelineCopies, OnlyWhatIsSaidToBeACopy) {
  expectUnchanged(rounds({inTurns(in[part * 512 + element]), use()}));
}

TEST_F(PipelineCopies, NotOfWhatSomebodyWrites) {
  expectUnchanged(rounds({copied(in[part * 512 + element]), use(), lanes({set(in[lane], 1)})}));
}

TEST_F(PipelineCopies, NotWhereARoundDecidesWhatTheNextOneLoads) {
  const E next = variable("next");
  expectUnchanged(rounds({copied(in[next + element]), use(), set(next, E{(next + 512).e})}));
}

TEST_F(PipelineCopies, NotWhereNobodyUsesItMeanwhile) {
  expectUnchanged(rounds({copied(in[part * 512 + element])}));
}

TEST_F(PipelineCopies, NotWhereRegistersAreTooFew) {
  LoweredPlan few = made(rounds({copied(in[part * 512 + element]), use()}));
  few.tunables[1].defaultValue = "8";
  EXPECT_EQ(groupText(pipelineCopies(few)), groupText(few));
  machine.code.spareBytes = 7; // two numbers of four bytes
  expectUnchanged(rounds({copied(in[part * 512 + element]), use()}));
}

} // namespace
} // namespace tangram::codegen
