// Spectrums that are templates: what is instantiated, and what becomes of it.
#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

namespace {

const char *const sumTemplate = R"(
template <class T> __codelet T sum(const Array<1, T> in) {
  T accum = 0;
  for (unsigned i = 0; i < in.size(); ++i)
    accum += in[i];
  return accum;
}
template <class T> __codelet __tag(tiled) T sum(const Array<1, T> in) {
  __tunable unsigned p;
  return sum(map(sum<T>, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.size()))));
}
)";

std::string namesOf(const ParseResult &result) {
  std::string text = ir::render(result.diagnostics);
  if (!result.program)
    return text;
  for (const ir::Spectrum &spectrum : result.program->spectrums) {
    text += ir::spelling(spectrum.result) + " " + spectrum.name + ":";
    for (const ir::Codelet &codelet : spectrum.codelets)
      text += " " + codelet.name();
    text += "\n";
  }
  return text;
}

} // namespace

TEST(Templates, InstantiatedByTheCaller) {
  ParseResult result = parseSource(sumTemplate, {"sum<float>", "sum< unsigned  char >"});
  EXPECT_EQ(namesOf(result), "float sum<float>: sum#1 tiled\n"
                             "unsigned char sum<unsigned char>: sum#1 tiled\n");
  ASSERT_TRUE(result.program);
  EXPECT_EQ(ir::toString(result.program->spectrums.at(0).codelets.at(0).body),
            R"(float accum = 0;
for (unsigned i = 0; i < in.size(); i += 1)
  accum += in[i];
return accum;
)");
  EXPECT_EQ(ir::toString(result.program->spectrums.at(0).codelets.at(1).body),
            R"(__tunable unsigned p;
return sum<float>(map(sum<float>, partition(in, p, sequence(0, 1, p), sequence(p), sequence(in.size()))));
)");
}

TEST(Templates, InstantiatedInTheSource) {
  EXPECT_EQ(namesOf(parseSource(std::string(sumTemplate) +
                                "template double sum<double>(const Array<1, double>);\n"
                                "template int sum(const Array<1, int>);\n")),
            "double sum<double>: sum#1 tiled\nint sum<int>: sum#1 tiled\n");
  // The caller's come first: they are what `sum` alone means.
  EXPECT_EQ(namesOf(parseSource(std::string(sumTemplate) +
                                    "template double sum<double>(const Array<1, double>);\n",
                                {"sum<int>", "sum<double>"})),
            "int sum<int>: sum#1 tiled\ndouble sum<double>: sum#1 tiled\n");
}

TEST(Templates, InstantiatedWhereTheyAreCalled) {
  ParseResult result = parseSource(std::string(sumTemplate) + R"(
__codelet int one(float x) { return 1; }
template <class T> __codelet T times(T a, T b) { return a * b; }
template <class T> __codelet T dot(const Array<1, T> a, const Array<1, T> b) {
  Array<1, T> products(a.size());
  products = map(times<T>, a, b);
  return sum(products) + sum<int>(map(one, a));
}
__codelet double f(const Array<1, double> in) { return in.size() == 0 ? 0 : sum(in); }
)",
                                   {"dot<float>"});
  EXPECT_EQ(namesOf(result), "double sum<double>: sum#1 tiled\n"
                             "float sum<float>: sum#1 tiled\n"
                             "int sum<int>: sum#1 tiled\n"
                             "int one: one#1\n"
                             "float times<float>: times#1\n"
                             "float dot<float>: dot#1\n"
                             "double f: f#1\n");
  ASSERT_TRUE(result.program);
  EXPECT_EQ(ir::toString(result.program->spectrum("dot")->codelets.at(0).body),
            R"(Array<1, float> products = Array<1, float>(a.size());
products = map(times<float>, a, b);
return sum<float>(products) + (float)sum<int>(map(one, a));
)");
}

