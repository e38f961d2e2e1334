#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(QualifierErrors, CoopOnACompoundCodelet) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet __coop
int sum(const Array<1, int> in) {
  return sum(in);
}
)"),
            R"(
test.cpp:3:11: error: '__coop' codelet of 'sum' is compound: a cooperative codelet calls no spectrum
__codelet __coop
          ^~~~~~
test.cpp:5:10: note: it calls spectrum 'sum' here
  return sum(in);
         ^~~~~~~
)");
}

TEST(QualifierErrors, CoopOnACodeletThatMaps) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__coop __codelet int sum(const Array<1, int> in) {
  __tunable unsigned p;
  return sum(map(sum, partition(in, p, sequence(0, 1, p), sequence(p), sequence(9))));
}
)"),
            R"(
test.cpp:3:1: error: '__coop' codelet of 'sum' is compound: a cooperative codelet calls no spectrum
__coop __codelet int sum(const Array<1, int> in) {
^~~~~~
test.cpp:5:10: note: it calls spectrum 'sum' here
  return sum(map(sum, partition(in, p, sequence(0, 1, p), sequence(p), sequence(9))));
         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)");
}

TEST(QualifierErrors, LanesOutsideCoop) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) {
  return coopIdx() < coopDim() ? in[0] : 0;
}
)"),
            R"(
test.cpp:3:10: error: 'coopIdx()' outside a '__coop' codelet
  return coopIdx() < coopDim() ? in[0] : 0;
         ^~~~~~~~~
test.cpp:3:22: error: 'coopDim()' outside a '__coop' codelet
  return coopIdx() < coopDim() ? in[0] : 0;
                     ^~~~~~~~~
)");
}

TEST(QualifierErrors, LaneInAHelperFunction) {
  EXPECT_EQ(diagnose(R"(
unsigned lane() { return coopIdx(); }
__codelet __coop int sum(const Array<1, int> in) { return in[lane()]; }
)"),
            R"(
test.cpp:2:26: error: unsupported construct: 'coopIdx' outside a codelet
unsigned lane() { return coopIdx(); }
                         ^~~~~~~~~
)");
}

TEST(QualifierErrors, SharedOutsideCoop) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) {
  __shared int tmp[16];
  tmp[0] = in[0];
  return tmp[0];
}
)"),
            R"(
test.cpp:3:16: error: '__shared' variable 'tmp' outside a '__coop' codelet
  __shared int tmp[16];
               ^~~
)");
}

TEST(QualifierErrors, SharedOnAParameter) {
  EXPECT_EQ(diagnose(R"(
__codelet __coop int sum(const Array<1, int> in, __shared int x) { return x; }
)"),
            R"(
test.cpp:2:50: error: '__shared' must qualify a local variable of a '__coop' codelet
__codelet __coop int sum(const Array<1, int> in, __shared int x) { return x; }
                                                 ^~~~~~~~
)");
}

TEST(QualifierErrors, SharedArrayWithValues) {
  EXPECT_EQ(diagnose(R"(
__codelet __coop int sum(const Array<1, int> in) {
  __shared int tmp[2] = {1, 2};
  return tmp[0];
}
)"),
            R"(
test.cpp:3:25: error: unsupported construct: initial values of a '__shared' array
  __shared int tmp[2] = {1, 2};
                        ^~~~~~
)");
}

TEST(QualifierErrors, TunableFloat) {
  EXPECT_EQ(diagnose(R"(
__codelet float sum(const Array<1, int> in) {
  __tunable float p;
  return p;
}
)"),
            R"(
test.cpp:3:19: error: '__tunable' must qualify an integer local variable, 'p' has type 'float'
  __tunable float p;
                  ^
)");
}

TEST(QualifierErrors, TunableArray) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) {
  __tunable int p[2];
  return p[0];
}
)"),
            R"(
test.cpp:3:17: error: '__tunable' must qualify an integer local variable, 'p' has type 'int[2]'
  __tunable int p[2];
                ^
)");
}

TEST(QualifierErrors, TunableParameter) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in, __tunable int p) { return p; }
)"),
            R"(
test.cpp:2:43: error: '__tunable' must qualify an integer local variable of a codelet
__codelet int sum(const Array<1, int> in, __tunable int p) { return p; }
                                          ^~~~~~~~~
)");
}

TEST(QualifierErrors, PositionalNumberWithASign) {
  EXPECT_EQ(diagnose(R"(
__codelet int at(const Array<1, int> in, __positional long i) { return in[i]; }
)"),
            R"(
test.cpp:2:60: error: parameter 'i' is '__positional': it must be an unsigned integer of 32 or 64 bits
__codelet int at(const Array<1, int> in, __positional long i) { return in[i]; }
                                                           ^
)");
}

