// What the statements, expressions and types of C++ become.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

/// Parameters that most of the codelets here have.
std::string inFunction(const std::string &body) {
  return "\n__codelet int f(const Array<1, int> in, Array<1, int> out, int n, unsigned u, float x, "
         "double d) {" +
         body + "return 0; }\n";
}

std::string loweredBody(const std::string &body) {
  std::string text = lowered(inFunction(body));
  const std::string end = "return 0;\n";
  bool isWhole = text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
  return isWhole ? text.substr(0, text.size() - end.size()) : text;
}

ir::TunableDomain domainOf(const std::string &init) {
  ParseResult result =
      parseSource("\n__codelet int f(int x) { __tunable int p = " + init + "; return p; }\n");
  EXPECT_EQ(ir::render(result.diagnostics), "");
  return result.program->spectrums.at(0).codelets.at(0).body->children.at(0)->var->domain;
}

using Kind = ir::TunableDomain::Kind;
using Values = std::vector<std::int64_t>;

} // namespace

TEST(Statements, IncrementsWhoseValuesAreUsed) {
  EXPECT_EQ(loweredBody(R"(
    out[n++] = in[--u];
    int before = n--;
    if (u-- == 3) n = 1;
    for (int k = n; k-- > 0;) out[k] = 0;
    while (--n > 0) u += 1;
  )"),
            R"(
u -= 1;
out[n] = in[u];
n += 1;
int before = n;
n -= 1;
bool holds = u == 3;
u -= 1;
if (holds)
  n = 1;
for (int k = n; k > 0; k -= 1)
  out[k - 1] = 0;
for (; ; ) {
  n -= 1;
  if (!(n > 0))
    break;
  u += 1;
}
)");
}

TEST(Statements, Loops) {
  EXPECT_EQ(loweredBody(R"(
    for (int i = 0; i < n; i++) {
      if (in[i] == 3) continue;
      else if (in[i] > 4) break;
      out[i]--;
    }
    for (;;) return 1;
    while (n) n /= 2;
    do { n += 1; } while (n < 3);
    for (int i = 0, j = n; i < j; i += 2) ;
  )"),
            R"(
for (int i = 0; i < n; i += 1) {
  if (in[i] == 3)
    continue;
  else
    if (in[i] > 4)
      break;
  out[i] -= 1;
}
for (; ; )
  return 1;
while (n != 0)
  n /= 2;
do {
  n += 1;
}
while (n < 3);
int j = n;
for (int i = 0; i < j; i += 2) {
}
)");
}

TEST(Statements, DeclarationsAndAssignments) {
  EXPECT_EQ(loweredBody(R"(
    int a = 1, b, t[2];
    int v[4] = {n, 2}, w{7};
    t[0] = v[1]; a -= 1; a *= 2; a /= 2; a %= 3; a <<= 1; a >>= 1; a &= 1; a |= 1; a ^= 1;
    ++a; --a; (void)b; ; {int a = w; out[0] = a;}
    const auto view = in; [[maybe_unused]] bool same = view.size() == in.size();
    static_assert(sizeof(int) == 4); using T = int; T last = 0; out[1] = last;
  )"),
            R"(
int a = 1;
int b;
int t[2];
int v[4];
v[0] = n;
v[1] = 2;
for (index i = 2; i < 4; i += 1)
  v[i] = 0;
int w = 7;
t[0] = v[1];
a -= 1;
a *= 2;
a /= 2;
a %= 3;
a <<= 1;
a >>= 1;
a &= 1;
a |= 1;
a ^= 1;
a += 1;
a -= 1;
int a = w;
out[0] = a;
const Array<1, int> view = in;
bool same = view.size() == in.size();
int last = 0;
out[1] = last;
)");
}

TEST(Statements, SwitchesAreChainsOfIf) {
  EXPECT_EQ(loweredBody(R"(
    switch (in[n]) {
    case 1: out[0] = 1; break;
    case 'a': case 3: { int x = 2; out[0] = x; break; }
    default: while (n) { --n; break; } out[0] = 3; break;
    case 4: return 4;
    case 5: switch (n) { case 0: out[0] = 5; break; } break;
    case 6: ;
    }
    switch (n) { default: n = 2; }
    switch (u) {}
    while (n > 0) switch (n) { case 1: continue; case -2: break; }
  )"),
            R"(
int selected = in[n];
if (selected == 1) {
  out[0] = 1;
}
else
  if (selected == 97 || selected == 3) {
    int x = 2;
    out[0] = x;
  }
  else
    if (selected == 4) {
      return 4;
    }
    else
      if (selected == 5) {
        if (n == 0) {
          out[0] = 5;
        }
      }
      else
        if (selected == 6) {
        }
        else {
          while (n != 0) {
            n -= 1;
            break;
          }
          out[0] = 3;
        }
n = 2;
while (n > 0)
  if (n == 1) {
    continue;
  }
  else
    if (n == -2) {
    }
)");
}