TEST(Templates, OverAnOperator) {
  ParseResult result =
      parseSource(R"(
template <class T> T plus(T a, T b) { return a + b; }
template <class T> T zero() { return 0; }
int larger(int a, int b) { return a > b ? a : b; }
int smallest() { return -2147483647; }
template <class T, T (*op)(T, T), T (*identity)()> __codelet
T reduce(const Array<1, T> in) {
  T accum = identity();
  for (unsigned i = 0; i < in.size(); ++i)
    accum = op(accum, in[i]);
  return accum;
}
template <class T, T (*op)(T, T), T (*identity)()> __codelet
T reduce(const Array<1, T> in) {
  Array<1, T> r = map(reduce<T, op, identity>, partition(in, 2, sequence(0, 1, 2), sequence(2), sequence(in.size())));
  return reduce<T, op, identity>(r);
}
)",
                  {"reduce<float, plus<float>, zero<float>>", "reduce<int,larger,smallest>"});
  EXPECT_EQ(namesOf(result), "float reduce<float, plus<float>, zero<float>>: reduce#1 reduce#2\n"
                             "int reduce<int, larger, smallest>: reduce#1 reduce#2\n");
  ASSERT_TRUE(result.program);
  EXPECT_EQ(ir::toString(result.program->spectrums.at(1).codelets.at(0).body),
            R"(int accum = smallest();
for (unsigned i = 0; i < in.size(); i += 1)
  accum = larger(accum, in[i]);
return accum;
)");
  std::string functions;
  for (const ir::Function &function : result.program->functions)
    functions += ir::spelling(function.result) + " " + function.name + " ";
  EXPECT_EQ(functions, "float zero float plus int smallest int larger ");
}

TEST(Templates, OverASpectrum) {
  ParseResult result = parseSource(R"(
template <class T, T (*f)(T)> __codelet void each(const Array<1, T> in, Array<1, T> out) {
  out = map(f, in);
}
__codelet int twice(int x) { return 2 * x; }
)",
                                   {"each<int, twice>"});
  ASSERT_EQ(ir::render(result.diagnostics), "");
  EXPECT_EQ(ir::toString(result.program->spectrums.at(0).codelets.at(0).body),
            "out = map(twice, in);\n");
}

TEST(Templates, ParametersThatAreNumbers) {
  ParseResult result = parseSource(R"(
template <unsigned n, bool flip = false> __codelet int f(const Array<n, int> in) {
  int local[n];
  local[0] = flip ? -1 : 1;
  return local[0] + in.size(n - 1);
}
)",
                                   {"f<2>", "f<1, true>"});
  EXPECT_EQ(namesOf(result), "int f<2, false>: f#1\nint f<1, true>: f#1\n");
  ASSERT_TRUE(result.program);
  EXPECT_EQ(ir::toString(result.program->spectrums.at(0).codelets.at(0).body),
            R"(int local_[2];
local_[0] = false ? -1 : 1;
return (int)(local_[0] + in.size(1));
)");
}

TEST(Templates, TheHeadStandsOnEitherSide) {
  EXPECT_EQ(namesOf(parseSource(R"(
#define GENERIC template <class T>
template <class T> __codelet T a(T x);
template <class T>
__tag(first) __codelet __env(openmp)
T a(T x) { return x; }
__codelet __tag(second) template <class T> T a(T x) { return x; }
GENERIC __codelet T a(T x) { return x; }
GENERIC static inline __codelet T b(T x) { return a(x); }
template <class T, T one = (2 > 1)> __codelet T c(T x) { return b(x); }
)",
                                {"c<int>"})),
            "int a<int>: first second a#3\nint b<int>: b#1\nint c<int, 1>: c#1\n");
}

