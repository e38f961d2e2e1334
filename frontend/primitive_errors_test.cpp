#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(PrimitiveErrors, PartitionArity) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet int sum(const Array<1, int> in) {
  __tunable unsigned p;
  return sum(map(sum, partition(in, p, sequence(0, 1, p), sequence(p))));
}
)"),
            R"(
test.cpp:5:23: error: 'partition' takes 5 arguments (container, n, start, inc, end), not 4
  return sum(map(sum, partition(in, p, sequence(0, 1, p), sequence(p))));
                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
)");
}

TEST(PrimitiveErrors, PartitionWithoutArguments) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet int sum(const Array<1, int> in) { return sum(map(sum, partition())); }
)"),
            R"(
test.cpp:3:65: error: 'partition' takes 5 arguments (container, n, start, inc, end), not 0
__codelet int sum(const Array<1, int> in) { return sum(map(sum, partition())); }
                                                                ^~~~~~~~~~~
)");
}

TEST(PrimitiveErrors, PartitionArguments) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet int sum(const Array<1, int> in) {
  __tunable unsigned p;
  return sum(map(sum, partition(p, 2.5, sequence(0, 1, p), p + 1, in)));
}
)"),
            R"(
test.cpp:5:33: error: argument 'container' of 'partition' must be a container
  return sum(map(sum, partition(p, 2.5, sequence(0, 1, p), p + 1, in)));
                                ^
test.cpp:5:36: error: argument 'n' of 'partition' must be an integer
  return sum(map(sum, partition(p, 2.5, sequence(0, 1, p), p + 1, in)));
                                   ^~~
test.cpp:5:60: error: argument 'inc' of 'partition' must be a sequence
  return sum(map(sum, partition(p, 2.5, sequence(0, 1, p), p + 1, in)));
                                                           ^~~~~
                                                           sequence(p + 1)
test.cpp:5:67: error: argument 'end' of 'partition' must be a sequence
  return sum(map(sum, partition(p, 2.5, sequence(0, 1, p), p + 1, in)));
                                                                  ^~
)");
}

TEST(PrimitiveErrors, SequenceArity) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet int sum(const Array<1, int> in) {
  __tunable unsigned p;
  return sum(map(sum, partition(in, p, sequence(0, 1), sequence(), sequence(1, 2, 3, 4, 5))));
}
)"),
            R"(
test.cpp:5:40: error: 'sequence' takes (a), (start, inc, end) or (container, start, inc, end), not 2 arguments
  return sum(map(sum, partition(in, p, sequence(0, 1), sequence(), sequence(1, 2, 3, 4, 5))));
                                       ^~~~~~~~~~~~~~
test.cpp:5:56: error: 'sequence' takes (a), (start, inc, end) or (container, start, inc, end), not 0 arguments
  return sum(map(sum, partition(in, p, sequence(0, 1), sequence(), sequence(1, 2, 3, 4, 5))));
                                                       ^~~~~~~~~~
test.cpp:5:68: error: 'sequence' takes (a), (start, inc, end) or (container, start, inc, end), not 5 arguments
  return sum(map(sum, partition(in, p, sequence(0, 1), sequence(), sequence(1, 2, 3, 4, 5))));
                                                                   ^~~~~~~~~~~~~~~~~~~~~~~
)");
}

// A number of a sequence goes to an integer, read from a container or not; a constant needs no sequence.
TEST(PrimitiveErrors, SequenceForAParameter) {
  EXPECT_EQ(diagnose(R"(
__codelet int at(int place, int n) { return place + n; }
__codelet int half(float place, int n) { return n; }
__codelet
int sum(const Array<1, int> in) {
  Array<1, int> a = map(at, sequence(in, 0, 1, in.size()), in);
  Array<1, int> b = map(at, sequence(1), in);
  Array<1, int> c = map(half, sequence(in, 0, 1, in.size()), in);
  return a[0] + b[0] + c[0];
}
)"),
            R"(
test.cpp:7:29: error: 'map' gives a sequence without an end to parameter 'place' of 'at', which is 'int'
  Array<1, int> b = map(at, sequence(1), in);
                            ^~~~~~~~~~~
test.cpp:2:22: note: the parameter is declared here
__codelet int at(int place, int n) { return place + n; }
                     ^~~~~
test.cpp:7:29: note: a number that is the same for every element is given as it is
  Array<1, int> b = map(at, sequence(1), in);
                            ^~~~~~~~~~~
test.cpp:8:31: error: 'map' gives a sequence to parameter 'place' of 'half', which is 'float'
  Array<1, int> c = map(half, sequence(in, 0, 1, in.size()), in);
                              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~
test.cpp:3:26: note: the parameter is declared here
__codelet int half(float place, int n) { return n; }
                         ^~~~~
)");
}

