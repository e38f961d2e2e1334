#include "runtime/session/forecast.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

TEST(Forecast, GrowsByThePowerThatTwoSizesTell) {
  Forecast forecast;
  EXPECT_EQ(forecast.secondsFor(1000), 0);
  forecast.took(100, 0.5); // something was in the way
  forecast.took(100, 0.01);
  forecast.took(1000, 1);
  EXPECT_DOUBLE_EQ(forecast.secondsFor(100), 1);
  EXPECT_NEAR(forecast.secondsFor(10000), 100, 1e-6);
}

TEST(Forecast, KeepsWithinWhatLoopsDo) {
  Forecast constant, steep;
  constant.took(100, 0.01);
  constant.took(1000, 0.01);
  EXPECT_NEAR(constant.secondsFor(10000), 0.1, 1e-9);
  steep.took(100, 1e-6);
  steep.took(1000, 1);
  EXPECT_NEAR(steep.secondsFor(2000), 8, 1e-9);
}

} // namespace
} // namespace tangram::runtime
