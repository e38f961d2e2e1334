// slide, pad, and blocks that overlap.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

std::string body(const std::string &text) {
  ParseResult result =
      parseSource("\n__codelet int f(const Array<1, int> near) { return near[0]; }\n"
                  "__codelet int g(const Array<2, int> near) { return near[0][0]; }\n" +
                  text);
  if (!result.program)
    return ir::render(result.diagnostics);
  return "\n" + ir::toString(result.program->spectrums.back().codelets.back().body);
}

} // namespace

TEST(Windows, ArePartitionsOfAsManyAsFit) {
  EXPECT_EQ(body(R"(
__codelet void h(const Array<1, int> in, Array<1, int> out) {
  out = map(f, slide(in, 3, 2));
}
)"),
            R"(
out = map(f, partition(in, (max(in.size() + 2, 3) - 3) / 2, sequence(0, 2, in.size()), sequence(1), sequence(3, 2, in.size() + 3)));
)");
}

TEST(Windows, OfPaddedContainers) {
  EXPECT_EQ(body(R"(
__codelet void h(int v, const Array<2, int> in, Array<1, int> out) {
  auto tall = pad(in, 1, 2, mirror);
  out = map(g, slide(pad(tall, 0, 1, constant(v), 1), 2, 1, 1));
  out = map(f, pad(in, 1, 1, clamp));
  out = map(f, pad(in, 1, 1, wrap));
}
)"),
            R"(
const Array<2, int> tall = pad(in, 1, 2, mirror);
out = map(g, partition(pad(tall, 0, 1, constant(v), 1), (max(tall.size(1) + (0 + 1) + 1, 2) - 2) / 1, sequence(0, 1, tall.size(1) + (0 + 1)), sequence(1), sequence(2, 1, tall.size(1) + (0 + 1) + 2)));
out = map(f, pad(in, 1, 1, clamp));
out = map(f, pad(in, 1, 1, wrap));
)");
}

TEST(Windows, BlocksMayOverlap) {
  EXPECT_EQ(body(R"(
__codelet void h(const Array<1, int> in, Array<1, int> out) {
  __tunable unsigned t;
  out = map(f, chunks(in, 2 * t, 3));
  out = map(f, rows(in, t, t + 1));
}
)"),
            R"(
__tunable unsigned t;
out = map(f, partition(in, (max(in.size(), 3) - 3 + 2 * t - 1) / (2 * t), sequence(0, 2 * t, in.size()), sequence(1), sequence(2 * t + 3, 2 * t, in.size() + (2 * t + 3))));
out = map(f, partition(in, t, sequence(0, (max(in.size(), (index)(t + 1)) - (t + 1) + t - 1) / t, in.size()), sequence(1), sequence((max(in.size(), (index)(t + 1)) - (t + 1) + t - 1) / t + (t + 1), (max(in.size(), (index)(t + 1)) - (t + 1) + t - 1) / t, in.size() + 1)));
)");
}

TEST(Windows, NumbersAreChosenBeforeAKernelRuns) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> near) { return near[0]; }
__codelet void h(int k, const Array<1, int> in, Array<1, int> out) {
  out = map(f, slide(in, k, 1));
  out = map(f, slide(in, 3, 0));
  out = map(f, chunks(in, 4, -2));
  out = map(f, slide(pad(in, -1, in.size(), clamp), 3, 1));
}
)"),
            R"(
test.cpp:5:29: error: step of 'slide' must be positive, 0 is not
  out = map(f, slide(in, 3, 0));
                            ^
test.cpp:6:30: error: overlap of 'chunks' must not be negative, -2 is
  out = map(f, chunks(in, 4, -2));
                             ^~
test.cpp:7:30: error: number of elements of 'pad' must not be negative, -1 is
  out = map(f, slide(pad(in, -1, in.size(), clamp), 3, 1));
                             ^~
)");
}

TEST(Windows, DimensionsAreThoseOfTheContainer) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> near) { return near[0]; }
__codelet void h(const Array<1, int> in, Array<1, int> out) {
  out = map(f, slide(in, 3, 1, 1));
  out = map(f, slide(pad(in, 1, 1, clamp, 2), 3, 1));
  out = map(f, tile_slide(in, 3, 1, 3, 1));
}
)"),
            R"(