TEST(PrimitiveErrors, SequenceArguments) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, float> in) { return in[0]; }
__codelet int sum(const Array<1, float> in) {
  __tunable unsigned p;
  map(sum, partition(in, p, sequence(0, 1, in), sequence(1.5), sequence(in, 1, 2, 3)));
  return 0;
}
)"),
            R"(
test.cpp:5:44: error: argument 3 of 'sequence' must be an integer
  map(sum, partition(in, p, sequence(0, 1, in), sequence(1.5), sequence(in, 1, 2, 3)));
                                           ^~
test.cpp:5:58: error: argument 1 of 'sequence' must be an integer
  map(sum, partition(in, p, sequence(0, 1, in), sequence(1.5), sequence(in, 1, 2, 3)));
                                                         ^~~
test.cpp:5:73: error: argument 1 of 'sequence' must be a container of integers
  map(sum, partition(in, p, sequence(0, 1, in), sequence(1.5), sequence(in, 1, 2, 3)));
                                                                        ^~
)");
}

TEST(PrimitiveErrors, MapOfAFunction) {
  EXPECT_EQ(diagnose(R"(
int twice(int x) { return 2 * x; }
__codelet int sum(const Array<1, int> in) {
  map(twice, in);
  return 0;
}
)"),
            R"(
test.cpp:4:7: error: 'map' applies a spectrum, 'twice' is not one: write '__codelet' before it
  map(twice, in);
      ^~~~~
)");
}

TEST(PrimitiveErrors, MapOfALambda) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) {
  map([](int x) { return x; }, in);
  map(3, in);
  return 0;
}
)"),
            R"(
test.cpp:3:7: error: 'map' applies a spectrum, a lambda is not one: write it as a '__codelet' function
  map([](int x) { return x; }, in);
      ^~~~~~~~~~~~~~~~~~~~~~~
test.cpp:4:7: error: 'map' applies a spectrum, this is not one
  map(3, in);
      ^
)");
}

TEST(PrimitiveErrors, MapNumberOfArguments) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet int sum(const Array<1, int> in) { return sum(map(sum, in, in)); }
)"),
            R"(
test.cpp:3:56: error: 'map' gives 'sum' 2 arguments, it takes 1
__codelet int sum(const Array<1, int> in) { return sum(map(sum, in, in)); }
                                                       ^~~~~~~~~~~~~~~~
test.cpp:2:15: note: spectrum 'sum' is declared here
__codelet int sum(const Array<1, int> in) { return in[0]; }
              ^~~
)");
}

TEST(PrimitiveErrors, MapElementType) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet int sum(const Array<1, int> in) { return sum(map(sum, in)); }
)"),
            R"(
test.cpp:3:65: error: 'map' gives 'int' to parameter 'in' of 'sum', which is 'const Array<1, int>'
__codelet int sum(const Array<1, int> in) { return sum(map(sum, in)); }
                                                                ^~
test.cpp:2:39: note: the parameter is declared here
__codelet int sum(const Array<1, int> in) { return in[0]; }
                                      ^~
)");
}

TEST(PrimitiveErrors, MapOfAConstContainer) {
  EXPECT_EQ(diagnose(R"(
__codelet void fill(Array<1, int> out) { out[0] = 0; }
__codelet void both(const Array<1, int> in) {
  map(fill, partition(in, 2, sequence(0, 1, 2), sequence(2), sequence(9)));
}
)"),
            R"(
test.cpp:4:13: error: 'map' gives 'const Array<1, int>' to parameter 'out' of 'fill', which is 'Array<1, int>'
  map(fill, partition(in, 2, sequence(0, 1, 2), sequence(2), sequence(9)));
            ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
test.cpp:2:35: note: the parameter is declared here
__codelet void fill(Array<1, int> out) { out[0] = 0; }
                                  ^~~
)");
}

