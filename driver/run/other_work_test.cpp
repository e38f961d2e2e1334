#include "driver/run/other_work.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tangram::driver {
namespace {

TEST(OtherWork, IsWhatRunsBesideThisThread) {
  EXPECT_EQ(othersRunning("0.52 0.58 0.59 3/1234 5678\n"), 2U);
  EXPECT_EQ(othersRunning("0.52 0.58 0.59 1/1234 5678\n"), 0U);
  EXPECT_EQ(othersRunning("0.00 0.00 0.00 0/1 1"), 0U);
  EXPECT_EQ(othersRunning(""), 0U);
  const OtherWork here = otherWork();
  EXPECT_GE(here.processors, 1U);
  EXPECT_LE(here.busy, here.processors);
}

TEST(OtherWork, LetsThreadsWaitWithoutSpinning) {
  unsetenv("OMP_WAIT_POLICY");
  EXPECT_EQ(waitPassivelyBeside({8, 0}), "");
  EXPECT_EQ(std::getenv("OMP_WAIT_POLICY"), nullptr);
  EXPECT_EQ(
      waitPassivelyBeside({8, 3}),
      "other work keeps 3 of 8 processors busy: times are longer and scatter; threads of OpenMP "
      "wait without spinning");
  setenv("OMP_WAIT_POLICY", "active", 1);
  EXPECT_EQ(waitPassivelyBeside({1, 1}),
            "other work keeps 1 of 1 processor busy: times are longer and scatter");
  EXPECT_STREQ(std::getenv("OMP_WAIT_POLICY"), "active");
}

} // namespace
} // namespace tangram::driver