test.cpp:4:32: error: dimension of 'slide' must be a constant below 1
  out = map(f, slide(in, 3, 1, 1));
                               ^
test.cpp:5:43: error: dimension of 'pad' must be a constant below 1
  out = map(f, slide(pad(in, 1, 1, clamp, 2), 3, 1));
                                          ^
test.cpp:6:27: error: 'tile_slide' takes a container of 2 dimensions or more, not 'const Array<1, int>'
  out = map(f, tile_slide(in, 3, 1, 3, 1));
                          ^~
)");
}

TEST(Windows, PaddedContainersAreInputs) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(Array<1, int> out) { out[0] = 1; }
__codelet void h(Array<1, int> out) {
  map(f, slide(pad(out, 1, 1, clamp), 3, 1));
}
__codelet void k(Array<1, int> out) {
  f(pad(out, 1, 1, wrap));
}
)"),
            R"(
test.cpp:4:10: error: 'map' gives 'const Array<1, int>' to parameter 'out' of 'f', which is 'Array<1, int>'
  map(f, slide(pad(out, 1, 1, clamp), 3, 1));
         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
test.cpp:2:32: note: the parameter is declared here
__codelet void f(Array<1, int> out) { out[0] = 1; }
                               ^~~
test.cpp:7:5: error: argument 1 of 'f' is const, its parameter 'out' is not
  f(pad(out, 1, 1, wrap));
    ^~~~~~~~~~~~~~~~~~~~
test.cpp:2:32: note: the parameter is declared here
__codelet void f(Array<1, int> out) { out[0] = 1; }
                               ^~~
)");
}

TEST(Windows, ABoundaryIsOneOfFour) {
  EXPECT_EQ(diagnose(R"(
tangram::Boundary mine() { return clamp(); }
float clamp(float x) { return x < 0 ? 0 : x; }
__codelet int f(const Array<1, int> near) { return near[0]; }
__codelet void h(const Array<1, int> in, Array<1, int> out) {
  out = map(f, slide(pad(in, 1, 1, clamp), 3, 1));
  out = map(f, slide(pad(in, 1, 1, mine), 3, 1));
}
)"),
            R"(
test.cpp:7:36: error: boundary of 'pad' must be clamp, mirror, wrap or constant(v)
  out = map(f, slide(pad(in, 1, 1, mine), 3, 1));
                                   ^~~~
)");
}

TEST(Windows, SlicesAreTheOnlyPartsOfPartitions) {
  EXPECT_EQ(body(R"(
__codelet void h(unsigned k, const Array<2, int> in, Array<1, int> out) {
  out = map(f, slice(in, k, k + 3));
  out = map(f, slice(in, 0, k, 1));
  out = map(f, slice(in, 0, k, 1, 2));
}
)"),
            R"(
out = map(f, partition(in, 1, sequence(k), sequence(1), sequence(k + 3))[0]);
out = map(f, partition(in, 1, sequence(0), sequence(1), sequence(k))[0]);
out = map(f, partition(in, 1, sequence(0), sequence(2), sequence(k))[0]);
)");
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) { return slice(in, 1, 2, 1)[0]; }
)"),
            R"(
test.cpp:2:66: error: dimension of 'slice' must be a constant below 1
__codelet int f(const Array<1, int> in) { return slice(in, 1, 2, 1)[0]; }
                                                                 ^
)");
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) { return slice(in, 1, 2)[0]; }
)"),
            "\n");
}

TEST(Windows, WhatCallsNoSpectrumPadsNothing) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) { return pad(in, 1, 1, clamp)[0]; }
)"),
            R"(
test.cpp:2:50: error: 'pad' in a codelet that calls no spectrum
__codelet int f(const Array<1, int> in) { return pad(in, 1, 1, clamp)[0]; }
                                                 ^~~~~~~~~~~~~~~~~~~~
note: give the padded container to a spectrum, or say by conditions what is past the ends
)");
}

} // namespace tangram::frontend
