#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(UnsupportedTypes, Struct) {
  EXPECT_EQ(diagnose(R"(
struct Point {
  int x, y;
};
struct Named : Point {
  int name;
};
union Bits {
  int i;
  float f;
};
struct View {
  Array<1, int> *of;
};
__codelet int f(const Array<1, int> in) {
  Named a;
  Bits b;
  View c;
  return a.name + b.i;
}
)"),
            R"(
test.cpp:16:9: error: unsupported construct: struct with a base 'Named'
  Named a;
        ^
test.cpp:17:8: error: unsupported construct: union 'Bits'
  Bits b;
       ^
test.cpp:18:8: error: unsupported construct: member 'of' of type 'Array<1, int> *' in 'View'
  View c;
       ^
)");
}

TEST(UnsupportedTypes, SizeofAContainer) {
  EXPECT_EQ(diagnose(R"(
__codelet unsigned long f(const Array<1, int> in) { return sizeof(in) + sizeof(Array<2, int>) + sizeof(int); }
)"),
            R"(
test.cpp:2:60: error: unsupported construct: sizeof of a container; it has size()
__codelet unsigned long f(const Array<1, int> in) { return sizeof(in) + sizeof(Array<2, int>) + sizeof(int); }
                                                           ^~~~~~~~~~
test.cpp:2:73: error: unsupported construct: sizeof of a container; it has size()
__codelet unsigned long f(const Array<1, int> in) { return sizeof(in) + sizeof(Array<2, int>) + sizeof(int); }
                                                                        ^~~~~~~~~~~~~~~~~~~~~
)");
}

TEST(UnsupportedTypes, NamesOutsideAscii) {
  std::string told = diagnose("\n__codelet int f(const Array<1, int> größe) { return größe[0]; }");
  EXPECT_NE(told.find("test.cpp:2:37: error: unsupported construct: name 'größe' with characters "
                      "other than ASCII\n"),
            std::string::npos)
      << told;
}

TEST(UnsupportedTypes, DeepExpressions) {
  std::string sum = "x";
  for (int i = 0; i < 2000; ++i)
    sum += " + x";
  std::string told = diagnose("\n__codelet int f(int x) { return " + sum + "; }");
  EXPECT_NE(told.find("unsupported construct: expression of more than 500 levels"),
            std::string::npos)
      << told;
}

TEST(UnsupportedTypes, Union) {
  EXPECT_EQ(diagnose(R"(
union Bits {
  int i;
  float f;
};
__codelet int f(const Array<1, int> in, Bits b) { return b.i; }
)"),
            R"(
test.cpp:6:46: error: unsupported construct: parameter 'b' of type 'Bits'
__codelet int f(const Array<1, int> in, Bits b) { return b.i; }
                                             ^
)");
}

TEST(UnsupportedTypes, Pointers) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in, int *q) {
  int x = 3;
  int *p = &x;
  *p = 4;
  return *p + q[1];
}
)"),
            R"(
test.cpp:2:46: error: unsupported construct: parameter 'q' of type 'int *'
__codelet int f(const Array<1, int> in, int *q) {
                                             ^
test.cpp:4:8: error: unsupported construct: variable 'p' of type 'int *'
  int *p = &x;
       ^
)");
}

TEST(UnsupportedTypes, AddressOf) {
  EXPECT_EQ(diagnose(R"(
int g(int x) { return x; }
__codelet int f(const Array<1, int> in) { return g(*&in[0]); }
)"),
            R"(
test.cpp:3:52: error: unsupported construct: pointer
__codelet int f(const Array<1, int> in) { return g(*&in[0]); }
                                                   ^~~~~~~
)");
}

TEST(UnsupportedTypes, MutableLambda) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  int n = 0;
  auto g = [n](int x) mutable { return x + n++; };
  return g(in[0]);
}
)"),
            R"(
test.cpp:4:12: error: unsupported construct: mutable lambda: capture by reference instead
  auto g = [n](int x) mutable { return x + n++; };
           ^
)");
}

TEST(UnsupportedTypes, TextsThatAPointerMovesOver) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  const char *s = "text";
  s = "more";
  return s[in[0]];
}
)"),
            R"(
test.cpp:3:15: error: unsupported construct: variable 's' of type 'const char *'
  const char *s = "text";
              ^
test.cpp:4:7: error: unsupported construct: string
  s = "more";
      ^~~~~~
)");
}

TEST(UnsupportedTypes, FunctionsAsValues) {
  EXPECT_EQ(diagnose(R"(
int g(int x) { return x; }
__codelet int f(const Array<1, int> in) {
  auto p = f;
  auto q = g;
  return q(p(in));
}
)"),
            R"(
test.cpp:4:8: error: unsupported construct: variable 'p' of type 'int (*)(const Array<1, int>)'
  auto p = f;
       ^
test.cpp:5:8: error: unsupported construct: variable 'q' of type 'int (*)(int)'
  auto q = g;
       ^
)");
}

