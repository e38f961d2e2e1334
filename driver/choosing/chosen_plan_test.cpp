// Plans by name: what stands in a file of sketches.
#include "driver/choosing/chosen_plan.h"

#include "ir/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tangram::driver {
namespace {

/// Of a source beside which stands `sketches`.
std::variant<std::vector<composer::Sketch>, ir::Diagnostics> known(const std::string &sketches) {
  const ir::TemporaryFolder folder;
  std::ofstream(folder.path() / "f.sketches") << sketches;
  return knownSketches((folder.path() / "f.cpp").string());
}

TEST(KnownSketches, AreThoseBesideTheSource) {
  const auto found = known("# Rows that are long.\nlong_rows: select(by_row, *), ...\n");
  ASSERT_EQ(std::get<std::vector<composer::Sketch>>(found).size(), 1U);
  EXPECT_TRUE(std::get<std::vector<composer::Sketch>>(knownSketches("none.cpp")).empty());
}

TEST(KnownSketches, SayWhereTheyAreWrong) {
  const auto wrong = known("long_rows: select(by_row, *, ...\n");
  const std::string said = ir::render(std::get<ir::Diagnostics>(wrong));
  EXPECT_NE(said.find("in sketch long_rows, beside "), std::string::npos) << said;
  const auto unnamed = known("select(by_row, *)\n");
  EXPECT_NE(ir::render(std::get<ir::Diagnostics>(unnamed)).find("expected NAME: SKETCH"),
            std::string::npos);
}

} // namespace
} // namespace tangram::driver
