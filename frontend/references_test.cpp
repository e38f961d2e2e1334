// Parameters that are references: elements that a mapped spectrum writes.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

/// The bodies of all codelets of a source.
std::string bodies(const std::string &text) {
  ParseResult result = parseSource(text);
  if (!result.program)
    return diagnose(text);
  std::string all = "\n";
  for (const ir::Spectrum &spectrum : result.program->spectrums) {
    for (const ir::Codelet &codelet : spectrum.codelets)
      all += ir::toString(codelet.body) + "--\n";
  }
  return all;
}

} // namespace

TEST(References, AreContainersOfOneElement) {
  EXPECT_EQ(bodies(R"(
template <class T> __codelet void both(T a, T b, T &sum, T &count) {
  sum = a + b;
  sum *= sum - b;
  ++count;
}
template void both<float>(float, float, float &, float &);
)"),
            R"(
require(sum.size() == 1);
require(count.size() == 1);
sum[0] = a + b;
sum[0] *= sum[0] - b;
count[0] += 1;
--
)");
}

TEST(References, AMapHandsOverElements) {
  EXPECT_EQ(bodies(R"(
__codelet int both(int a, int b, int &sum) { sum = a + b; return a * b; }
__codelet void zipped(const Array<1, int> a, const Array<1, int> b, Array<1, int> sums, Array<1, int> products) {
  products = map(both, a, b, sums);
}
)"),
            R"(
require(sum.size() == 1);
sum[0] = a + b;
return a * b;
--
products = map(both, a, b, partition(sums, (sums.size() + 1 - 1) / 1, sequence(0, 1, sums.size()), sequence(1), sequence(1, 1, sums.size() + 1)));
--
)");
}

TEST(References, AreGivenByMapsAndWritten) {
  EXPECT_EQ(diagnose(R"(
__codelet void both(int a, int &sum) { sum = a; }
__codelet void f(const Array<1, int> a, Array<1, float> b, Array<2, int> c, Array<1, int> d, int n) {
  map(both, a, a);
  map(both, a, b);
  map(both, a, c);
  map(both, a, all(d));
  map(both, a, rows(d, 2));
  map(both, a, n);
  both(1, d[0]);
}
)"),
            R"(
test.cpp:4:16: error: 'map' gives 'const Array<1, int>' to parameter 'sum' of 'both', which is 'int &': its elements are those of a container that is written, 'Array<1, int>'
  map(both, a, a);
               ^
test.cpp:2:33: note: the parameter is declared here
__codelet void both(int a, int &sum) { sum = a; }
                                ^~~
test.cpp:5:16: error: 'map' gives 'Array<1, float>' to parameter 'sum' of 'both', which is 'int &': its elements are those of a container that is written, 'Array<1, int>'
  map(both, a, b);
               ^
test.cpp:2:33: note: the parameter is declared here
__codelet void both(int a, int &sum) { sum = a; }
                                ^~~
test.cpp:6:16: error: 'map' gives 'Array<2, int>' to parameter 'sum' of 'both', which is 'int &': its elements are those of a container that is written, 'Array<1, int>'
  map(both, a, c);
               ^
test.cpp:2:33: note: the parameter is declared here
__codelet void both(int a, int &sum) { sum = a; }
                                ^~~
test.cpp:7:16: error: 'map' gives all of an 'Array<1, int>' to parameter 'sum' of 'both', which is 'int &': its elements are those of a container that is written, 'Array<1, int>'
  map(both, a, all(d));
               ^~~~~~
test.cpp:2:33: note: the parameter is declared here
__codelet void both(int a, int &sum) { sum = a; }
                                ^~~
test.cpp:8:16: error: 'map' gives 'container of Array<1, int>' to parameter 'sum' of 'both', which is 'int &': its elements are those of a container that is written, 'Array<1, int>'
  map(both, a, rows(d, 2));
               ^~~~~~~~~~
test.cpp:2:33: note: the parameter is declared here
__codelet void both(int a, int &sum) { sum = a; }
                                ^~~
test.cpp:9:16: error: 'map' gives 'int' to parameter 'sum' of 'both', which is 'int &': its elements are those of a container that is written, 'Array<1, int>'
  map(both, a, n);
               ^
test.cpp:2:33: note: the parameter is declared here
__codelet void both(int a, int &sum) { sum = a; }
                                ^~~
test.cpp:10:11: error: 'both' writes its parameter 'sum', an element: a map gives it one
  both(1, d[0]);
          ^~~~
test.cpp:2:33: note: the parameter is declared here
__codelet void both(int a, int &sum) { sum = a; }
                                ^~~
)");
}

TEST(References, ConstantOnesAreRefused) {
  EXPECT_EQ(diagnose(R"(
void set(int &x) { x = 1; }
__codelet void one(int a, const int &b, Array<1, int> out) { out[0] = a + b; }
__codelet void two(Array<1, int> out) { int x = 0; set(x); out[0] = x; }
)"),
            R"(
test.cpp:3:38: error: unsupported construct: parameter 'b' of type 'const int &'
__codelet void one(int a, const int &b, Array<1, int> out) { out[0] = a + b; }
                                     ^
)");
}

} // namespace tangram::frontend
