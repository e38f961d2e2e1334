// What a codelet requires of its data.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(Contracts, OnDataAndShape) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<1, int> columns, const Array<1, unsigned> offsets,
                 const Array<1, float> x, int n) {
  require(x.size() == columns.size() + 1);
  require(within(columns, 0, x.size()));
  require(within(columns, -n, 2 * n));
  require(ascending(offsets, 0, (int)columns.size()));
}
)"),
            R"(
require(x.size() == columns.size() + 1);
require(within(columns, 0, x.size()));
require(within(columns, -n, 2 * n));
require(ascending(offsets, 0, (int)columns.size()));
)");
}

TEST(Contracts, StandAtTheTop) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(const Array<1, int> a, int n) {
  if (n > 0)
    require(within(a, 0, n));
  { require(ascending(a, 0, n)); }
  require(n > 0 || within(a, 0, n));
  bool b = ascending(a, 0, n);
}
)"),
            R"(
test.cpp:4:13: error: 'within' must be the whole condition of a 'require' at the top of a codelet's body
    require(within(a, 0, n));
            ^~~~~~~~~~~~~~~
test.cpp:5:13: error: 'ascending' must be the whole condition of a 'require' at the top of a codelet's body
  { require(ascending(a, 0, n)); }
            ^~~~~~~~~~~~~~~~~~
test.cpp:6:20: error: 'within' must be the whole condition of a 'require' at the top of a codelet's body
  require(n > 0 || within(a, 0, n));
                   ^~~~~~~~~~~~~~~
test.cpp:7:12: error: 'ascending' must be the whole condition of a 'require' at the top of a codelet's body
  bool b = ascending(a, 0, n);
           ^~~~~~~~~~~~~~~~~~
)");
}

TEST(Contracts, OfFloatingPointValuesNobodyChecks) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(float eps, Array<1, float> a) {
  require(a.size() > 0 && eps > 0);
  a[0] = 1 / eps;
}
)"),
            R"(
test.cpp:3:27: warning: no library checks what is required of floating-point values: a plan that does not prove it is refused
  require(a.size() > 0 && eps > 0);
                          ^~~~~~~
note: that a parameter is in a range is said by 'within(parameter, low, high)', what else the caller guarantees in a comment
)");
}

TEST(Contracts, OfFloatingPointNumbersAreRangesOfConstants) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(float eps, const Array<2, double> m, Array<1, float4> a) {
  require(within(eps, 0.001, 1) && within(m, -1, 1e6) && within(a, -1.5, 2));
  a[0].x = 1 / eps;
}
)"),
            "\n");
}

TEST(Contracts, Arguments) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(const Array<1, int> a, const Array<1, float> x, const Array<2, int> m, int n) {
  int local = n;
  local += 1;
  require(within(a, 0));
  require(within(x, 0, n));
  require(within(n, 0, n));
  require(ascending(m, 0, n));
  require(within(m, 0, n));
  require(within(a, a[0], local));
  require(within(m[0], 0.5, n));
}
)"),
            R"(
test.cpp:5:11: error: 'within' takes 3 arguments (container, low, high), not 2
  require(within(a, 0));
          ^~~~~~~~~~~~
test.cpp:6:24: error: bound of 'within' must be a constant, since it is about floating-point numbers
  require(within(x, 0, n));
                       ^
test.cpp:7:18: error: 'within' is about a parameter that is a container of numbers, or a floating-point number
  require(within(n, 0, n));
                 ^
test.cpp:8:21: error: 'ascending' is about a container of integers with one dimension
  require(ascending(m, 0, n));
                    ^
test.cpp:10:21: error: bound of 'within' must be an integer made of literals, sizes of parameters and scalar parameters
  require(within(a, a[0], local));
                    ^~~~
test.cpp:10:27: error: bound of 'within' must be an integer made of literals, sizes of parameters and scalar parameters
  require(within(a, a[0], local));
                          ^~~~~
test.cpp:11:18: error: 'within' is about a parameter that is a container of numbers, or a floating-point number
  require(within(m[0], 0.5, n));
                 ^~~~
test.cpp:11:24: error: bound of 'within' must be an integer made of literals, sizes of parameters and scalar parameters
  require(within(m[0], 0.5, n));
                       ^~~
)");
}

TEST(Contracts, NamesOfSizesStandForTheirValues) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<2, int> a, const Array<1, int> at, int k, Array<1, float> x) {
  const int n = a.size(0), half = (n + k) / 2;
  unsigned m = a.size(1);
  require(x.size() == n && a.size(1) == half);
  require(n >= 3);
  require(within(at, 0, n));
  require(m % 2 == 0);
  m += 1;
  x[0] = n + m;
}
)"),
            R"(
int n = a.size(0);
int half_ = (n + k) / 2;
unsigned m = a.size(1);
require(x.size() == (int)a.size(0));
require(a.size(1) == ((int)a.size(0) + k) / 2);
require((int)a.size(0) >= 3);
require(within(at, 0, (int)a.size(0)));
require((unsigned)a.size(1) % 2 == 0);
m += 1;
x[0] = (float)(n + m);
)");
}

TEST(Contracts, NamesConvertTheirValues) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<1, int> a, int k, Array<1, float> x) {
  const int inside = a.size() - 2;
  const unsigned char few = a.size();
  const int most = max(k, 1);
  require(inside >= 1);
  require(x.size() == few);
  require(k <= most);
  x[0] = inside;
}
)"),
            R"(
int inside = a.size() - 2;
unsigned char few = a.size();
int most = max(k, 1);
require((int)(a.size() - 2) >= 1);
require(x.size() == (unsigned char)a.size());
require(k <= max(k, 1));
x[0] = (float)inside;
)");
}

TEST(Contracts, OfSizesAreMadeOfWhatTheCallerKnows) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(const Array<1, int> a, Array<1, float> x) {
  int n = a.size();
  n = n > 3 ? n - 3 : 0;
  const int m = a[0];
  require(x.size() == n);
  require(x.size() == m);
  require(m > 3);
  x[0] = n;
}
)"),
            R"(
test.cpp:6:23: error: the caller does not know 'n': what is required of a size is made of literals, sizes of parameters, scalar parameters and constants made of these
  require(x.size() == n);
                      ^
test.cpp:7:23: error: the caller does not know 'm': what is required of a size is made of literals, sizes of parameters, scalar parameters and constants made of these
  require(x.size() == m);
                      ^
)");
}

TEST(TypicalSizes, AreConstantsSaidOfSizesAndIntegersAtTheTop) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(int n, float x, Array<1, int> a) {
  typical(n, 100);
  typical(a.size(), 1 << 20);
  if (n > 0)
    typical(n, 3);
  typical(x, 3);
  typical(a[0], 3);
  typical(n, 0);
  typical(n, a.size());
  a[0] = 1;
}
)"),
            R"(
test.cpp:6:5: error: 'typical' must stand at the top of a codelet's body
    typical(n, 3);
    ^~~~~~~~~~~~~
test.cpp:7:11: error: 'typical' is about a size of a parameter, or an integer parameter
  typical(x, 3);
          ^
test.cpp:8:11: error: 'typical' is about a size of a parameter, or an integer parameter
  typical(a[0], 3);
          ^~~~
test.cpp:9:14: error: 'typical' takes a constant of at least 1
  typical(n, 0);
             ^
test.cpp:10:14: error: 'typical' takes a constant of at least 1
  typical(n, a.size());
             ^~~~~~~~
)");
}

} // namespace tangram::frontend
