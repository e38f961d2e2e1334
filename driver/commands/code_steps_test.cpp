#include "driver/commands/code_steps.h"

#include "driver/text/line_difference.h"

#include <gtest/gtest.h>

namespace tangram::driver {
namespace {

using Lines = std::vector<std::string>;
using Steps = std::vector<std::vector<std::size_t>>;

TEST(CodeSteps, LinesBelongToTheCommentAboveThem) {
  const Lines steps{"S_P", "regroup(tiled, P)", "distribute(T)",       "compute(sum#1, SE_T)",
                    "S_P", "devolve(T)",        "compute(sum#1, SE_T)"};
  const Lines source{"// OpenMP code of sum, composed for cpu:",
                     "//   S_P, regroup(tiled, P)",
                     "int helper(void) {",
                     "  return 0;",
                     "}",
                     "int sum(const int *in) {",
                     "  // S_P, regroup(tiled, P)",
                     "  // distribute(T)",
                     "  for (;;) {",
                     "    // compute(sum#1, SE_T)",
                     "    accum += in[i];",
                     "  }",
                     "",
                     "  // S_P, devolve(T)",
                     "  // compute(sum#1, SE_T)",
                     "  // as many as there are threads",
                     "  accum = 0;",
                     "}"};
  EXPECT_EQ(stepsOfLines(source, steps), (Steps{{},
                                                {},
                                                {},
                                                {},
                                                {},
                                                {},
                                                {0, 1},
                                                {0, 1, 2},
                                                {0, 1, 2},
                                                {3},
                                                {3},
                                                {3},
                                                {3},
                                                {4, 5},
                                                {4, 5, 6},
                                                {4, 5, 6},
                                                {4, 5, 6},
                                                {}}));
}

TEST(CodeSteps, CommasInNamesOfInstancesSeparateNothing) {
  const Lines steps{"compute(reduce<int, plus>#1, SE_T)"};
  EXPECT_EQ(stepsOfLines({"  // compute(reduce<int, plus>#1, SE_T)", "  x();"}, steps),
            (Steps{{0}, {0}}));
}

TEST(LineDifference, KeepsWhatBothHaveAndShowsLinesAround) {
  const Lines before{"a", "b", "c", "d", "e", "f", "g", "h"};
  const Lines after{"a", "B", "c", "d", "e", "f", "g", "h", "i"};
  EXPECT_EQ(lineDifference(before, after, 1), (Lines{" a", "-b", "+B", " c", "...", " h", "+i"}));
  EXPECT_EQ(lineDifference(before, before, 3), Lines{});
  EXPECT_EQ(lineDifference({}, {"a"}, 3), Lines{"+a"});
  EXPECT_EQ(linesOf("a\n\nb\n"), (Lines{"a", "", "b"}));
}

} // namespace
} // namespace tangram::driver