TEST(Statements, CommasAndChainsOfAssignments) {
  EXPECT_EQ(loweredBody(R"(
    int i, j;
    for (i = 0, j = n; i < j; ++i, --j) out[i] = in[j];
    for (i = 0, j = n; i < j; j -= i, ++i) out[i] = in[j];
    out[0] = i = j = 3;
    x = i = 4;
    i = 1, j = 2;
    if (int k = in[0]) n = k;
    if (int k = in[1]; k > 2) n = k; else n = -k;
  )"),
            R"(
int i;
int j;
i = 0;
j = n;
for (; i < j; i += 1) {
  out[i] = in[j];
  j -= 1;
}
i = 0;
j = n;
for (; i < j; i += 1) {
  out[i] = in[j];
  j -= i;
}
j = 3;
i = j;
out[0] = i;
i = 4;
x = (float)i;
i = 1;
j = 2;
int k = in[0];
if (k != 0)
  n = k;
int k = in[1];
if (k > 2)
  n = k;
else
  n = -k;
)");
}

TEST(Statements, EarlyReturnAndVoid) {
  EXPECT_EQ(lowered(R"(
void g(int first, int second) {}
__codelet void f(const Array<1, int> in, Array<1, int> out) {
  if (in.size() == 0)
    return;
  out[0] = in[0];
  return g(in[0], out[0]);
}
)"),
            R"(
if (in.size() == 0)
  return;
out[0] = in[0];
g(in[0], out[0]);
return;
)");
}

TEST(Expressions, Operators) {
  EXPECT_EQ(loweredBody(R"(
    n = -n + ~n - +n * n / n % n;
    n = (n << 1 >> 2 & 3) | (4 ^ n);
    bool b = !(n < 1 && n <= 2 || n > 3) || n >= 4 || n == 5 || n != 6;
    n = b ? -7 : 8;
  )"),
            R"(
n = -n + ~n - +n * n / n % n;
n = n << 1 >> 2 & 3 | 4 ^ n;
bool b = !(n < 1 && n <= 2 || n > 3) || n >= 4 || n == 5 || n != 6;
n = b ? -7 : 8;
)");
}

TEST(Expressions, ConversionsBetweenIntegersAreLeftToTheOperators) {
  EXPECT_EQ(loweredBody(R"(
    u = n + u * 2; bool less = n < u; unsigned long wide = u; short narrow = n; u = -1;
    out[u] = in[n + 1] + narrow; out[less] = wide;
  )"),
            R"(
u = n + u * 2;
bool less = n < u;
unsigned long wide = u;
short narrow = n;
u = 4294967295;
out[u] = in[n + 1] + narrow;
out[less] = wide;
)");
}

TEST(Expressions, ConversionsThatChangeAValueAreCasts) {
  EXPECT_EQ(loweredBody(R"(
    x = n; x = 1; d = x; x = d * 0.5; n = x; x += n; x = x * n; d = 2 * d;
    bool b = n; b = x; if (d) n = (int)u + int(x) + (short)n + static_cast<unsigned char>(300);
  )"),
            R"(
x = (float)n;
x = 1;
d = (double)x;
x = (float)(d * 0.5);
n = (int)x;
x += (float)n;
x = x * (float)n;
d = 2 * d;
bool b = n != 0;
b = x != 0;
if (d != 0)
  n = (int)u + (int)x + (short)n + 44;
)");
}

TEST(Expressions, ArgumentsAndResultsAreConverted) {
  EXPECT_EQ(lowered(R"(
char g(float x, unsigned char c, long l) { return x + c + l; }
__codelet int f(const Array<1, int> in, int n) {
  return g(n, n, n) + f(in, in.size()) ? in.size() : n;
}
__codelet int f(const Array<1, int> in, int n) { return n; }
)"),
            R"(
return (int)(g((float)n, (unsigned char)n, n) + f(in, (int)in.size()) != 0 ? in.size() : n);
)");
}

TEST(Expressions, Constants) {
  EXPECT_EQ(lowered(R"(
const int bias = 3;
constexpr float scale = 2.5f;
constexpr int weights[3] = {1, 2, 3};
enum Color { Red = 5, Green };
constexpr int square(int x) { return x * x; }
__codelet double f(int n) {
  const int local = 9;
  return bias + scale + weights[1] + Green + 'a' + true + 0x10 + sizeof(long) + 1e3 + local +
         __INT_MAX__ + square(n) + 1.5f + 10u + __builtin_inff();
}
)"),
            R"(
int local_ = 9;
return (double)(3 + 2.5 + 2 + 6 + 97 + 1 + 16 + 8) + 1000 + (double)local_ + 2147483647 + (double)square(n) + 1.5 + 10 + inf;
)");
}

