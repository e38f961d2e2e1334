#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(DomainErrors, Empty) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunable int p = range(9, 3);
  return p;
}
)"),
            R"(
test.cpp:3:21: error: domain is empty: lower bound 9 is above upper bound 3
  __tunable int p = range(9, 3);
                    ^~~~~~~~~~~
)");
}

TEST(DomainErrors, NotAPowerOfTwo) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunable int p = pow2(1, 48);
  return p;
}
)"),
            R"(
test.cpp:3:29: error: bound of 'pow2' must be a power of two, 48 is not
  __tunable int p = pow2(1, 48);
                            ^~
)");
}

TEST(DomainErrors, StepNotPositive) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunable int p = range(1, 8, 0);
  return p;
}
)"),
            R"(
test.cpp:3:33: error: step of 'range' must be positive, 0 is not
  __tunable int p = range(1, 8, 0);
                                ^
)");
}

TEST(DomainErrors, EmptyChoice) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunable int p = choice();
  return p;
}
)"),
            R"(
test.cpp:3:21: error: domain is empty: 'choice' needs at least one value
  __tunable int p = choice();
                    ^~~~~~~~
)");
}

TEST(DomainErrors, NotConstant) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunable int p = pow2(1, in.size());
  return p;
}
)"),
            R"(
test.cpp:3:29: error: argument of 'pow2' must be an integer constant
  __tunable int p = pow2(1, in.size());
                            ^~~~~~~~~
)");
}

TEST(DomainErrors, ValueDoesNotFit) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunable unsigned p = choice(4, -1);
  __tunable short q = pow2(1, 65536);
  return p + q;
}
)"),
            R"(
test.cpp:3:36: error: value -1 does not fit the tunable's type 'unsigned'
  __tunable unsigned p = choice(4, -1);
                                   ^~
test.cpp:4:31: error: value 65536 does not fit the tunable's type 'short'
  __tunable short q = pow2(1, 65536);
                              ^~~~~
)");
}

TEST(DomainErrors, ValueForDomain) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunable unsigned p = 64;
  return p;
}
)"),
            R"(
test.cpp:3:26: error: tunable 'p' takes a domain: pow2(lo, hi), range(lo, hi, step) or choice(values...)
  __tunable unsigned p = 64;
                         ^~
)");
}

TEST(DomainErrors, DomainOfAPlainVariable) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  unsigned p = pow2(1, 8);
  return p;
}
)"),
            R"(
test.cpp:3:16: error: 'pow2' must be the domain of a '__tunable' variable
  unsigned p = pow2(1, 8);
               ^~~~~~~~~~
)");
}

} // namespace tangram::frontend
