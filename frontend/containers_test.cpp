// Views, local containers, results put into containers, and the partitions of rows and columns.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

/// The last codelet of a source, after spectrums for it to call.
std::string composed(const std::string &text) {
  ParseResult result = parseSource(R"(
__codelet float dot(const Array<1, float> a, const Array<1, float> b) { return a[0] * b[0]; }
__codelet void scale(Array<2, float> a, float by) { a[0][0] *= by; }
__codelet void fill(Array<1, float> a) { a[0] = 0; }
__codelet float plus(float a, float b) { return a + b; }
)" + text);
  if (!result.program)
    return diagnose("\n" + text);
  return "\n" + ir::toString(result.program->spectrums.back().codelets.back().body);
}

} // namespace

TEST(Containers, RowsAndPlanesAreViews) {
  EXPECT_EQ(composed(R"(
__codelet float f(const Array<2, float> a, Array<3, float> b, int i) {
  auto row = a[i + 1];
  Array<1, float> line = b[0][1];
  line[2] = row[1] + b[0][1][2] + b[i][1].size() + b[i].size(1) + (a[0])[i];
  fill(b[i][0]);
  scale(b[i], 2);
  return dot(a[0], row);
}
)"),
            R"(
const Array<1, float> row = a[i + 1];
Array<1, float> line = b[0][1];
line[2] = row[1] + b[0][1][2] + (float)b.size(2) + (float)b.size(2) + a[0][i];
fill(b[i][0]);
scale(b[i], 2);
return dot(a[0], row);
)");
}

TEST(Containers, ViewsHaveTheDimensionsThatAreLeft) {
  EXPECT_EQ(lowered(R"(
__codelet float f(const Array<4, float> a) {
  const auto planes = a[1][2];
  const Array<1, float> row = planes[3];
  return planes[3][4] + row[planes.size(1) - 1];
}
)"),
            R"(
return a[1][2][3][4] + a[1][2][3][a.size(3) - 1];
)");
}

TEST(Containers, LocalOnes) {
  EXPECT_EQ(composed(R"(
__codelet float f(const Array<2, float> a, int n) {
  Array<1, float> t(n), u{a.size()};
  Array<2, float> blocks(n + 1, 4);
  fill(t);
  fill(u);
  return dot(t, blocks[0]);
}
)"),
            R"(
Array<1, float> t = Array<1, float>(n);
Array<1, float> u = Array<1, float>(a.size(0));
Array<2, float> blocks = Array<2, float>(n + 1, 4);
fill(t);
fill(u);
return dot(t, blocks[0]);
)");
}

TEST(Containers, ResultsGoStraightToTheirPlace) {
  EXPECT_EQ(composed(R"(
__codelet void f(const Array<2, float> a, const Array<1, float> x, Array<1, float> y) {
  Array<1, float> t(y.size());
  t = map(dot, a, all(x));
  y = map(plus, t, 1);
}
)"),
            R"(
Array<1, float> t = Array<1, float>(y.size());
t = map(dot, a, all(x));
y = map(plus, t, 1);
)");
}

TEST(Containers, PartitionsOfRowsAndColumns) {
  EXPECT_EQ(composed(R"(
__codelet void f(Array<2, float> a) {
  __tunable unsigned p, q;
  map(scale, rows(a, p), 1);
  map(scale, cols(a, 4), 1);
  map(scale, tiles(a, p, q), 1);
}
)"),
            R"(
__tunable unsigned p;
__tunable unsigned q;
map(scale, partition(a, p, sequence(0, (a.size(0) + p - 1) / p, a.size(0)), sequence(1), sequence((a.size(0) + p - 1) / p, (a.size(0) + p - 1) / p, a.size(0) + 1)), 1);
map(scale, partition(a, 4, sequence(0, (a.size(1) + 4 - 1) / 4, a.size(1)), sequence(1), sequence((a.size(1) + 4 - 1) / 4, (a.size(1) + 4 - 1) / 4, a.size(1) + 1)), 1);
map(scale, partition(a, p, sequence(0, (a.size(0) + p - 1) / p, a.size(0)), sequence(1), sequence((a.size(0) + p - 1) / p, (a.size(0) + p - 1) / p, a.size(0) + 1), q, sequence(0, (a.size(1) + q - 1) / q, a.size(1)), sequence(1), sequence((a.size(1) + q - 1) / q, (a.size(1) + q - 1) / q, a.size(1) + 1)), 1);
)");
}

