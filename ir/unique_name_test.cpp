#include "ir/unique_name.h"

#include <gtest/gtest.h>
#include <set>

namespace tangram::ir {
namespace {

TEST(UniqueName, TheFirstThatIsNotTaken) {
  const auto among = [](const std::set<std::string> &taken) {
    return uniqueName("sum", [&](const std::string &name) { return taken.contains(name); });
  };
  EXPECT_EQ(among({}), "sum");
  EXPECT_EQ(among({"sum_2"}), "sum");
  EXPECT_EQ(among({"sum"}), "sum_2");
  EXPECT_EQ(among({"sum", "sum_2", "sum_4"}), "sum_3");
}

} // namespace
} // namespace tangram::ir
