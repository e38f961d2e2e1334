#include "runtime/tune/comparison.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

Compared of(std::vector<double> medians) {
  Compared c;
  c.runs = medians;
  c.medians = std::move(medians);
  return c;
}

TEST(Comparison, ReallyFaster) {
  const Compared base = of({1.0, 1.1, 1.0, 0.9, 1.0});
  EXPECT_TRUE(reallyFaster(of({0.9, 1.0, 0.9, 0.8, 0.9}), base));
  EXPECT_TRUE(reallyFaster(of({0.9, 1.0, 0.9, 0.8, 3.0}), base));            // one bad block
  EXPECT_FALSE(reallyFaster(of({0.5, 0.5, 0.5, 2.0, 2.0}), base));           // it depends
  EXPECT_FALSE(reallyFaster(of({0.995, 1.095, 0.995, 0.895, 0.995}), base)); // not worth it
  EXPECT_FALSE(reallyFaster(base, base));
  Compared failed = of({});
  failed.failed = true;
  EXPECT_FALSE(reallyFaster(failed, base));
  EXPECT_TRUE(reallyFaster(base, failed));
}

TEST(Comparison, InTurns) {
  std::vector<std::size_t> order;
  const std::vector<Compared> all =
      compareInTurns(3, [&](std::size_t i) -> std::optional<std::vector<double>> {
        order.push_back(i);
        if (i == 1 && order.size() > 4)
          return std::nullopt;
        return std::vector<double>{1.0 + static_cast<double>(i), 2.0 + static_cast<double>(i)};
      });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 2, 1, 0, 0, 2, 2, 0, 0, 2}));
  EXPECT_TRUE(all[1].failed);
  EXPECT_FALSE(all[0].failed);
  EXPECT_EQ(all[0].medians, std::vector<double>(5, 1.5));
  EXPECT_EQ(all[2].runs.size(), 10U);
  EXPECT_EQ(all[2].median(), 3.5);
}

} // namespace
} // namespace tangram::runtime
