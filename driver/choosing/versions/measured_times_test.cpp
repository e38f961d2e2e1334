#include "driver/choosing/versions/measured_times.h"

#include "driver/choosing/versions/version_choice.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace tangram::driver {
namespace {

using namespace runtime;

class MeasuredTimesTest : public ::testing::Test {
protected:
  MeasuredTimesTest() { std::filesystem::remove(file); }
  ~MeasuredTimesTest() override { std::filesystem::remove(file); }

  /// A measurement of a plan at a size; 0 seconds: it crashed.
  void put(const std::string &plan, std::uint64_t size, double seconds, std::int64_t when = 1,
           bool standard = true) const {
    Measurement one;
    one.of = {"sum", plan, "openmp", "cpu", "a", "b", device, "cc", {{"in_size", size}}, "seed=1"};
    one.of.caches = when > 1 ? Caches::Cold : Caches::Warm;
    one.tunables = {{"p", standard ? 4 : 8}};
    one.standard = standard;
    one.verdict = seconds > 0 ? Verdict::Measured : Verdict::Crashed;
    one.times = {seconds, seconds, seconds, seconds, 10};
    one.when = when;
    auto store = Store::open(file);
    ASSERT_TRUE(store);
    ASSERT_TRUE(store->put(one));
  }

  std::string problem(const WantedTimes &wanted = {"sum", "openmp", ""}) const {
    auto times = readMeasuredTimes(file, wanted);
    return times ? "" : times.error().message;
  }

  std::string file = ::testing::TempDir() + "measured_times_test.db";
  std::string device = "A";
};

TEST_F(MeasuredTimesTest, DefaultsAtSizesThatAllPlansWereRunAt) {
  put("one", 10, 3);
  put("one", 1000, 4);
  put("one", 5000, 5);
  put("other", 10, 2);
  put("other", 10, 1, 1, false); // not with its defaults
  put("other", 1000, 0);
  const auto times = readMeasuredTimes(file, {"sum", "openmp", ""});
  ASSERT_TRUE(times) << times.error().message;
  EXPECT_EQ(times->device, "A");
  ASSERT_EQ(times->sizes.size(), 2);
  EXPECT_EQ(times->sizes[0].at("in_size"), 10);
  EXPECT_EQ(times->sizes[1].at("in_size"), 1000);
  EXPECT_EQ(times->seconds.at("one"), (std::vector<double>{3, 4}));
  EXPECT_EQ(times->seconds.at("other"), (std::vector<double>{2, unserved}));
}

TEST_F(MeasuredTimesTest, WhatIsComparedWasMeasuredAlike) {
  put("other", 10, 3, 1);
  put("one", 20, 3, 1);
  put("one", 10, 7, 2); // with cold caches
  const auto times = readMeasuredTimes(file, {"sum", "openmp", ""});
  EXPECT_EQ(times->seconds, (std::map<std::string, std::vector<double>>{{"one", {7}}}));
}

TEST_F(MeasuredTimesTest, WhatCannotBeUsedIsSaid) {
  EXPECT_NE(problem(), "") << "there is no file";
  put("one", 10, 3);
  EXPECT_EQ(problem({"dot", "openmp", ""}), file + ": nothing was measured of dot and openmp");
  EXPECT_EQ(problem({"sum", "openmp", "B"}),
            file + ": nothing was measured of sum and openmp on B");
  put("other", 20, 3);
  EXPECT_EQ(problem(), file + ": there is no size at which all 2 plans of sum were measured: tune "
                              "them together");
  device = "B";
  put("one", 10, 3);
  EXPECT_EQ(problem(), file + ": measurements are of several devices (A, B): name one by "
                              "--store-device");
  EXPECT_EQ(problem({"sum", "openmp", "B"}), "");
}

} // namespace
} // namespace tangram::driver