TEST(Templates, LanesAndSharedMemory) {
  ParseResult result = parseSource(R"(
template <class T> __codelet __coop T f(const Array<1, T> in) {
  __shared T tmp[coopDim()];
  __tunable unsigned p = pow2(1, 8);
  tmp[coopIdx()] = in[coopIdx() * p];
  return tmp[0];
}
)",
                                   {"f<double>"});
  ASSERT_EQ(ir::render(result.diagnostics), "");
  EXPECT_EQ(ir::toString(result.program->spectrums.at(0).codelets.at(0).body),
            R"(__shared double tmp[coopDim()];
__tunable unsigned p;
tmp[coopIdx()] = in[coopIdx() * p];
return tmp[0];
)");
}

TEST(Templates, BesideAPlainSpectrum) {
  ParseResult result = parseSource(R"(
__codelet int sum(const Array<2, int> in) { return sum(in[0]); }
template <class T> __codelet T sum(const Array<1, T> in) { return in[0]; }
)");
  EXPECT_NE(ir::render(result.diagnostics), ""); // `sum` of one dimension is declared later
  result = parseSource(R"(
template <class T> __codelet T sum(const Array<1, T> in) { return in[0]; }
__codelet int sum(const Array<2, int> in) { return sum<int>(in[0]); }
)");
  EXPECT_EQ(namesOf(result), "int sum<int>: sum#1\nint sum: sum#1\n");
  ASSERT_TRUE(result.program);
  EXPECT_EQ(result.program->spectrum("sum")->name, "sum");
}

TEST(Templates, HelperFunctionTemplatesHaveOneFunctionAnInstance) {
  ParseResult result = parseSource(R"(
template <class T> T square(T x) { return x * x; }
template <class T> __codelet T f(T x) { return square(x) + square(1); }
)",
                                   {"f<float>"});
  ASSERT_EQ(ir::render(result.diagnostics), "");
  EXPECT_EQ(ir::toString(result.program->spectrums.at(0).codelets.at(0).body),
            "return square(x) + (float)square_2(1);\n");
}

TEST(Templates, OneTypeOfManySpellings) {
  const char *const text = R"(
template <class T> __codelet T first(const Array<1, T> in) { return in[0]; }
)";
  frontend::ParseResult result =
      parseSource(text, {"first<unsigned long long>", "first<unsigned long>", "first<long int>",
                         "first<unsigned>"});
  EXPECT_EQ(namesOf(result), "unsigned long first<unsigned long>: first#1\n"
                             "long first<long>: first#1\n"
                             "unsigned first<unsigned>: first#1\n");
  ASSERT_TRUE(result.program);
  for (auto [asked, name] : {std::pair("first<unsigned long long>", "first<unsigned long>"),
                             {"first< long long >", "first<long>"},
                             {"first<long unsigned int>", "first<unsigned long>"},
                             {"first<unsigned int>", "first<unsigned>"}}) {
    const ir::Spectrum *found = result.program->spectrum(asked);
    ASSERT_TRUE(found) << asked;
    EXPECT_EQ(found->name, name);
  }
}

TEST(TemplateErrors, NotInstantiated) {
  const char *const text = R"(
template <class T> __codelet T sum(const Array<1, T> in) { __tunable unsigned p; return in[p]; }
__codelet int f(int x) { return x; }
template <class T> __codelet T other(T in) { return in; }
)";
  EXPECT_EQ(diagnose(text), R"(
test.cpp:2:32: warning: template 'sum' is not instantiated
template <class T> __codelet T sum(const Array<1, T> in) { __tunable unsigned p; return in[p]; }
                               ^~~
note: ask for an instance by --instantiate 'sum<...>', or by 'template ... sum<...>(...);' in the source
test.cpp:4:32: warning: template 'other' is not instantiated
template <class T> __codelet T other(T in) { return in; }
                               ^~~~~
note: ask for an instance by --instantiate 'other<...>', or by 'template ... other<...>(...);' in the source
)");
  EXPECT_EQ(namesOf(parseSource(text, {"other<int>"})), "int f: f#1\nint other<int>: other#1\n");
}

