#include "codegen/passes/kernel/passes.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class SingleRounds : public ::testing::Test, protected Kernel4 {
protected:
  E acc = variable("acc", Scalar::I32);
  E common = variable("common");
  E i = variable("i");

  static StmtPtr rounds(const E &i, const E &start, const E &end, std::vector<StmtPtr> body) {
    return ir::forLoop(let(i, start), (i < end).e, addTo(i, 1), ir::block(std::move(body)));
  }

  std::string text(std::vector<StmtPtr> statements) const {
    return groupText(singleRounds(plan({lanes(std::move(statements))})));
  }
};

TEST_F(SingleRounds, OfWhatAnItemHasMoreThanOthers) {
  EXPECT_EQ(
      text({let(common, n / N), rounds(i, common, (n + N - 1 - lane) / N, {addTo(acc, in[i])})}),
      R"(
parallel level 2 lane < N {
  index common = n / N;
  if (common < (n + N - 1 - lane) / N) {
    acc += in[common];
  }
}
)");
}

TEST_F(SingleRounds, NotOfWhatMayGoRoundTwice) {
  const std::string loops = R"(
parallel level 2 lane < N {
  index common = n / N;
  for (index i = common; i < (n + N + N - lane) / N; i += 1) {
    acc += in[i];
  }
}
)";
  EXPECT_EQ(
      text({let(common, n / N), rounds(i, common, (n + N + N - lane) / N, {addTo(acc, in[i])})}),
      loops);
}

TEST_F(SingleRounds, NotWhereTheNumbersChange) {
  const std::string changed =
      text({let(common, n / N), addTo(common, 1),
            rounds(i, common, (n + N - 1 - lane) / N, {addTo(acc, in[i])})});
  EXPECT_NE(changed.find("for (index i = common;"), std::string::npos) << changed;
}

TEST_F(SingleRounds, NotOfAnotherDivisor) {
  const std::string other =
      text({let(common, n / 2), rounds(i, common, (n + N - 1 - lane) / N, {addTo(acc, in[i])})});
  EXPECT_NE(other.find("for (index i = common;"), std::string::npos) << other;
}

} // namespace
} // namespace tangram::codegen