TEST(PrimitiveErrors, MapWithoutContainer) {
  EXPECT_EQ(diagnose(R"(
__codelet int add(int a, int b) { return a + b; }
__codelet int f(const Array<1, int> in) {
  map(add, 1, 2);
  return 0;
}
)"),
            R"(
test.cpp:4:3: error: 'map' needs a container that is not in 'all', or a sequence with an end, among its arguments
  map(add, 1, 2);
  ^~~~~~~~~~~~~~
)");
}

// Tunables, parameters and sizes are known before a map begins, and a container for the results counts them.
TEST(PrimitiveErrors, MapOverNumbersAlone) {
  EXPECT_EQ(diagnose(R"(
__codelet int at(int place) { return place; }
__codelet int add(const Array<1, int> in);
__codelet int f(const Array<1, int> in, int step, Array<1, int> out) {
  __tunable unsigned t;
  unsigned pair = 2 * t;
  int moves = step;
  moves += 1;
  out = map(at, sequence(9, -1, -1));
  int known = add(map(at, sequence(0, pair, 9))) + add(map(at, sequence(0, step, 9)));
  return known + add(map(at, sequence(0, moves, 9))) + add(map(at, sequence(0, in[0], 9))) +
         add(map(at, sequence(9, -1, 0)));
}
__codelet int add(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:11:42: error: how many elements a 'map' over sequences alone has is not known: the increment of its first must be positive, and made of constants, tunables, sizes and parameters
  return known + add(map(at, sequence(0, moves, 9))) + add(map(at, sequence(0, in[0], 9))) +
                                         ^~~~~
note: results that are assigned to a container are as many as it has elements
test.cpp:11:80: error: how many elements a 'map' over sequences alone has is not known: the increment of its first must be positive, and made of constants, tunables, sizes and parameters
  return known + add(map(at, sequence(0, moves, 9))) + add(map(at, sequence(0, in[0], 9))) +
                                                                               ^~~~~
note: results that are assigned to a container are as many as it has elements
test.cpp:12:34: error: how many elements a 'map' over sequences alone has is not known: the increment of its first must be positive, and made of constants, tunables, sizes and parameters
         add(map(at, sequence(9, -1, 0)));
                                 ^~
note: results that are assigned to a container are as many as it has elements
)");
}

TEST(PrimitiveErrors, AllOutsideMap) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) {
  all(in);
  return 0;
}
)"),
            R"(
test.cpp:3:3: error: 'all' must be an argument of 'map', 'fold' or 'chain'
  all(in);
  ^~~~~~~
)");
}

TEST(PrimitiveErrors, AllOfAScalar) {
  EXPECT_EQ(diagnose(R"(
__codelet int add(int a, int b) { return a + b; }
__codelet int f(const Array<1, int> in) {
  map(add, in, all(2));
  return 0;
}
)"),
            R"(
test.cpp:4:20: error: argument of 'all' must be a container, not 'int'
  map(add, in, all(2));
                   ^
)");
}

TEST(PrimitiveErrors, ConstContainerToACallee) {
  EXPECT_EQ(diagnose(R"(
__codelet void fill(Array<1, int> out) { out[0] = 0; }
__codelet void f(const Array<1, int> in) { fill(in); }
)"),
            R"(
test.cpp:3:49: error: argument 1 of 'fill' is const, its parameter 'out' is not
__codelet void f(const Array<1, int> in) { fill(in); }
                                                ^~
test.cpp:2:35: note: the parameter is declared here
__codelet void fill(Array<1, int> out) { out[0] = 0; }
                                  ^~~
)");
}

TEST(PrimitiveErrors, SizeOfADimension) {
  EXPECT_EQ(diagnose(R"(
__codelet int f(const Array<1, int> in) { return in.size(1); }
)"),
            R"(
test.cpp:2:58: error: dimension of 'size' must be a constant below 1
__codelet int f(const Array<1, int> in) { return in.size(1); }
                                                         ^
)");
}

TEST(PrimitiveErrors, RequireInAHelperFunction) {
  EXPECT_EQ(diagnose(R"(
int g(int x) {
  require(x > 0);
  return x;
}
__codelet int f(const Array<1, int> in) { return g(in[0]); }
)"),
            R"(
test.cpp:3:3: error: unsupported construct: 'require' outside a codelet
  require(x > 0);
  ^~~~~~~~~~~~~~
)");
}

} // namespace tangram::frontend