TEST(TemplateErrors, Requests) {
  const char *const text = R"(
template <class T> __codelet T sum(const Array<1, T> in) { return in[0]; }
__codelet int f(int x) { return x; }
)";
  EXPECT_EQ(diagnose(text, {"sun<float>", "sum<flot>", "sum<float>", "f<int>", "sum<float, int>"}),
            R"(
test.cpp: error: cannot instantiate 'sun<float>': there is no template 'sun'; did you mean 'sum'?
test.cpp: error: cannot instantiate 'sum<flot>': use of undeclared identifier 'flot'; did you mean 'float'?
test.cpp: error: cannot instantiate 'f<int>': 'f' is a spectrum, not a template of one
test.cpp: error: cannot instantiate 'sum<float, int>': its arguments do not fit the template
)");
  EXPECT_EQ(diagnose(text, {"sum", "sum<int>; int x", ""}), R"(
test.cpp: error: cannot instantiate 'sum': expected a template and its arguments, as in 'sum<float>'
test.cpp: error: cannot instantiate 'sum<int>; int x': expected a template and its arguments, as in 'sum<float>'
test.cpp: error: cannot instantiate '': expected a template and its arguments, as in 'sum<float>'
)");
}

TEST(TemplateErrors, ErrorsOfTheSourceAreItsOwn) {
  EXPECT_EQ(diagnose("\ntemplate <class T> __codelet T sum(const Array<1, T> in) { return in[0];",
                     {"sum<float>"}),
            R"(
test.cpp:2:73: error: expected '}'
template <class T> __codelet T sum(const Array<1, T> in) { return in[0];
                                                                        ^
test.cpp:2:58: note: to match this '{'
template <class T> __codelet T sum(const Array<1, T> in) { return in[0];
                                                         ^
)");
}

TEST(TemplateErrors, ArgumentsThatTheCodeletsAreNotFor) {
  EXPECT_EQ(diagnose(R"(
template <class T> __codelet T sum(const Array<1, T> in) { return in[0] % 2; }
__codelet float f(const Array<1, float> in) { return sum(in); }
)"),
            R"(
test.cpp:2:73: error: invalid operands to binary expression ('const float' and 'int')
template <class T> __codelet T sum(const Array<1, T> in) { return in[0] % 2; }
                                                                        ^
test.cpp:2:32: note: in instantiation of function template specialization 'sum<float>' requested here
template <class T> __codelet T sum(const Array<1, T> in) { return in[0] % 2; }
                               ^~~
)");
}

TEST(TemplateErrors, LanguageErrorsNameTheInstance) {
  EXPECT_EQ(diagnose(R"(
template <class T> __codelet void count(const Array<1, T> in, Array<1, T> out) {
  atomicMin(out[0], in[0]);
}
)",
                     {"count<int>", "count<float>"}),
            R"(
test.cpp:3:13: error: 'atomicMin' works on integers of 32 and 64 bits, not on 'float'
  atomicMin(out[0], in[0]);
            ^~~~~~
note: in the instance 'count<float>'
)");
}

TEST(TemplateErrors, MapOfATemplate) {
  EXPECT_EQ(diagnose(R"(
template <class T> __codelet T twice(T x) { return 2 * x; }
__codelet void f(const Array<1, int> in, Array<1, int> out) { out = map(twice, in); }
)"),
            R"(
test.cpp:3:69: error: 'map' applies one instance of a template; give its arguments, as in 'sum<T>'
__codelet void f(const Array<1, int> in, Array<1, int> out) { out = map(twice, in); }
                                                                    ^~~
)");
}

TEST(TemplateErrors, SpecializationThatIsNoCodelet) {
  EXPECT_EQ(diagnose(R"(
template <class T> __codelet T f(T x) { return x; }
template <> int f<int>(int x) { return 1; }
)"),
            R"(
test.cpp:3:17: error: unsupported construct: specialization of a spectrum
template <> int f<int>(int x) { return 1; }
                ^
)");
}

TEST(TemplateErrors, CodeletsOfOneInstance) {
  EXPECT_EQ(diagnose(R"(
template <class T> __codelet T f(T x) { return x; }
template <> __codelet int f<int>(int x);
template <> __codelet int f(int x) { return 1; }
template <> __codelet float f<float>(int x) { return 1; }
)"),
            R"(
test.cpp:3:13: error: expected the definition of a codelet of one instance, as in 'template <> __codelet float sum<float>(...) {'
template <> __codelet int f<int>(int x);
            ^~~~~~~~~
test.cpp:4:13: error: expected the definition of a codelet of one instance, as in 'template <> __codelet float sum<float>(...) {'
template <> __codelet int f(int x) { return 1; }
            ^~~~~~~~~
test.cpp:5:42: error: codelet of 'f' has a parameter of type 'int', in its spectrum it is 'float'
template <> __codelet float f<float>(int x) { return 1; }
                                         ^
test.cpp:2:32: note: spectrum 'f' is declared by its first codelet here
template <class T> __codelet T f(T x) { return x; }
                               ^
note: in the instance 'f<float>'
)");
}

TEST(TemplateErrors, UnsupportedParameters) {
  EXPECT_EQ(diagnose(R"(
template <class... T> __codelet int f(T... x) { return 0; }
template <template <class> class C> __codelet int g(int x) { return 0; }
)"),
            R"(
test.cpp:2:20: error: unsupported construct: template parameter pack 'T'
template <class... T> __codelet int f(T... x) { return 0; }
                   ^
test.cpp:3:34: error: unsupported construct: template parameter 'C' that is a template
template <template <class> class C> __codelet int g(int x) { return 0; }
                                 ^
)");
}

TEST(TemplateErrors, SignaturesDiffer) {
  EXPECT_EQ(diagnose(R"(
template <class T> __codelet T f(const Array<1, T> in) { return in[0]; }
template <class T> __codelet T f(const Array<2, T> in) { return in[0][0]; }
template <class T, int n> __codelet T g(T in);
template <class T> __codelet T g(T in) { return in; }
)",
                     {"f<int>"}),
            R"(
test.cpp:3:52: error: codelet of 'f' has a parameter of type 'const Array<2, int>', in its spectrum it is 'const Array<1, int>'
template <class T> __codelet T f(const Array<2, T> in) { return in[0][0]; }
                                                   ^~
test.cpp:2:32: note: spectrum 'f' is declared by its first codelet here
template <class T> __codelet T f(const Array<1, T> in) { return in[0]; }
                               ^
note: in the instance 'f<int>'
test.cpp:5:32: error: codelet of 'g' has other template parameters than its spectrum
template <class T> __codelet T g(T in) { return in; }
                               ^
test.cpp:4:39: note: spectrum 'g' is declared here
template <class T, int n> __codelet T g(T in);
                                      ^
)");
}

TEST(TemplateErrors, InstantiationWithoutEnd) {
  EXPECT_EQ(diagnose(R"(
template <unsigned n> __codelet int f(int x) { return f<n + 1>(x); }
)",
                     {"f<0>"}),
            R"(
test.cpp:2:37: error: instantiation of 'f' does not end: 'f<256>' is one too many
template <unsigned n> __codelet int f(int x) { return f<n + 1>(x); }
                                    ^
note: in the instance 'f<255>'
)");
}

TEST(TemplateErrors, NamesInGeneratedCode) {
  EXPECT_EQ(diagnose(R"(
template <class T> __codelet T f(T x) { return x; }
__codelet int f_int(int x) { return f(x); }
)"),
            R"(
test.cpp:3:15: error: 'f_int' and 'f<int>' have the same name in generated code, 'f_int'
__codelet int f_int(int x) { return f(x); }
              ^~~~~
)");
}

TEST(TemplateErrors, NoCodelet) {
  EXPECT_EQ(diagnose("\ntemplate <class T> __codelet T f(T x);\n", {"f<int>"}), R"(
test.cpp:2:32: error: spectrum 'f' has no codelet
template <class T> __codelet T f(T x);
                               ^
)");
}

} // namespace tangram::frontend
