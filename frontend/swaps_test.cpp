// swap: containers exchange what they name.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

std::string body(const std::string &text) {
  ParseResult result = parseSource("\n__codelet void f(const Array<1, int> in, Array<1, int> out) {"
                                   " out[0] = in[0]; }\n" +
                                   text);
  if (!result.program)
    return "\n" + ir::render(result.diagnostics);
  return "\n" + ir::toString(result.program->spectrums.back().codelets.back().body);
}

} // namespace

TEST(Swaps, OfLocalContainers) {
  EXPECT_EQ(body(R"(
__codelet void g(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> a(in.size());
  Array<1, int> b(in.size());
  for (int t = 0; t < 3; ++t) {
    f(a, b);
    swap(a, b);
  }
}
)"),
            R"(
Array<1, int> a = Array<1, int>(in.size());
Array<1, int> b = Array<1, int>(in.size());
for (int t = 0; t < 3; t += 1) {
  f(a, b);
  swap containers(a, b);
}
)");
}

TEST(Swaps, NotOfWhatIsSomebodyElses) {
  EXPECT_EQ(body(R"(
__codelet void g(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> a(in.size());
  f(in, a);
  swap(a, out);
}
)"),
            R"(
test.cpp:7:11: error: 'out' is no local container: only those are swapped
note: the memory of parameters and views is somebody else's; copy it
)");
}

TEST(Swaps, NotOfWhatHasViewsWithNames) {
  EXPECT_EQ(body(R"(
__codelet void g(const Array<1, int> in, Array<1, int> out) {
  Array<2, int> a(in.size(), 4);
  Array<2, int> b(in.size(), 4);
  auto row = a[0];
  f(row, out);
  swap(a, b);
}
)"),
            R"(
test.cpp:7:8: error: 'row' is a view of 'a', which is swapped: use the view without a name
)");
}

TEST(Swaps, AreStatements) {
  EXPECT_EQ(body(R"(
__codelet void g(const Array<1, int> in, Array<1, int> out) {
  Array<1, int> a(in.size());
  f(in, a);
  in.size() > 3 ? swap(a, a) : f(a, out);
}
)"),
            R"(
test.cpp:7:19: error: 'swap' must be a statement
)");
}

} // namespace tangram::frontend