TEST(Containers, ChunksOfAGivenSize) {
  EXPECT_EQ(composed(R"(
__codelet void f(Array<2, float> a) {
  __tunable unsigned t = choice(4, 8);
  const unsigned both = 2 * t;
  map(scale, chunks(a, t), 1);
  map(scale, col_chunks(a, 16), 1);
  map(scale, tile_chunks(a, both, t + 1), 1);
}
)"),
            R"(
__tunable unsigned t;
unsigned both = 2 * t;
map(scale, partition(a, (a.size(0) + t - 1) / t, sequence(0, t, a.size(0)), sequence(1), sequence(t, t, a.size(0) + t)), 1);
map(scale, partition(a, (a.size(1) + 16 - 1) / 16, sequence(0, 16, a.size(1)), sequence(1), sequence(16, 16, a.size(1) + 16)), 1);
map(scale, partition(a, (a.size(0) + both - 1) / both, sequence(0, both, a.size(0)), sequence(1), sequence(both, both, a.size(0) + both), (a.size(1) + (t + 1) - 1) / (t + 1), sequence(0, t + 1, a.size(1)), sequence(1), sequence(t + 1, t + 1, a.size(1) + (t + 1))), 1);
)");
}

TEST(Containers, ChunksWithoutAChosenSize) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet int total(const Array<1, int> in, unsigned n) {
  unsigned changing = 4;
  changing = n;
  Array<1, int> a = map(sum, chunks(in, n));
  Array<1, int> b = map(sum, chunks(in, 0));
  Array<1, int> c = map(sum, chunks(in, in.size() / 4));
  Array<1, int> d = map(sum, chunks(in, changing));
  Array<1, int> g = map(sum, col_chunks(in, 4));
  return a[0] + b[0] + c[0] + d[0] + g[0];
}
)"),
            R"(
test.cpp:6:41: error: size of the parts of 'chunks' must be a constant or a '__tunable', or a sum or product of these
  Array<1, int> a = map(sum, chunks(in, n));
                                        ^
test.cpp:7:41: error: size of the parts of 'chunks' must be positive, 0 is not
  Array<1, int> b = map(sum, chunks(in, 0));
                                        ^
test.cpp:8:41: error: size of the parts of 'chunks' must be a constant or a '__tunable', or a sum or product of these
  Array<1, int> c = map(sum, chunks(in, in.size() / 4));
                                        ^~~~~~~~~~~~~
test.cpp:9:41: error: size of the parts of 'chunks' must be a constant or a '__tunable', or a sum or product of these
  Array<1, int> d = map(sum, chunks(in, changing));
                                        ^~~~~~~~
test.cpp:10:41: error: 'col_chunks' takes a container of 2 dimensions or more, not 'const Array<1, int>'
  Array<1, int> g = map(sum, col_chunks(in, 4));
                                        ^~
)");
}