TEST(Expressions, TablesOfConstantsAreLocalArrays) {
  EXPECT_EQ(lowered(R"(
constexpr float weights[3] = {0.25f, 0.5f};
const int steps[2] = {-1, 1};
__codelet float f(const Array<1, float> in, int n) {
  float sum = weights[1];
  for (int k = 0; k < 3; ++k)
    sum += weights[k] * in[n + steps[k & 1]];
  return sum;
}
)"),
            R"(
float weights[3];
weights[0] = 0.25;
weights[1] = 0.5;
for (index i = 2; i < 3; i += 1)
  weights[i] = 0;
int steps[2];
steps[0] = -1;
steps[1] = 1;
float sum = 0.5;
for (int k = 0; k < 3; k += 1)
  sum += weights[k] * in[n + steps[k & 1]];
return sum;
)");
}

TEST(Expressions, MathFunctionsHaveOneName) {
  EXPECT_EQ(loweredBody(R"(
    x = sqrt(x) + sqrtf(x) + fabs(x) + fmaxf(x, 1) + pow(x, x) + fma(x, x, x);
    d = sqrt(d) + fmin(d, 1) + floor(n);
    n = min(n, 3) + max(u, 3u) + abs(n); x = abs(x);
  )"),
            R"(
x = sqrt(x) + sqrt(x) + fabs(x) + fmax(x, 1) + pow(x, x) + fma(x, x, x);
d = sqrt(d) + fmin(d, 1) + floor((double)n);
n = min(n, 3) + max(u, 3) + abs(n);
x = fabs(x);
)");
}

TEST(Expressions, ElementsOfContainersOfHigherRank) {
  EXPECT_EQ(lowered(R"(
__codelet void f(const Array<2, float> a, Array<3, float> &b) {
  b[0][a.size(1)][2] += a[1][2] * b.size() * b.size(2);
}
)"),
            R"(
b[0][a.size(1)][2] += a[1][2] * (float)b.size(0) * (float)b.size(2);
)");
}

TEST(Types, IntegersOfAllWidths) {
  EXPECT_EQ(lowered(R"(
using int8_t = signed char;
__codelet unsigned long f(const Array<1, bool> in, long long a) {
  int8_t b; char c; unsigned char d; short e; unsigned short g; long h; bool i; float j; double k;
  return a;
}
)"),
            R"(
signed char b;
signed char c;
unsigned char d;
short e;
unsigned short g;
long h;
bool i;
float j;
double k;
return (unsigned long)a;
)");
}

TEST(Tunables, Domains) {
  EXPECT_EQ(domainOf("pow2(32, 1024)").kind, Kind::Pow2);
  EXPECT_EQ(domainOf("pow2(32, 1024)").values, (Values{32, 1024}));
  EXPECT_EQ(domainOf("range(1, 9, 2)").kind, Kind::Range);
  EXPECT_EQ(domainOf("range(1, 9, 2)").values, (Values{1, 9, 2}));
  EXPECT_EQ(domainOf("range(1, 9)").values, (Values{1, 9, 1}));
  EXPECT_EQ(domainOf("choice(3, 1 + 1, -4)").kind, Kind::Choice);
  EXPECT_EQ(domainOf("choice(3, 1 + 1, -4)").values, (Values{3, 2, -4}));
}

