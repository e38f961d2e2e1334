#include "codegen/analysis/rounding_count.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

/// "2 + 1 each + unknown".
std::string count(const std::string &body, const std::string &before = "") {
  ir::Program program = fixture::parse(
      before + "\n__codelet void f(const Array<1, float> in, Array<1, float> out, int n) {" + body +
      "}");
  if (program.spectrums.empty())
    return "";
  RoundingCount count = countRoundings(program, program.spectrums[0].codelets[0].body);
  return std::to_string(count.fixed) +
         (count.perElement ? " + " + std::to_string(count.perElement) + " each" : "") +
         (count.unknown ? " + unknown" : "");
}

TEST(RoundingCount, TheLongestPath) {
  EXPECT_EQ(count("out[0] = in[0] * 2 + in[1] * 3 * 4;"), "3");
  EXPECT_EQ(count("float x = in[0] + 1; float y = x * x; if (n > 1) y = y + x; out[0] = y;"), "3");
}

TEST(RoundingCount, LoopsOverElements) {
  EXPECT_EQ(count("for (unsigned i = 0; i < in.size(); i++) out[0] += in[i] * in[i];"),
            "2 + 1 each");
  // Each element has a path of its own.
  EXPECT_EQ(count("for (unsigned i = 0; i < in.size(); i++) out[i] = in[i] * in[i] + 1;"), "2");
  // Too many turns for one number of elements.
  EXPECT_EQ(count("float x = 0; for (unsigned i = 0; i < in.size(); i++)"
                  " for (unsigned k = 0; k < in.size(); k++) x += in[i] * in[k]; out[0] = x;"),
            "2 + 2 each + unknown");
  EXPECT_EQ(count("for (unsigned i = 0; i < in.size(); i++) { float x = 0;"
                  " for (unsigned k = 0; k < in.size(); k++) x += in[i] * in[k]; out[i] = x; }"),
            "2 + 1 each");
}

TEST(RoundingCount, LoopsThatSayHowOftenTheyTurn) {
  EXPECT_EQ(count("float x = in[0]; for (int r = 0; r < 200; r++) x = x * 1.1f + 2; out[0] = x;"),
            "400");
  EXPECT_EQ(count("float x = in[0]; for (int r = 1; r <= 10; r += 3) for (int s = 0; s < 5; s++) "
                  "x += 1; out[0] = x;"),
            "20");
  EXPECT_EQ(count("for (int r = 9; r < 3; r++) out[0] += 1;"), "0");
  EXPECT_EQ(count("for (unsigned i = 0; i < in.size(); i++) { float x = in[i];"
                  " for (int r = 0; r < 200; r++) x = x * 1.1f + 2; out[i] = x; }"),
            "400");
}

TEST(RoundingCount, LoopsThatOthersBound) {
  EXPECT_EQ(count("float x = in[0]; for (unsigned i = 0; i < 10; i++) for (unsigned k = 0; k < i; "
                  "k++) x += 1; "
                  "out[0] = x;"),
            "90");
  EXPECT_EQ(
      count(
          "float x = in[0]; for (unsigned i = 0; i < 10; i++) for (unsigned k = i + 1; k < 5; k++) "
          "x += 1; out[0] = x;"),
      "50");
  EXPECT_EQ(count("float x = in[0]; for (int i = n; i < 10; i++) x += 1; out[0] = x;"),
            "1 + 1 each + unknown");
}

TEST(RoundingCount, RoundsThatHaveElementsOfTheirOwn) {
  const std::string sums =
      "float own[4]; float all[16]; for (int c = 0; c < 4; c++) own[c] = in[c];";
  EXPECT_EQ(count(sums + "for (int c = 0; c < 4; c++) own[c] += in[c]; out[0] = own[0];"), "1");
  EXPECT_EQ(
      count(sums +
            "for (int k = 0; k < 9; k++) for (int c = 0; c < 4; c++) own[c] -= in[k] * in[c]; "
            "out[0] = own[0];"),
      "10");
  EXPECT_EQ(
      count(sums +
            "for (int k = 0; k < 4; k++) for (int c = 0; c < 4; c++) all[4 * k + c] += own[c]; "
            "out[0] = all[0];"),
      "4");
  // Of what another round has made, of one element in all of them, and of one that nobody knows.
  EXPECT_EQ(count(sums + "for (int c = 1; c < 4; c++) own[c] += own[c - 1]; out[0] = own[3];"),
            "3");
  EXPECT_EQ(count(sums + "for (int c = 0; c < 4; c++) own[n] += in[c]; out[0] = own[0];"), "4");
  EXPECT_EQ(count(sums +
                  "int at = 0; for (int c = 0; c < 4; c++) { own[at + c] += in[c]; at -= 1; } "
                  "out[0] = own[0];"),
            "4");
  EXPECT_EQ(count(sums +
                  "float x = 0; for (int c = 0; c < 4; c++) { own[c] += x; x = own[c] + 1; } "
                  "out[0] = own[3];"),
            "8");
}

TEST(RoundingCount, LoopsThatDoNotAreCountedByTheReference) {
  EXPECT_EQ(count("float x = in[0]; while (x < 9) x *= 2; out[0] = x;"), "1 + 1 each + unknown");
  EXPECT_EQ(count("float x = in[0]; for (int r = 0; r < n; r++) x *= 2; out[0] = x;"),
            "1 + 1 each + unknown");
  EXPECT_EQ(count("float x = in[0]; for (int r = 0; r < 9; r++) r += x < 2; out[0] = x;"), "0");
}

TEST(RoundingCount, HelpersAreCountedWhereTheyAreCalled) {
  const std::string helper =
      "static float grown(float x) { for (int r = 0; r < 50; r++) x = x * 2; return x; }";
  EXPECT_EQ(count("out[0] = grown(in[0]) + grown(in[1]);", helper), "51");
  EXPECT_EQ(count("float x = in[0]; for (int r = 0; r < 3; r++) x = grown(x); out[0] = x;", helper),
            "150");
}

TEST(RoundingCount, AtomicOperationsAndMixedTypes) {
  EXPECT_EQ(count("atomicAdd(out[0], in[0]);"), "0 + unknown");
  EXPECT_EQ(count("double x = in[0]; out[0] = (float)(x * 2);"), "3 + unknown");
}

} // namespace
} // namespace tangram::codegen
