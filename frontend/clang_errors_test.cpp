#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(ClangErrors, Syntax) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  int x = 3
  return x;
}
)"),
            R"(
test.cpp:3:12: error: expected ';' at end of declaration
  int x = 3
           ^
           ;
)");
}

TEST(ClangErrors, MisspeltPrimitive) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  return f(map(f, partion(in, 2, sequence(0, 1, 2), sequence(2), sequence(9))));
}
)"),
            R"(
test.cpp:3:19: error: use of undeclared identifier 'partion'; did you mean 'partition'?
  return f(map(f, partion(in, 2, sequence(0, 1, 2), sequence(2), sequence(9))));
                  ^~~~~~~
                  partition
)");
}

TEST(ClangErrors, NamesOfStandardHeaders) {
  EXPECT_EQ(diagnose(R"(
__codelet float f(float x) { return x < FLT_MAX ? x : INFINITY; }
)"),
            R"(
test.cpp:2:41: error: use of undeclared identifier 'FLT_MAX'; <cfloat> declares it
__codelet float f(float x) { return x < FLT_MAX ? x : INFINITY; }
                                        ^~~~~~~
test.cpp:2:55: error: use of undeclared identifier 'INFINITY'; <cmath> declares it
__codelet float f(float x) { return x < FLT_MAX ? x : INFINITY; }
                                                      ^~~~~~~~
)");
}

TEST(ClangErrors, MisspeltCodelet) {
  EXPECT_EQ(diagnose(R"(
__codlet int f(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:1: error: unknown type name '__codlet'; did you mean '__codelet'?
__codlet int f(const Array<1, int> in) { return in[0]; }
^~~~~~~~
__codelet
)");
}

TEST(ClangErrors, MisspeltTunable) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  __tunabel unsigned p;
  return p;
}
)"),
            R"(
test.cpp:3:3: error: unknown type name '__tunabel'; did you mean '__tunable'?
  __tunabel unsigned p;
  ^~~~~~~~~
  __tunable
)");
}

TEST(ClangErrors, MisspeltTag) {
  EXPECT_EQ(diagnose(R"(
__codelet __tagg(x) int f(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:11: error: unknown type name '__tagg'; did you mean '__tag'?
__codelet __tagg(x) int f(const Array<1, int> in) { return in[0]; }
          ^~~~~~
          __tag
test.cpp:2:20: error: expected ';' after top level declarator
__codelet __tagg(x) int f(const Array<1, int> in) { return in[0]; }
                   ^
                   ;
)");
}

TEST(ClangErrors, MisspeltCoop) {
  EXPECT_EQ(diagnose(R"(
__codelet __cop int f(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:11: error: unknown type name '__cop'; did you mean '__coop'?
__codelet __cop int f(const Array<1, int> in) { return in[0]; }
          ^~~~~
          __coop
)");
}

TEST(ClangErrors, MisspeltMember) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) { return in.sise(); }
)"),
            R"(
test.cpp:2:53: error: no member named 'sise' in 'tangram::Array<1, int>'; did you mean 'size'?
__codelet int f(const Array<1, int> in) { return in.sise(); }
                                                    ^~~~
                                                    size
)");
}

TEST(ClangErrors, WriteToAnInput) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  in[0] = 3;
  return 0;
}
)"),
            R"(
test.cpp:3:9: error: cannot assign to an element of a const container
  in[0] = 3;
        ^
)");
}

TEST(ClangErrors, ArgumentType) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) { return in[0]; }
__codelet int g(const Array<1, float> in) { return f(in); }
)"),
            R"(
test.cpp:3:52: error: no matching function for call to 'f'
__codelet int g(const Array<1, float> in) { return f(in); }
                                                   ^
test.cpp:2:15: note: candidate function not viable: no known conversion from 'const Array<1, float>' to 'const Array<1, int>' for 1st argument
__codelet int f(const Array<1, int> in) { return in[0]; }
              ^
)");
}

TEST(ClangErrors, UnknownTypeInACodeletsParameters) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Arry<1, int> in) { return 0; }
)"),
            R"(
test.cpp:2:23: error: no template named 'Arry'; did you mean 'Array'?
__codelet int f(const Arry<1, int> in) { return 0; }
                      ^~~~
                      Array
)");
}

TEST(ClangErrors, TwoErrorsInOrder) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  return first + second;
}
)"),
            R"(
test.cpp:3:10: error: use of undeclared identifier 'first'
  return first + second;
         ^~~~~
test.cpp:3:18: error: use of undeclared identifier 'second'
  return first + second;
                 ^~~~~~
)");
}

TEST(ClangErrors, MissingReturn) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
}
)"),
            R"(
test.cpp:3:1: error: non-void function does not return a value
}
^
)");
}

TEST(ClangErrors, EndOfFileInACodelet) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in
)"),
            R"(
test.cpp:2:39: error: expected ')'
__codelet int f(const Array<1, int> in
                                      ^
test.cpp:2:16: note: to match this '('
__codelet int f(const Array<1, int> in
               ^
test.cpp:2:39: error: expected function body after function declarator
__codelet int f(const Array<1, int> in
                                      ^
)");
}

TEST(ClangErrors, MissingFile) {
  EXPECT_EQ(diagnose(R"(
#include "nowhere.h"
__codelet int f(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:2:10: error: 'nowhere.h' file not found
#include "nowhere.h"
         ^~~~~~~~~~~
)");
}

TEST(ClangErrors, InAMacro) {
  EXPECT_EQ(diagnose(R"(
#define ELEMENT(i) in[i] + missing
__codelet int f(const Array<1, int> in) { return ELEMENT(other); }
)"),
            R"(
test.cpp:3:58: error: use of undeclared identifier 'other'
__codelet int f(const Array<1, int> in) { return ELEMENT(other); }
                                                         ^~~~~
test.cpp:3:50: error: use of undeclared identifier 'missing'; did you mean 'using'?
__codelet int f(const Array<1, int> in) { return ELEMENT(other); }
                                                 ^~~~~~~
                                                 using
test.cpp:3:50: error: expected expression
__codelet int f(const Array<1, int> in) { return ELEMENT(other); }
                                                 ^~~~~~~
)");
}

} // namespace tangram::frontend
