#include "runtime/measure/rounds.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

DeviceFigures figures(double machine, double core, double seconds) {
  DeviceFigures made;
  made.costs = {
      {"bytes_per_second", machine}, {"unit_bytes_per_second", core}, {"launch_seconds", seconds}};
  return made;
}

/// The rounds in turn, and how many were asked for.
struct Machine {
  std::vector<DeviceFigures> rounds;
  std::size_t asked = 0;

  Result<DeviceFigures> measured() {
    return measureInRounds([&] { return Result<DeviceFigures>(rounds.at(asked++)); });
  }
};

TEST(MeasureInRounds, TakesTheBestAndEndsWhereTwoAgree) {
  Machine idle{{figures(100, 50, 1), figures(99, 50, 1.05)}};
  const auto found = idle.measured();
  ASSERT_TRUE(found);
  EXPECT_EQ(idle.asked, 2U);
  EXPECT_EQ(found->costs.at("bytes_per_second"), 100);
  EXPECT_EQ(found->costs.at("launch_seconds"), 1);
  EXPECT_NEAR(found->spreads.at("launch_seconds"), 0.05, 1e-9);
  EXPECT_EQ(doubtsOf(*found), "");
}

TEST(MeasureInRounds, GoesOnWhereOtherWorkDisturbs) {
  Machine busy{
      {figures(100, 50, 1000), figures(60, 50, 1), figures(98, 50, 1.02), figures(1, 1, 1)}};
  const auto found = busy.measured();
  ASSERT_TRUE(found);
  EXPECT_EQ(busy.asked, 3U);
  EXPECT_EQ(found->costs.at("launch_seconds"), 1);
  EXPECT_EQ(doubtsOf(*found), "");
}

TEST(MeasureInRounds, DoesNotBelieveACoreThatIsFasterThanItsMachine) {
  Machine busy{{figures(8, 19, 1), figures(9, 18, 3), figures(8, 19, 5), figures(7, 19, 8)}};
  const auto found = busy.measured();
  ASSERT_TRUE(found);
  EXPECT_EQ(busy.asked, std::size_t{mostRounds});
  EXPECT_EQ(found->costs.at("bytes_per_second"), 19);
  EXPECT_EQ(doubtsOf(*found), "bytes_per_second: 19, which rounds differ on by 111 %\n"
                              "launch_seconds: 1, which rounds differ on by 200 %\n");
}

TEST(MeasureInRounds, EndsByAnError) {
  const auto found = measureInRounds([] { return Result<DeviceFigures>(failure("no compiler")); });
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "no compiler");
}

} // namespace
} // namespace tangram::runtime
