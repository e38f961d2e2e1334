// What functions with references, lambdas, structs, ranges and values of assignments become.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(Everyday, ReferencesOfHelpersAreWhatTheyAreGiven) {
  EXPECT_EQ(lowered(R"(
void order(int &a, int &b) {
  if (b < a) {
    int t = a;
    a = b;
    b = t;
  }
}
__codelet void f(Array<1, int> x, int n) { order(x[n], x[n + 1]); }
)"),
            R"(
if (x[n + 1] < x[n]) {
  int t = x[n];
  x[n] = x[n + 1];
  x[n + 1] = t;
}
)");
}

TEST(Everyday, LambdasKnowWhatIsAroundThem) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<1, int> in, Array<1, int> out) {
  int sum = 0, k = 2;
  auto scaled = [k](int x) { return k * x; };
  auto add = [&](int x) {
    if (x < 0)
      return;
    sum += x;
  };
  k = 5;
  add(scaled(in[0]));
  out[0] = sum;
}
)"),
            R"(
int sum = 0;
int k = 2;
int k = k;
k = 5;
int x = in[0];
int x = k * x;
if (x < 0) {
}
else {
  sum += x;
}
out[0] = sum;
)");
}

TEST(Everyday, StructsAreTheirMembers) {
  EXPECT_EQ(lowered(R"(
struct Pair { int value; int at = 7; };
__codelet void f(const Array<1, int> in, Array<1, int> out) {
  Pair p{in[0]};
  p = {p.at, p.value};
  out[0] = p.at;
}
)"),
            R"(
int p_value;
int p_at;
p_value = in[0];
p_at = 7;
int value = p_at;
int at = p_value;
p_value = value;
p_at = at;
out[0] = p_at;
)");
}

TEST(Everyday, RangesAreCounted) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<1, int> in, Array<1, int> out) {
  for (int x : in)
    out[0] += x;
  for (auto &each : out)
    each = 3;
}
)"),
            R"(
for (index i = 0; i < in.size(); i += 1) {
  int x = in[i];
  out[0] += x;
}
for (index i = 0; i < out.size(); i += 1) {
  out[i] = 3;
}
)");
}

TEST(Everyday, AssignmentsUsedAsValuesComeBefore) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<1, int> in, Array<1, int> out) {
  int x, n = 0;
  while ((x = in[n]) != 0)
    n++;
  out[0] = in[1] > 0 ? n++ : n;
}
)"),
            R"(
int x;
int n = 0;
for (; ; ) {
  x = in[n];
  if (!(x != 0))
    break;
  n += 1;
}
int chosen;
if (in[1] > 0) {
  int old = n;
  n += 1;
  chosen = old;
}
else {
  chosen = n;
}
out[0] = chosen;
)");
}

TEST(Everyday, RecursionThroughReferencesIsRefused) {
  EXPECT_EQ(diagnose(R"(
void down(int &n) { if (n > 0) { n -= 1; down(n); } }
__codelet void f(Array<1, int> x) { down(x[0]); }
)"),
            R"(
test.cpp:2:42: error: unsupported construct: recursive function 'down'
void down(int &n) { if (n > 0) { n -= 1; down(n); } }
                                         ^~~~~~~
)");
}

TEST(Everyday, RowsWithNamesAreRowsOfTheirContainer) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<2, float> in, Array<2, float> out) {
  for (unsigned r = 0; r < in.size(0); ++r) {
    auto row = in[r];
    for (unsigned c = 0; c < row.size(); ++c)
      out[r][c] = row[c];
    for (float x : in[r])
      out[r][0] += x;
  }
}
)"),
            R"(
for (unsigned r = 0; r < in.size(0); r += 1) {
  for (unsigned c = 0; c < in.size(1); c += 1)
    out[r][c] = in[r][c];
  for (index i = 0; i < in.size(1); i += 1) {
    float x = in[r][i];
    out[r][0] += x;
  }
}
)");
}

TEST(Everyday, RowsStayWhatTheyAreWhereTheirNumberChanges) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<2, float> in, Array<1, float> out, int r) {
  auto row = in[r];
  r += 1;
  out[0] = row[r];
}
)"),
            R"(
int row = r;
r += 1;
out[0] = in[row][r];
)");
}

TEST(Everyday, PairsAreTheirMembers) {
  EXPECT_EQ(lowered(R"(
#include <algorithm>
#include <utility>
__codelet void f(const Array<1, int> in, Array<1, int> out) {
  std::pair<int, float> best{in[0], 0};
  best = {in[1], 2.0f};
  best = std::make_pair(in[2], 3.0f);
  const auto [least, most] = std::minmax(in[3], in[4]);
  const auto ends = std::minmax({in[5], in[6], in[7]});
  out[0] = best.first + most - least + ends.second;
}
)"),
            R"(
int best_first;
float best_second;
best_first = in[0];
best_second = 0;
best_first = in[1];
best_second = 2;
best_first = in[2];
best_second = 3;
int least = min(in[3], in[4]);
int most = max(in[4], in[3]);
int least = min(min(in[5], in[6]), in[7]);
int most = max(in[7], max(in[6], in[5]));
int ends_first;
int ends_second;
ends_first = least;
ends_second = most;
out[0] = best_first + most - least + ends_second;
)");
}

TEST(Everyday, BindingsOfStructsInPairsAreRefused) {
  const std::string said = diagnose(R"(
#include <utility>
__codelet void f(const Array<1, int> x, Array<1, int> out) {
  std::pair<int, std::pair<int, int>> n{x[0], {x[1], x[2]}};
  auto [one, two] = n;
  out[0] = one;
  out[1] = two.first;
}
)");
  EXPECT_NE(said.find("structured binding of a struct in a pair"), std::string::npos) << said;
}

TEST(Everyday, MinmaxOfWhatChangesIsReadWhereItIsUsed) {
  EXPECT_EQ(lowered(R"(
#include <algorithm>
__codelet void f(Array<1, int> x, int i) {
  auto [low, high] = std::minmax(x[0], x[i]);
  x[0] = low;
  x[i] = high;
}
)"),
            R"(
bool is_first = x[i] < x[0];
bool is_first = x[i] < x[0];
x[0] = is_first ? x[i] : x[0];
x[i] = is_first ? x[0] : x[i];
)");
}

} // namespace tangram::frontend
