// Views by index functions, as subscripts see through them.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(Views, SubscriptsSeeThroughThem) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<1, int> in, const Array<2, int> a, Array<1, int> out, int i) {
  auto back = reverse(in);
  out[0] = back[i];
  reverse(out)[1] = diagonal(a)[2];
  out[2] = flatten(a)[i] + reshape(in, 3, 4)[1][i];
  out[3] = broadcast(in, 5)[4][i] + slice(in, 2, 9, 0, 3)[i];
  out[4] = (int)(back.size() + diagonal(a).size() + flatten(a).size());
}
)"),
            R"(
out[0] = in[in.size() - 1 - (index)i];
out[out.size() - 1 - 1] = a[2][2];
out[2] = a[(index)i / a.size(1)][(index)i % a.size(1)] + in[4 + (index)i];
out[3] = in[i] + in[2 + (index)i * 3];
out[4] = (int)(in.size() + min(a.size(0), a.size(1)) + a.size(0) * a.size(1));
)");
}

TEST(Views, SpectrumsTakeThoseThatAreWindows) {
  EXPECT_EQ(diagnose(R"(
__codelet int one(int x) { return x; }
__codelet void f(const Array<2, int> a, Array<1, int> out) {
  out = map(one, flatten(a));
  out = map(one, reverse(out));
}
)"),
            R"(
test.cpp:4:18: error: 'flatten' handed to a spectrum
  out = map(one, flatten(a));
                 ^~~~~~~~~~
note: subscripts see through it, in loops and functions that are no spectrums: hand over the container itself, or copy the elements into a local container
)");
}

TEST(Views, OfInputsAreInputs) {
  EXPECT_EQ(diagnose(R"(
__codelet void f(const Array<1, int> in) { reverse(in)[0] = 1; }
)"),
            R"(
test.cpp:2:44: error: 'in' is a view of an input and cannot be written
__codelet void f(const Array<1, int> in) { reverse(in)[0] = 1; }
                                           ^~~~~~~~~~~~~~
)");
}

} // namespace tangram::frontend