TEST(QualifierErrors, PositionalLocal) {
  EXPECT_EQ(diagnose(R"(
__codelet int first(const Array<1, int> in) {
  __positional unsigned i = 0;
  return in[i];
}
)"),
            R"(
test.cpp:3:3: error: '__positional' must qualify an integer parameter of a codelet
  __positional unsigned i = 0;
  ^~~~~~~~~~~~
)");
}

TEST(QualifierErrors, PositionalInOneCodeletAlone) {
  EXPECT_EQ(diagnose(R"(
__codelet int at(const Array<1, int> in, __positional unsigned long i) { return in[i]; }
__codelet int at(const Array<1, int> in, unsigned long i) { return in[i + 0]; }
)"),
            R"(
test.cpp:3:56: error: codelet of 'at' has a parameter of type 'unsigned long', in its spectrum it is '__positional unsigned long'
__codelet int at(const Array<1, int> in, unsigned long i) { return in[i + 0]; }
                                                       ^
test.cpp:2:15: note: spectrum 'at' is declared by its first codelet here
__codelet int at(const Array<1, int> in, __positional unsigned long i) { return in[i]; }
              ^~
)");
}

TEST(QualifierErrors, TunableGlobal) {
  EXPECT_EQ(diagnose(R"(
__tunable int p;
__codelet int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:1: error: '__tunable' must qualify an integer local variable of a codelet
__tunable int p;
^~~~~~~~~
)");
}

TEST(QualifierErrors, TunableInAHelperFunction) {
  EXPECT_EQ(diagnose(R"(
int twice(int x) {
  __tunable int p;
  return p * x;
}
__codelet int sum(const Array<1, int> in) { return twice(in[0]); }
)"),
            R"(
test.cpp:3:3: error: '__tunable' must qualify an integer local variable of a codelet
  __tunable int p;
  ^~~~~~~~~
)");
}

TEST(QualifierErrors, UnusedTunable) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) {
  __tunable unsigned p = pow2(1, 8);
  return in[0];
}
)"),
            R"(
test.cpp:3:22: error: tunable 'p' is never used
  __tunable unsigned p = pow2(1, 8);
                     ^
)");
}

TEST(QualifierErrors, AssignedTunable) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) {
  __tunable int p;
  p += 2;
  return p;
}
)"),
            R"(
test.cpp:4:3: error: tunable 'p' cannot be assigned: its value is chosen by tuning
  p += 2;
  ^
)");
}

TEST(QualifierErrors, UnknownTarget) {
  EXPECT_EQ(diagnose(R"(
__codelet __env(opencl, opemp, vulkan) int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:25: error: unknown target 'opemp'; did you mean 'openmp'?
__codelet __env(opencl, opemp, vulkan) int sum(const Array<1, int> in) { return in[0]; }
                        ^~~~~
                        openmp
test.cpp:2:32: error: unknown target 'vulkan'; known are opencl, openmp and cuda
__codelet __env(opencl, opemp, vulkan) int sum(const Array<1, int> in) { return in[0]; }
                               ^~~~~~
)");
}

TEST(QualifierErrors, EmptyTargetList) {
  EXPECT_EQ(diagnose(R"(
__codelet __env() int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:11: error: '__env' takes at least one target
__codelet __env() int sum(const Array<1, int> in) { return in[0]; }
          ^~~~~~~
)");
}

TEST(QualifierErrors, TagOfTwoWords) {
  EXPECT_EQ(diagnose(R"(
__codelet __tag(two words) int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:11: error: '__tag' takes one name
__codelet __tag(two words) int sum(const Array<1, int> in) { return in[0]; }
          ^~~~~~~~~~~~~~~~
)");
}

TEST(QualifierErrors, TwoTags) {
  EXPECT_EQ(diagnose(R"(
__codelet __tag(one) __tag(two) int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:22: error: this codelet has the tag 'one' already
__codelet __tag(one) __tag(two) int sum(const Array<1, int> in) { return in[0]; }
                     ^~~~~~~~~~
)");
}

TEST(QualifierErrors, StrayQualifiers) {
  EXPECT_EQ(diagnose(R"(
__coop int twice(int x) { return 2 * x; }
__codelet int sum(const Array<1, int> in) { return twice(in[0]); }
__tag(last)
)"),
            R"(
test.cpp:2:1: error: '__coop' must stand beside '__codelet'
__coop int twice(int x) { return 2 * x; }
^~~~~~
test.cpp:4:1: error: '__tag' must stand beside '__codelet'
__tag(last)
^~~~~~~~~~~
)");
}

TEST(QualifierErrors, CodeletTwice) {
  EXPECT_EQ(diagnose(R"(
__codelet __codelet int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:11: error: '__codelet' is given twice
__codelet __codelet int sum(const Array<1, int> in) { return in[0]; }
          ^~~~~~~~~
)");
}

TEST(QualifierErrors, CodeletOnAVariable) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum;
)"),
            R"(
test.cpp:2:1: error: '__codelet' must stand before the declaration or definition of a function
__codelet int sum;
^~~~~~~~~
)");
}

} // namespace tangram::frontend