TEST(Tunables, SeveralInOneDeclaration) {
  ParseResult result = parseSource(R"(
__codelet int f(int x) {
  __tunable unsigned p = pow2(1, 8), q;
  return p + q;
}
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  const std::vector<ir::StmtPtr> &body =
      result.program->spectrums.at(0).codelets.at(0).body->children;
  EXPECT_EQ(body.at(0)->var->kind, ir::VarKind::Tunable);
  EXPECT_EQ(body.at(0)->value, nullptr);
  EXPECT_EQ(body.at(1)->var->kind, ir::VarKind::Tunable);
  EXPECT_EQ(body.at(1)->var->domain.kind, Kind::Any);
}

TEST(Statements, ArraysOfArraysAreOneArray) {
  EXPECT_EQ(loweredBody(R"(
    int t[2][3][4];
    t[1][u][n] = t[0][2][3];
    int w[2][2] = {{1}, {2, 3}};
  )"),
            R"(
int t[24];
t[(3 + u) * 4 + (index)n] = t[(0 + 2) * 4 + 3];
int w[4];
for (index i = 0; i < 4; i += 1)
  w[i] = 0;
w[0] = 1;
w[2] = 2;
w[3] = 3;
)");
}

TEST(Shared, ScalarsAndArrays) {
  EXPECT_EQ(lowered(R"(
__codelet __coop int f(const Array<1, int> in) {
  __shared int tmp[2 * coopDim()], fixed[32];
  __shared float total;
  total = tmp[0] + fixed[coopIdx()];
  return 0;
}
)"),
            R"(
__shared int tmp[2 * coopDim()];
__shared int fixed[32];
__shared float total;
total = (float)(tmp[0] + fixed[coopIdx()]);
return 0;
)");
}

TEST(Primitives, MapOfSeveralContainers) {
  EXPECT_EQ(lowered(R"(
__codelet __tag(tiled)
void axpy(const Array<1, float> x, Array<1, float> y, float a) {
  __tunable unsigned p;
  const auto parts = partition(x, p, sequence(0, 1, p), sequence(p), sequence(x.size()));
  map(axpy, parts, partition(y, p, sequence(0, 1, p), sequence(p), sequence(y.size())), a);
}
__codelet void axpy(const Array<1, float> x, Array<1, float> y, float a) { y[0] += a * x[0]; }
)"),
            R"(
__tunable unsigned p;
const container of Array<1, float> parts = partition(x, p, sequence(0, 1, p), sequence(p), sequence(x.size()));
map(axpy, parts, partition(y, p, sequence(0, 1, p), sequence(p), sequence(y.size())), a);
)");
}

TEST(Primitives, MapOfElementsAndWholeContainers) {
  EXPECT_EQ(lowered(R"(
__codelet int dot(const Array<1, int> rows, const Array<1, int> x) {
  Array<1, int> products = map(pick, rows, all(x), 2);
  return products[0] + map(pick, rows, all(x), rows)[1];
}
)"),
            R"(
test.cpp:3:32: error: use of undeclared identifier 'pick'
  Array<1, int> products = map(pick, rows, all(x), 2);
                               ^~~~
test.cpp:4:28: error: use of undeclared identifier 'pick'
  return products[0] + map(pick, rows, all(x), rows)[1];
                           ^~~~
)");
  ParseResult result = parseSource(R"(
__codelet int pick(int row, const Array<1, int> x, int n) { return x[row] + n; }
__codelet int dot(const Array<1, int> rows, const Array<1, int> x) {
  Array<1, int> products = map(pick, rows, all(x), 2);
  return products[0] + map(pick, rows, all(x), rows)[1];
}
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  EXPECT_EQ(ir::toString(result.program->spectrums.at(1).codelets.at(0).body),
            R"(Array<1, int> products = map(pick, rows, all(x), 2);
return products[0] + map(pick, rows, all(x), rows)[1];
)");
}

TEST(Primitives, SequenceReadFromAContainer) {
  EXPECT_EQ(lowered(R"(
__codelet int sum(const Array<1, int> in, const Array<1, unsigned> rows) { return in[0] + rows[0]; }
__codelet int total(const Array<1, int> in, const Array<1, unsigned> rows, int n) {
  map(sum, partition(in, n, sequence(rows, 0, 1, n), sequence(1), sequence(rows, 1, 1, n + 1)), all(rows));
  return 0;
}
)"),
            "\nreturn (int)(in[0] + rows[0]);\n");
}

TEST(HelperFunctions, CalleesComeFirst) {
  ParseResult result = parseSource(R"(
int inner(int x) { return x + 1; }
float inner(float x) { return x + 2; }
template <class T> T outer(T x) { return inner(x) * inner(1); }
int unused(int *p) { return *p; }
float halved(double x) { return x / 2; }
__codelet float f(const Array<1, float> in) { return outer(halved(in[0])) + outer(3); }
)");
  ASSERT_EQ(ir::render(result.diagnostics), "");
  std::string text;
  for (const ir::Function &function : result.program->functions)
    text += ir::spelling(function.result) + " " + function.name + "(" +
            ir::spelling(function.params.at(0)->type) + "): " + ir::toString(function.body);
  // Overloads and instances of a template have names of their own.
  EXPECT_EQ(text, R"(float inner(float): return x + 2;
int inner_2(int): return x + 1;
float outer(float): return inner(x) * (float)inner_2(1);
float halved(double): return (float)(x / 2);
int outer_2(int): return inner_2(x) * inner_2(1);
)");
  EXPECT_EQ(ir::toString(result.program->spectrums.at(0).codelets.at(0).body),
            "return outer(halved((double)in[0])) + (float)outer_2(3);\n");
}

TEST(Require, IsAStatement) {
  EXPECT_EQ(loweredBody("require(n > 0 && in.size() <= u);"),
            "\nrequire(n > 0);\nrequire(in.size() <= u);\n");
  EXPECT_EQ(loweredBody("require(n > 0 || in.size() <= u);"),
            "\nrequire(n > 0 || in.size() <= u);\n");
  EXPECT_EQ(loweredBody("require((n > 0 && n < 9) && within(in, 0, n));"),
            "\nrequire(n > 0);\nrequire(n < 9);\nrequire(within(in, 0, n));\n");
}

} // namespace tangram::frontend
