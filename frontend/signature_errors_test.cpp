#include "frontend/source_under_test.h"

#include <gtest/gtest.h>

namespace tangram::frontend {

TEST(SignatureErrors, ReturnTypeDiffersFromDeclaredSpectrum) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in);
__codelet float sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:3:17: error: codelet of 'sum' returns 'float', its spectrum returns 'int'
__codelet float sum(const Array<1, int> in) { return in[0]; }
                ^~~
test.cpp:2:15: note: spectrum 'sum' is declared here
__codelet int sum(const Array<1, int> in);
              ^~~
)");
}

TEST(SignatureErrors, ConstnessDiffersFromDeclaredSpectrum) {
  EXPECT_EQ(diagnose(R"(
__codelet void copy(const Array<1, int> in, Array<1, int> out);
__codelet
void copy(const Array<1, int> in, const Array<1, int> out) {}
)"),
            R"(
test.cpp:4:55: error: codelet of 'copy' has a parameter of type 'const Array<1, int>', in its spectrum it is 'Array<1, int>'
void copy(const Array<1, int> in, const Array<1, int> out) {}
                                                      ^~~
test.cpp:2:16: note: spectrum 'copy' is declared here
__codelet void copy(const Array<1, int> in, Array<1, int> out);
               ^~~~
)");
}

TEST(SignatureErrors, ParameterTypeDiffersFromDeclaredSpectrum) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in);
__codelet int sum(const Array<1, float> values) { return 0; }
)"),
            R"(
test.cpp:3:41: error: codelet of 'sum' has a parameter of type 'const Array<1, float>', in its spectrum it is 'const Array<1, int>'
__codelet int sum(const Array<1, float> values) { return 0; }
                                        ^~~~~~
test.cpp:2:15: note: spectrum 'sum' is declared here
__codelet int sum(const Array<1, int> in);
              ^~~
)");
}

TEST(SignatureErrors, NumberOfParametersDiffersFromDeclaredSpectrum) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in);
__codelet int sum(const Array<1, int> in, int n) { return n; }
)"),
            R"(
test.cpp:3:15: error: codelet of 'sum' has 2 parameters, its spectrum has 1
__codelet int sum(const Array<1, int> in, int n) { return n; }
              ^~~
test.cpp:2:15: note: spectrum 'sum' is declared here
__codelet int sum(const Array<1, int> in);
              ^~~
)");
}

TEST(SignatureErrors, SpectrumDeclaredAfterItsCodelets) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet long sum(const Array<1, int> in);
)"),
            R"(
test.cpp:2:15: error: codelet of 'sum' returns 'int', its spectrum returns 'long'
__codelet int sum(const Array<1, int> in) { return in[0]; }
              ^~~
test.cpp:3:16: note: spectrum 'sum' is declared here
__codelet long sum(const Array<1, int> in);
               ^~~
)");
}

TEST(SignatureErrors, TwoDefinitionsDifferInReturnType) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet float sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:3:17: error: codelet of 'sum' returns 'float', its spectrum returns 'int'
__codelet float sum(const Array<1, int> in) { return in[0]; }
                ^~~
test.cpp:2:15: note: spectrum 'sum' is declared by its first codelet here
__codelet int sum(const Array<1, int> in) { return in[0]; }
              ^~~
)");
}

TEST(SignatureErrors, TwoDefinitionsDifferInConstness) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in) { return in[0]; }
__codelet int sum(Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:3:33: error: codelet of 'sum' has a parameter of type 'Array<1, int>', in its spectrum it is 'const Array<1, int>'
__codelet int sum(Array<1, int> in) { return in[0]; }
                                ^~
test.cpp:2:15: note: spectrum 'sum' is declared by its first codelet here
__codelet int sum(const Array<1, int> in) { return in[0]; }
              ^~~
)");
}

TEST(SignatureErrors, TwoDeclarationsDiffer) {
  EXPECT_EQ(diagnose(R"(
__codelet int sum(const Array<1, int> in);
__codelet long sum(const Array<1, int> in);
__codelet int sum(const Array<1, int> in) { return in[0]; }
)"),
            R"(
test.cpp:3:16: error: declaration of 'sum' returns 'long', its spectrum returns 'int'
__codelet long sum(const Array<1, int> in);
               ^~~
test.cpp:2:15: note: spectrum 'sum' is declared here
__codelet int sum(const Array<1, int> in);
              ^~~
)");
}

} // namespace tangram::frontend
