#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(UnsupportedStatements, Switches) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in, int n) {
  switch (in[0]) {
  case 1:
    n = 2;
  case 2:
    break;
  }
  switch (in[1]) {
  case 1:
    if (n > 0)
      break;
    n = 3;
    break;
  case 2 ... 4:
    n = 4;
  }
  switch (in[2])
    case 1:
      n = 2;
  switch (in[3]) {
    n = 1;
  case 1:
    int x;
    while (n > 0) {
    case 2:
      x = n;
    }
  }
  switch (in[4]) {
  case 1:
    while (n > 0) {
    case 2:
      n = 1;
    }
  }
  switch (int x = in[5]) {
  default:
    return x;
  }
  return n;
}
)"),
            R"(
test.cpp:15:3: error: unsupported construct: range of cases
  case 2 ... 4:
  ^~~~~~~~~~~~~
test.cpp:18:3: error: unsupported construct: switch without braces
  switch (in[2])
  ^~~~~~
test.cpp:22:5: error: unsupported construct: statement before the first case of a switch
    n = 1;
    ^
test.cpp:33:5: error: unsupported construct: case inside another statement
    case 2:
    ^~~~
test.cpp:37:3: error: unsupported construct: declaration in the condition of a switch
  switch (int x = in[5]) {
  ^~~~~~
)");
}

TEST(UnsupportedStatements, Goto) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
again:
  if (in[0])
    goto again;
  return 0;
}
)"),
            R"(
test.cpp:3:1: error: unsupported construct: label
again:
^~~~~
)");
}

TEST(UnsupportedStatements, Exceptions) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  try {
    throw 3;
  } catch (int) {
  }
  if (in[0] == 3)
    throw 4;
  return 0;
}
)"),
            R"(
test.cpp:3:3: error: unsupported construct: exception handling
  try {
  ^~~
test.cpp:8:5: error: unsupported construct: exception handling
    throw 4;
    ^~~~~~~
)");
}

TEST(UnsupportedStatements, InlineAssembly) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  asm("nop");
  return 0;
}
)"),
            R"(
test.cpp:3:3: error: unsupported construct: inline assembly
  asm("nop");
  ^~~
)");
}

TEST(UnsupportedStatements, RecursiveHelper) {
  EXPECT_EQ(diagnose(R"(
int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__codelet int f(const Array<1, int> in) { return even(in[0]); }
)"),
            R"(
test.cpp:3:38: error: unsupported construct: recursive function 'even'
int odd(int n) { return n == 0 ? 0 : even(n - 1); }
                                     ^~~~~~~~~~~
test.cpp:4:5: note: 'even' is defined here
int even(int n) { return n == 0 ? 1 : odd(n - 1); }
    ^~~~
)");
}

TEST(UnsupportedStatements, HelperWithoutBody) {
  EXPECT_EQ(diagnose(R"(
int outside(int n);
__codelet int f(const Array<1, int> in) { return outside(in[0]); }
)"),
            R"(
test.cpp:3:50: error: unsupported construct: call of 'outside', which has no definition here
__codelet int f(const Array<1, int> in) { return outside(in[0]); }
                                                 ^~~~~~~~~~~~~~
)");
}

TEST(UnsupportedStatements, SpectrumCalledInAHelper) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(int x) { return x; }
int g(int x) { return f(x); }
__codelet int h(const Array<1, int> in) { return g(in[0]); }
)"),
            R"(
test.cpp:3:23: error: unsupported construct: spectrum 'f' called in a function that is no codelet
int g(int x) { return f(x); }
                      ^~~~
)");
}

TEST(UnsupportedStatements, DeclarationsInConditions) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  while (int y = in[1])
    return y;
  return 0;
}
)"),
            R"(
test.cpp:3:3: error: unsupported construct: declaration in the condition of a loop
  while (int y = in[1])
  ^~~~~
)");
}

TEST(UnsupportedStatements, StatementsWithoutEffect) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  in.size();
  (void)in;
  return 0;
}
)"),
            R"(
test.cpp:3:3: error: unsupported construct: statement without effect
  in.size();
  ^~~~~~~~~
)");
}

TEST(UnsupportedStatements, LibraryFunctions) {
  EXPECT_EQ(diagnose(R"(
extern "C" int printf(const char *, ...);
__codelet int f(const Array<1, int> in) {
  printf("%d", in[0]);
  return 0;
}
)"),
            R"(
test.cpp:4:3: error: unsupported construct: call of 'printf', which has no definition here
  printf("%d", in[0]);
  ^~~~~~~~~~~~~~~~~~~
)");
}

TEST(UnsupportedStatements, FunctionTryBlock) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) try { return in[0]; } catch (...) { return 1; }
)"),
            R"(
test.cpp:2:41: error: unsupported construct: function try block
__codelet int f(const Array<1, int> in) try { return in[0]; } catch (...) { return 1; }
                                        ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)");
}

} // namespace tangram::frontend