TEST(Containers, PartitionsNameTheirFirstDimension) {
  ParseResult result = parseSource(R"(
__codelet void scale(Array<2, float> a) { a[0][0] = 1; }
__codelet void f(Array<2, float> a) {
  map(scale, rows(a, 2));
  map(scale, cols(a, 2));
  map(scale, tiles(a, 2, 2));
}
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  std::vector<std::int64_t> first;
  for (const ir::StmtPtr &s : result.program->spectrums.at(1).codelets.at(0).body->children) {
    const ir::Expr &parts = *s->value->args.at(0);
    EXPECT_EQ(ir::spelling(parts.type), "container of Array<2, float>");
    EXPECT_EQ(parts.args.at(1)->type.scalar, ir::Scalar::Index);
    first.push_back(parts.integer);
  }
  EXPECT_EQ(first, (std::vector<std::int64_t>{0, 1, 0}));
}

TEST(Containers, TransposedViews) {
  EXPECT_EQ(composed(R"(
__codelet float f(const Array<2, float> a) {
  auto t = transpose(a);
  return dot(t[1], transpose(a)[0]) + transpose(a)[2][3] + transpose(a).size() + t.size(1);
}
)"),
            R"(
const Array<2, float> t = transpose(a);
return dot(t[1], transpose(a)[0]) + transpose(a)[2][3] + (float)a.size(1) + (float)t.size(1);
)");
}

TEST(Containers, ASpectrumMayBeNamedAsAView) {
  EXPECT_EQ(composed(R"(
__codelet void transpose(const Array<2, float> in, Array<2, float> out) { out[0][0] = in[0][0]; }
__codelet void f(const Array<2, float> in, Array<2, float> out) {
  __tunable unsigned p;
  transpose(in, out);
  map(transpose, rows(in, p), cols(out, p));
}
)"),
            R"(
__tunable unsigned p;
transpose(in, out);
map(transpose, partition(in, p, sequence(0, (in.size(0) + p - 1) / p, in.size(0)), sequence(1), sequence((in.size(0) + p - 1) / p, (in.size(0) + p - 1) / p, in.size(0) + 1)), partition(out, p, sequence(0, (out.size(1) + p - 1) / p, out.size(1)), sequence(1), sequence((out.size(1) + p - 1) / p, (out.size(1) + p - 1) / p, out.size(1) + 1)));
)");
}

TEST(Containers, MapsGoOverTheOutermostDimension) {
  EXPECT_EQ(diagnose(R"(
__codelet void scale(Array<2, float> a) { a[0][0] = 1; }
__codelet void fill(Array<1, float> a) { a[0] = 1; }
__codelet void f(Array<3, float> a) {
  map(scale, a);
  map(fill, a[0]);
  map(fill, a);
}
)"),
            R"(
test.cpp:7:13: error: 'map' gives 'Array<2, float>' to parameter 'a' of 'fill', which is 'Array<1, float>'
  map(fill, a);
            ^
test.cpp:3:37: note: the parameter is declared here
__codelet void fill(Array<1, float> a) { a[0] = 1; }
                                    ^
)");
}

TEST(ContainerErrors, PartsAreNotRows) {
  EXPECT_EQ(diagnose(R"(
__codelet void fill(Array<1, float> a) { a[0] = 1; }
__codelet void f(Array<2, float> a) { map(fill, rows(a, a.size())); }
)"),
            R"(
test.cpp:3:49: error: 'map' gives 'Array<2, float>' to parameter 'a' of 'fill', which is 'Array<1, float>'
__codelet void f(Array<2, float> a) { map(fill, rows(a, a.size())); }
                                                ^~~~~~~~~~~~~~~~~
test.cpp:2:37: note: the parameter is declared here
__codelet void fill(Array<1, float> a) { a[0] = 1; }
                                    ^
test.cpp:3:49: note: a part has as many dimensions as the whole; single rows are the elements of the container itself
__codelet void f(Array<2, float> a) { map(fill, rows(a, a.size())); }
                                                ^~~~~~~~~~~~~~~~~
)");
}

TEST(ContainerErrors, ExtentsOfALocalContainer) {
  EXPECT_EQ(diagnose(R"(
__codelet void fill(Array<1, float> a) { a[0] = 0; }
__codelet void f(int n, float x) {
  Array<1, float> a(n, n);
  Array<2, float> b(n);
  Array<1, float> c(x);
  fill(a);
}
)"),
            R"(
test.cpp:4:20: error: 'Array<1, float>' takes 1 extent, not 2
  Array<1, float> a(n, n);
                   ^~~~~~
test.cpp:5:20: error: 'Array<2, float>' takes 2 extents, not 1
  Array<2, float> b(n);
                   ^~~
test.cpp:6:21: error: extent of a container must be an integer
  Array<1, float> c(x);
                    ^
)");
}

TEST(ContainerErrors, LocalContainerOutsideACompoundCodelet) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(int n) {
  Array<1, int> whole(n);
  int s = 0;
  for (int i = 0; i < n; ++i) {
    Array<1, int> a(n);
    a[0] = i;
    whole[i] = a[0];
    s += whole[i];
  }
  return s;
}
__codelet __coop int g(int n) {
  Array<1, int> a(n);
  return a[0];
}
)"),
            R"(
test.cpp:6:19: error: local container 'a' in a loop or branch of a codelet that calls no spectrum
    Array<1, int> a(n);
                  ^
note: declare it before, with a dimension for each round, or use an array of constant size
test.cpp:14:17: error: local container 'a' in a cooperative codelet
  Array<1, int> a(n);
                ^
