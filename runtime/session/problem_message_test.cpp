#include "runtime/session/problem_message.h"

#include <cstring>
#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

TEST(ProblemMessage, BringsEverythingToTheOtherSide) {
  Manifest manifest;
  manifest.file = "bundles/a b/manifest.json";
  Problem problem;
  problem.extents = {{"in_size", 3}, {"m_size0", 0}, {"m_size1", 5}};
  HostArray in{ir::Scalar::F64, {3}, HostMemory(24)};
  const double values[] = {1.5, -0.0, 1e300};
  std::memcpy(in.memory.data(), values, sizeof values);
  problem.arguments.push_back(std::move(in));
  problem.arguments.push_back({ir::Scalar::U8, {0, 5}, HostMemory()}); // written only
  Bindings bindings{{{"n", std::uint64_t{1} << 63}, {"k", -3}, {"least", INT64_MIN}},
                    {{"threads", "is not a fact of this device"}}};

  PreparedProblem got =
      problemOf(messageOf(manifest.file, problem, {{"p", 7}, {"NUM_THREADS", 256}}, bindings));

  EXPECT_EQ(got.bundle, manifest.file);
  EXPECT_EQ(got.problem.extents, problem.extents);
  EXPECT_TRUE(got.problem.filled);
  ASSERT_EQ(got.problem.arguments.size(), 2U);
  EXPECT_EQ(got.problem.arguments[0].element, ir::Scalar::F64);
  EXPECT_EQ(got.problem.arguments[0].shape, std::vector<std::uint64_t>{3});
  ASSERT_EQ(got.problem.arguments[0].memory.bytes(), sizeof values);
  EXPECT_EQ(std::memcmp(got.problem.arguments[0].memory.data(), values, sizeof values), 0);
  EXPECT_EQ(got.problem.arguments[1].element, ir::Scalar::U8);
  EXPECT_EQ(got.problem.arguments[1].shape, (std::vector<std::uint64_t>{0, 5}));
  EXPECT_EQ(got.problem.arguments[1].memory.bytes(), 0U);
  EXPECT_EQ(got.tunables, (TunableValues{{"p", 7}, {"NUM_THREADS", 256}}));
  EXPECT_TRUE(got.bindings.values == bindings.values);
  EXPECT_EQ(got.bindings.unusable, bindings.unusable);
}

} // namespace
} // namespace tangram::runtime