TEST(UnsupportedTypes, GlobalVariables) {
  EXPECT_EQ(diagnose(R"(
int counter = 0;
int table[3] = {1, 2, 3};
extern const int other[3];
__codelet int f(const Array<1, int> in) {
  counter += 1;
  return table[in[0]] + other[2];
}
)"),
            R"(
test.cpp:6:3: error: unsupported construct: global variable 'counter' that is not a constant
  counter += 1;
  ^~~~~~~
test.cpp:7:10: error: unsupported construct: global array 'table' that is not a constant
  return table[in[0]] + other[2];
         ^~~~~
test.cpp:7:25: error: unsupported construct: global array 'other' that is not a constant
  return table[in[0]] + other[2];
                        ^~~~~
)");
}

TEST(UnsupportedTypes, LocalArrays) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  int a[2][3];
  int b[in.size()];
  static int c[3];
  int *row = a[1];
  return b[2] + c[0];
}
)"),
            R"(
test.cpp:4:7: error: unsupported construct: array 'b' of variable size that is not '__shared'
  int b[in.size()];
      ^
test.cpp:5:14: error: unsupported construct: static or extern local variable that is not a constant
  static int c[3];
             ^
test.cpp:6:8: error: unsupported construct: variable 'row' of type 'int *'
  int *row = a[1];
       ^~~
)");
}

TEST(UnsupportedTypes, VariableArrayOfACooperativeCodelet) {
  EXPECT_EQ(diagnose(R"(
__codelet __coop int f(const Array<1, int> in) {
  int b[coopDim()];
  return b[0];
}
)"),
            R"(
test.cpp:3:7: error: unsupported construct: array 'b' of variable size that is not '__shared'
  int b[coopDim()];
      ^
)");
}

TEST(UnsupportedTypes, ContainerValues) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in, Array<1, int> out, Array<2, int> m) {
  out = in;
  auto row = m[1];
  auto s = sequence(1);
  return (in[0] ? out : out)[0] + m[0][0];
}
)"),
            R"(
test.cpp:3:3: error: unsupported construct: assignment to a container of anything but a map's results
  out = in;
  ^~~~~~~~
test.cpp:5:8: error: unsupported construct: variable 's' of type 'Sequence'
  auto s = sequence(1);
       ^
test.cpp:6:11: error: unsupported construct: choice between values of type 'Array<1, int>'
  return (in[0] ? out : out)[0] + m[0][0];
          ^~~~~~~~~~~~~~~~~
)");
}

TEST(UnsupportedTypes, Types) {
  EXPECT_EQ(diagnose(R"(
__codelet long double f(const Array<1, int> in) {
  __int128 wide = in[0];
  return wide;
}
)"),
            R"(
test.cpp:2:11: error: unsupported construct: result of type 'long double'
__codelet long double f(const Array<1, int> in) {
          ^~~~~~~~~~~
test.cpp:3:12: error: unsupported construct: variable 'wide' of type '__int128'
  __int128 wide = in[0];
           ^~~~
)");
}

TEST(UnsupportedTypes, ElementTypes) {
  EXPECT_EQ(diagnose(R"(
struct Point {
  int x;
};
__codelet int f(const Array<1, Point> in, Array<6, int> many, Array<1, int *> p) { return 0; }
)"),
            R"(
test.cpp:5:39: error: unsupported construct: parameter 'in' of type 'const Array<1, Point>'
__codelet int f(const Array<1, Point> in, Array<6, int> many, Array<1, int *> p) { return 0; }
                                      ^~
test.cpp:5:57: error: unsupported construct: parameter 'many' of type 'Array<6, int>'
__codelet int f(const Array<1, Point> in, Array<6, int> many, Array<1, int *> p) { return 0; }
                                                        ^~~~
test.cpp:5:79: error: unsupported construct: parameter 'p' of type 'Array<1, int *>'
__codelet int f(const Array<1, Point> in, Array<6, int> many, Array<1, int *> p) { return 0; }
                                                                              ^
)");
}

TEST(UnsupportedTypes, DefaultArgument) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in, int n = 3) { return n; }
)"),
            R"(
test.cpp:2:45: error: unsupported construct: default argument of parameter 'n'
__codelet int f(const Array<1, int> in, int n = 3) { return n; }
                                            ^
)");
}

TEST(UnsupportedTypes, Classes) {
  EXPECT_EQ(diagnose(R"(
struct Counter {
  int get() const { return 3; }
  int operator+(int x) const { return x; }
};
__codelet int f(const Array<1, int> in) { return Counter().get() + (Counter() + 3); }
)"),
            R"(
test.cpp:6:50: error: unsupported construct: value of type 'const Counter': name it, or list its members, T{a, b}
__codelet int f(const Array<1, int> in) { return Counter().get() + (Counter() + 3); }
                                                 ^~~~~~~~~
test.cpp:6:69: error: unsupported construct: value of type 'const Counter': name it, or list its members, T{a, b}
__codelet int f(const Array<1, int> in) { return Counter().get() + (Counter() + 3); }
                                                                    ^~~~~~~~~
)");
}

TEST(UnsupportedTypes, Memory) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) {
  int *p = new int[3];
  delete[] p;
  return *p;
}
)"),
            R"(
test.cpp:3:8: error: unsupported construct: variable 'p' of type 'int *'
  int *p = new int[3];
       ^
test.cpp:4:3: error: unsupported construct: dynamic memory
  delete[] p;
  ^~~~~~~~~~
)");
}

} // namespace tangram::frontend