note: lanes share memory in '__shared' arrays
)");
  EXPECT_EQ(diagnose(R"(
int g(int n) {
  Array<1, int> a(n);
  return a[0];
}
__codelet int f(int n) { return g(n); }
)"),
            R"(
test.cpp:3:17: error: unsupported construct: local container outside a codelet
  Array<1, int> a(n);
                ^~~~
)");
}

TEST(ContainerErrors, ViewsOfInputsAreNotWritten) {
  EXPECT_EQ(diagnose(R"(
__codelet int id(int x) { return x; }
__codelet void f(const Array<2, int> in, Array<2, int> out) {
  Array<1, int> row = in[0];
  auto t = transpose(in);
  row[1] = 2;
  t[0][1] += 3;
  row = map(id, out[1]);
  transpose(in)[0][0] = 3;
  transpose(out)[0][0] = 3;
}
)"),
            R"(
test.cpp:6:3: error: 'row' is a view of an input and cannot be written
  row[1] = 2;
  ^~~~~~
test.cpp:7:3: error: 't' is a view of an input and cannot be written
  t[0][1] += 3;
  ^~~~~~~
test.cpp:8:3: error: 'row' is a view of an input and cannot be written
  row = map(id, out[1]);
  ^~~
test.cpp:9:3: error: 'in' is a view of an input and cannot be written
  transpose(in)[0][0] = 3;
  ^~~~~~~~~~~~~~~~~~~
)");
}

TEST(ContainerErrors, WhatIsAssignedToAContainer) {
  EXPECT_EQ(diagnose(R"(
__codelet int id(int x) { return x; }
__codelet void f(const Array<1, int> in, Array<1, int> out, Array<2, int> m) {
  out = in;
  m[0] = map(id, in);
  m = m;
}
)"),
            R"(
test.cpp:4:3: error: unsupported construct: assignment to a container of anything but a map's results
  out = in;
  ^~~~~~~~
test.cpp:5:3: error: unsupported construct: assignment to a view without a name; declare a container for it first
  m[0] = map(id, in);
  ^~~~
test.cpp:6:3: error: unsupported construct: assignment to a container of anything but a map's results
  m = m;
  ^~~~~
)");
}

TEST(ContainerErrors, TypesOfResults) {
  EXPECT_EQ(diagnose(R"(
__codelet int id(int x) { return x; }
__codelet void f(const Array<1, int> in, Array<1, float> x, Array<2, int> m) {
  x = map(id, in);
  m = map(id, in);
  in = map(id, in);
}
)"),
            R"(
test.cpp:4:5: error: cannot assign 'Array<1, int>' to 'Array<1, float>'
  x = map(id, in);
    ^
test.cpp:5:5: error: cannot assign 'Array<1, int>' to 'Array<2, int>'
  m = map(id, in);
    ^
test.cpp:6:6: error: cannot assign to 'const Array<1, int>'
  in = map(id, in);
     ^
)");
}

TEST(ContainerErrors, DimensionsOfViews) {
  EXPECT_EQ(diagnose(R"(
__codelet void fill(Array<1, float> a) { a[0] = 0; }
__codelet void f(Array<1, float> a, Array<3, float> b, float x) {
  map(fill, cols(a, 2));
  fill(transpose(b)[0][0]);
  map(fill, cols(b, x));
}
)"),
            R"(
test.cpp:4:18: error: 'cols' takes a container of 2 dimensions or more, not 'Array<1, float>'
  map(fill, cols(a, 2));
                 ^
test.cpp:5:18: error: 'transpose' takes a container of 2 dimensions, not 'Array<3, float>'
  fill(transpose(b)[0][0]);
                 ^
test.cpp:6:21: error: number of parts of 'cols' must be an integer
  map(fill, cols(b, x));
                    ^
)");
}

TEST(ContainerErrors, ElementsAreNoRows) {
  EXPECT_EQ(diagnose(R"(
__codelet float f(const Array<2, float> a) {
  float x = a[0];
  return a[0][1][2];
}
)"),
            R"(
test.cpp:3:9: error: no viable conversion from 'const Array<1, float>' to 'float'
  float x = a[0];
        ^
test.cpp:4:17: error: subscripted value is not an array, pointer, or vector
  return a[0][1][2];
                ^
)");
}

} // namespace tangram::frontend
