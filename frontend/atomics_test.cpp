// Atomic operations: what they become, and where they may stand.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(Atomics, OnElementsOfOutputs) {
  EXPECT_EQ(lowered(R"(
__codelet void f(Array<1, unsigned> n, Array<2, float> m, unsigned x) {
  atomicAdd(n[x], 1);
  unsigned at = atomicAdd(n[0], 1u);
  int old = atomicMin(n[1], x);
  at = atomicMax(n[2], at);
  atomicExchange(n[3], old);
  n[4] = atomicCAS(n[5], 0, x + 1);
  atomicAdd(m[0][1], x);
}
)"),
            R"(
atomicAdd(n[x], 1);
unsigned at = atomicAdd(n[0], 1);
int old = atomicMin(n[1], x);
at = atomicMax(n[2], at);
atomicExchange(n[3], (unsigned)old);
n[4] = atomicCAS(n[5], 0, x + 1);
atomicAdd(m[0][1], (float)x);
)");
}

TEST(Atomics, OnComponentsOfElements) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<1, int> of, const Array<1, float2> x, Array<1, float2> y) {
  atomicAdd(y[of[0]].x, x[0].x);
  atomicAdd(y[of[0]].y, x[0].y);
}
)"),
            R"(
require(x.size(1) == 2);
require(y.size(1) == 2);
atomicAdd(y[of[0]][0], x[0][0]);
atomicAdd(y[of[0]][1], x[0][1]);
)");
}

TEST(Atomics, OnComponentsOfSharedVectors) {
  EXPECT_EQ(lowered(R"(
__codelet __coop void f(const Array<1, float2> x) {
  __shared float2 all, some[4];
  atomicAdd(all.y, x[coopIdx()].y);
  atomicAdd(some[1].x, x[coopIdx()].x);
}
)"),
            R"(
require(x.size(1) == 2);
__shared float all[2];
__shared float some[8];
atomicAdd(all[1], x[coopIdx()][1]);
atomicAdd(some[2], x[coopIdx()][0]);
)");
}

TEST(Atomics, OnSharedVariables) {
  EXPECT_EQ(lowered(R"(
__codelet __coop void f(const Array<1, int> in) {
  __shared int total, bins[16];
  atomicAdd(total, in[coopIdx()]);
  atomicAdd(bins[in[coopIdx()]], 1);
}
)"),
            R"(
__shared int total;
__shared int bins[16];
atomicAdd(total, in[coopIdx()]);
atomicAdd(bins[in[coopIdx()]], 1);
)");
}

TEST(Atomics, StandAlone) {
  EXPECT_EQ(diagnose(R"(
__codelet unsigned f(Array<1, unsigned> n) {
  unsigned at = 1 + atomicAdd(n[0], 1);
  at += atomicAdd(n[0], 1);
  n[atomicAdd(n[0], 1)] = 2;
  if (atomicCAS(n[0], 0, 1) == 0)
    at = 2;
  float x = atomicAdd(n[0], 1);
  return atomicAdd(n[0], 1);
}
)"),
            R"(
test.cpp:3:21: error: 'atomicAdd' must be a statement, or the whole value of an initialiser or of an assignment
  unsigned at = 1 + atomicAdd(n[0], 1);
                    ^~~~~~~~~~~~~~~~~~
test.cpp:4:9: error: 'atomicAdd' must be a statement, or the whole value of an initialiser or of an assignment
  at += atomicAdd(n[0], 1);
        ^~~~~~~~~~~~~~~~~~
test.cpp:5:5: error: 'atomicAdd' must be a statement, or the whole value of an initialiser or of an assignment
  n[atomicAdd(n[0], 1)] = 2;
    ^~~~~~~~~~~~~~~~~~
test.cpp:6:7: error: 'atomicCAS' must be a statement, or the whole value of an initialiser or of an assignment
  if (atomicCAS(n[0], 0, 1) == 0)
      ^~~~~~~~~~~~~~~~~~~~~
test.cpp:8:13: error: 'atomicAdd' gives 'unsigned': keep it in a variable of that type, and convert that
  float x = atomicAdd(n[0], 1);
            ^~~~~~~~~~~~~~~~~~
test.cpp:9:10: error: 'atomicAdd' must be a statement, or the whole value of an initialiser or of an assignment
  return atomicAdd(n[0], 1);
         ^~~~~~~~~~~~~~~~~~
)");
}

TEST(Atomics, OnWhatIsShared) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(const Array<1, int> in, Array<2, int> out) {
  int own = 0, array[3];
  atomicAdd(own, 1);
  atomicAdd(array[1], 1);
  atomicAdd(in[0], 1);
}
)"),
            R"(
test.cpp:4:13: error: 'atomicAdd' works on an element of an output or of a '__shared' array, or on a '__shared' scalar
  atomicAdd(own, 1);
            ^~~
test.cpp:5:13: error: 'atomicAdd' works on an element of an output or of a '__shared' array, or on a '__shared' scalar
  atomicAdd(array[1], 1);
            ^~~~~~~~
test.cpp:6:13: error: 'in' is a view of an input and cannot be written
  atomicAdd(in[0], 1);
            ^~~~~
)");
}

TEST(Atomics, Types) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(Array<1, short> a, Array<1, float> b, Array<1, bool> c, Array<1, long> d) {
  atomicAdd(a[0], 1);
  atomicMin(b[0], 1);
  atomicExchange(c[0], true);
  atomicAdd(d[0], 1);
}
)"),
            R"(
test.cpp:3:13: error: 'atomicAdd' works on integers of 32 and 64 bits, float and double, not on 'short'
  atomicAdd(a[0], 1);
            ^~~~
test.cpp:4:13: error: 'atomicMin' works on integers of 32 and 64 bits, not on 'float'
  atomicMin(b[0], 1);
            ^~~~
test.cpp:5:18: error: 'atomicExchange' works on integers of 32 and 64 bits, not on 'bool'
  atomicExchange(c[0], true);
                 ^~~~
)");
}

TEST(Atomics, InAHelperFunction) {
  EXPECT_EQ(diagnose(R"(
void g(Array<1, int> &a) { atomicAdd(a[0], 1); }
__codelet void f(Array<1, int> a) { g(a); }
)"),
            "\n");
}

} // namespace tangram::frontend
