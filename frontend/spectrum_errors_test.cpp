#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(SpectrumErrors, NoCodelet) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in);
)"),
            R"(
test.cpp:2:15: error: spectrum 'sum' has no codelet
__codelet int sum(const Array<1, int> in);
              ^~~
)");
}

TEST(SpectrumErrors, TagUsedTwice) {
  EXPECT_EQ(diagnose(R"(
__codelet __tag(seq) int sum(const Array<1, int> in) { return in[0]; }
__codelet __tag(seq) int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:3:11: error: tag 'seq' is used twice in spectrum 'sum'
__codelet __tag(seq) int sum(const Array<1, int> in) { return in[0]; }
          ^~~~~~~~~~
test.cpp:2:11: note: it is first used here
__codelet __tag(seq) int sum(const Array<1, int> in) { return in[0]; }
          ^~~~~~~~~~
)");
}

TEST(SpectrumErrors, RecursionWithoutBase) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) {
  return sum(in);
}
)"),
            R"(
test.cpp:2:15: error: recursion of spectrum 'sum' has no base: every codelet leads back to it (sum -> sum)
__codelet int sum(const Array<1, int> in) {
              ^~~
test.cpp:3:10: note: 'sum' is called here
  return sum(in);
         ^~~~~~~
)");
}

TEST(SpectrumErrors, RecursionWithoutBaseThroughOtherSpectrums) {
  EXPECT_EQ(diagnose(R"(
__codelet int first(const Array<1, int> in);
__codelet int second(const Array<1, int> in);
__codelet int third(const Array<1, int> in) { return first(in); }
__codelet int first(const Array<1, int> in) { return second(in); }
__codelet int second(const Array<1, int> in) { return second(in) + first(in); }
__codelet int second(const Array<1, int> in) {
  __tunable unsigned p;
  return first(map(first, partition(in, p, sequence(0, 1, p), sequence(p), sequence(9))));
}
)"),
            R"(
test.cpp:2:15: error: recursion of spectrum 'first' has no base: every codelet leads back to it (first -> second -> first)
__codelet int first(const Array<1, int> in);
              ^~~~~
test.cpp:5:54: note: 'second' is called here
__codelet int first(const Array<1, int> in) { return second(in); }
                                                     ^~~~~~~~~~
test.cpp:6:68: note: 'first' is called here
__codelet int second(const Array<1, int> in) { return second(in) + first(in); }
                                                                   ^~~~~~~~~
)");
}

TEST(SpectrumErrors, PlainFunctionOfTheSameName) {
  EXPECT_EQ(diagnose(R"(
int sum(const Array<1, int> in) { return in[0]; }
__codelet int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:3:15: error: 'sum' is a function already, not a spectrum
__codelet int sum(const Array<1, int> in) { return in[0]; }
              ^~~
test.cpp:2:5: note: 'sum' is defined here
int sum(const Array<1, int> in) { return in[0]; }
    ^~~
)");
}

TEST(SpectrumErrors, CodeletInANamespace) {
  EXPECT_EQ(diagnose(R"(
namespace mine {
__codelet int sum(const Array<1, int> in) { return in[0]; }
}
)"),
            R"(
test.cpp:3:15: error: unsupported construct: codelet in a namespace or class
__codelet int sum(const Array<1, int> in) { return in[0]; }
              ^~~
)");
}

TEST(SpectrumErrors, SpectrumReturnsAContainer) {
  EXPECT_EQ(diagnose(R"(
__codelet Array<1, int> copy(const Array<1, int> in) { return in; }
)"),
            R"(
test.cpp:2:11: error: unsupported construct: result of type 'Array<1, int>'
__codelet Array<1, int> copy(const Array<1, int> in) { return in; }
          ^~~~~~~~~~~~~
)");
}

} // namespace tangram::frontend
