#include "algebra/wrapping.h"

#include "algebra/expression_fixture.h"
#include "algebra/inequalities.h"
#include "algebra/simplify.h"

namespace tangram::algebra {
namespace {

using namespace fixture;

const E n = variable("n", Scalar::Index, VarKind::Param);
const E m = variable("m", Scalar::Index, VarKind::Param);
const E k = variable("k", Scalar::I64, VarKind::Param);
const E data = variable("data", Scalar::U64, VarKind::Param);
const E i = variable("i");
const E d = variable("d");
const E x = variable("x");

TEST(Wrapping, ByForm) {
  EXPECT_FALSE(mayWrap((n * m + 1) / m % n));
  EXPECT_TRUE(mayWrap(n - m));
  EXPECT_TRUE(mayWrap((n - 1) / 2 * 2 + 2));
  EXPECT_FALSE(mayWrap((n + m - 1) / m)) << "nobody divides by 0";
  EXPECT_FALSE(mayWrap((n - 1) % m)) << "less than m";
  EXPECT_FALSE(mayWrap(minE(n - 1, m))) << "no more than m";
  EXPECT_TRUE(mayWrap(maxE(n - 1, m)));
  EXPECT_TRUE(mayWrap(ir::cast(Scalar::Index, k.e)));
  EXPECT_TRUE(mayWrap(ir::cast(Scalar::Index, data.e)));
  EXPECT_FALSE(mayWrap(ir::cast(Scalar::Index, variable("u", Scalar::U32).e)));
}

TEST(Wrapping, DifferencesFromWhatTheFirstIsNoLessThan) {
  const E first = i * m; // elements of worker i begin there
  EXPECT_FALSE(mayWrap(maxE(n, m) - m));
  EXPECT_FALSE(mayWrap(minE(first + m, maxE(n, first)) - first));
  EXPECT_FALSE(mayWrap(n + (m + n) - m));
  EXPECT_TRUE(mayWrap(minE(first + m, n) - first));
  EXPECT_TRUE(mayWrap(maxE(n, first) - (first + 1)));
  EXPECT_TRUE(mayWrap(minE(n + (m - 1), n) - n)) << "n + (m - 1) may be less than n";
}

TEST(Wrapping, VariablesAreWhatTheyAreGiven) {
  const auto wrapping = wrappingVariables(
      ir::block({let(d, n - 1), let(x, d / 2), let(i, 0), addTo(i, minE(x, n)), let(m, x)}));
  EXPECT_TRUE(wrapping.at(d.var().get()));
  EXPECT_TRUE(wrapping.at(x.var().get()));
  EXPECT_FALSE(wrapping.at(i.var().get()));
  EXPECT_FALSE(wrapping.contains(m.var().get())) << "no variable";
}

std::string inLoop(const std::vector<StmtPtr> &body) {
  const StmtPtr out = ir::forLoop(let(i, 0), (i < n).e, addTo(i, 1), ir::block(body));
  return ir::toString(simplify(out));
}

/// What is left of a value in for (i = 0; i < n; ++i), d = i - 1 and x of several values.
std::string simplifiedIn(const E &value) {
  const E to = variable("to");
  const std::string text =
      inLoop({let(d, i - 1), let(x, i), when(i < m, {set(x, x - 1)}), let(to, value)});
  const std::size_t at = text.find("index to = ") + 11;
  return text.substr(at, text.find(';', at) - at);
}

TEST(Wrapping, SumsOfVariablesThatMayHaveWrappedAround) {
  EXPECT_EQ(simplifiedIn(maxE(n + d, n) - n), "max(n + d, n) - n");
  EXPECT_EQ(simplifiedIn(maxE(n + i, n) - n), "i");
  EXPECT_EQ(simplifiedIn(maxE(n + x, n) - n), "max(n + x, n) - n");
  EXPECT_EQ(simplifiedIn(maxE(d / 2 * 2 + 2, 1)), "max(d / 2 * 2 + 2, 1)");
  EXPECT_EQ(simplifiedIn(maxE(i / 2 * 2 + 2, 1)), "i / 2 * 2 + 2");
  EXPECT_EQ(simplifiedIn((x * 4 + 1) / 4), "(x * 4 + 1) / 4");
  EXPECT_EQ(simplifiedIn((i * 4 + 1) / 4), "i");
  EXPECT_EQ(simplifiedIn((x * 4 + 1) % 4), "(x * 4 + 1) % 4");
  EXPECT_EQ(simplifiedIn(n + d - n), "d") << "whatever it is";
}

TEST(Wrapping, WhatIsAtMostASizeHasNotWrappedAround) {
  Inequalities known;
  const E wraps = wrappingVariable("wraps");
  EXPECT_TRUE(known.mayWrap(known.of(wraps)));
  EXPECT_FALSE(known.isNonNegative(known.of(wraps + 1) - 1));
  known.assumeCondition((wraps < n).e);
  EXPECT_FALSE(known.mayWrap(known.of(wraps)));
  EXPECT_TRUE(known.isNonNegative(known.of(wraps + 1) - 1));
}

} // namespace
} // namespace tangram::algebra
