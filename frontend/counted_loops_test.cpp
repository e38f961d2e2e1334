// Loops whose counters are written in other ways.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

/// The lowered form of a codelet with `statements`, a number n and containers x and y.
std::string body(const std::string &statements) {
  return lowered("\n__codelet void f(const Array<1, float> x, Array<1, float> y, int n) {" +
                 statements + "}");
}

} // namespace

TEST(CountedLoops, DownFromTheEnd) {
  EXPECT_EQ(body("for (unsigned k = x.size(); k-- > 0;) y[k] = x[k];"), R"(
for (unsigned k = x.size(); k > 0; k -= 1)
  y[k - 1] = x[k - 1];
)");
  EXPECT_EQ(body("int k = n; while (k--) { if (k == 3) continue; y[k] = 0; }"), R"(
for (int k = n; k != 0; k -= 1) {
  if (k - 1 == 3)
    continue;
  y[k - 1] = 0;
}
)");
  EXPECT_EQ(body("for (int k = n; --k >= 0;) y[k] = x[k];"), R"(
for (int k = n - 1; k >= 0; k -= 1)
  y[k] = x[k];
)");
}

TEST(CountedLoops, WhileTheyStepAtTheEnd) {
  EXPECT_EQ(body("int i = 0; float s = 0; while (i < n) { s += x[i]; i += 2; } y[0] = s;"), R"(
float s = 0;
for (int i = 0; i < n; i += 2) {
  s += x[i];
}
y[0] = s;
)");
  EXPECT_EQ(body("for (int i = 0, end = n - 1; i < end; ++i) y[i] = x[end];"), R"(
int end = n - 1;
for (int i = 0; i < end; i += 1)
  y[i] = x[end];
)");
}

TEST(CountedLoops, NotWhereTheCounterIsAskedForAfterwards) {
  for (const char *const loop : {"int i = 0; while (i < n) { y[i] = 0; ++i; } y[0] = i;",
                                 "int i = 0; while (i < n) { if (x[i] > 0) i += 2; ++i; }",
                                 "int i = 0; while (i < n) { if (x[i] > 0) continue; ++i; }",
                                 "int i = n; n = 3; while (i < n) { y[i] = 0; ++i; }"})
    EXPECT_NE(body(loop).find("while"), std::string::npos) << body(loop);
}

} // namespace tangram::frontend
