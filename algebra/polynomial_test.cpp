#include "algebra/polynomial.h"

#include "algebra/expression_fixture.h"

namespace tangram::algebra {
namespace {

const Polynomial x = Polynomial::of(0);
const Polynomial y = Polynomial::of(1);

std::string text(const Polynomial &p) {
  static const std::vector<ir::ExprPtr> names{fixture::variable("x"), fixture::variable("y")};
  const ir::ExprPtr e =
      expressionOf(p, [](Atom atom) { return atom < 2 ? names[atom] : ir::ExprPtr(); });
  return e ? ir::toString(e) : "none";
}

TEST(Polynomial, ReadsAsPeopleWriteIt) {
  EXPECT_EQ(text(Polynomial(0)), "0");
  EXPECT_EQ(text(Polynomial(-3)), "-3");
  EXPECT_EQ(text(Polynomial(1) + x), "x + 1");
  EXPECT_EQ(text(x * y * 2 - x + y - 7), "2 * x * y + y - x - 7");
  EXPECT_EQ(text(Polynomial(5) - x), "5 - x");
  EXPECT_EQ(text(Polynomial::of(2)), "none");
}

TEST(Polynomial, ExactQuotients) {
  EXPECT_EQ(text(*exactQuotient(x * y * 6 + x * 4, x * 2)), "3 * y + 2");
  EXPECT_EQ(exactQuotient(x + 1, x), std::nullopt);
  EXPECT_EQ(exactQuotient(x * 3, Polynomial(2)), std::nullopt);
  EXPECT_EQ(exactQuotient(x, x + y), std::nullopt);
}

TEST(Polynomial, SplitsByAnAtom) {
  const Split linear = splitBy(x * y * 3 + y - 2, 0);
  EXPECT_TRUE(linear.linear);
  EXPECT_EQ(text(linear.coefficient), "3 * y");
  EXPECT_EQ(text(linear.rest), "y - 2");
  EXPECT_FALSE(splitBy(x * x, 0).linear);
}

TEST(Polynomial, ACoefficientThatDoesNotFitIsRemembered) {
  const Polynomial large = x * INT64_MAX;
  EXPECT_TRUE((large + x).overflowed());
  EXPECT_FALSE(large + x == large + x);
  EXPECT_FALSE(splitBy(large + x, 0).linear);
  EXPECT_EQ(text(large + x), "none");
  EXPECT_EQ((Polynomial(INT64_MAX) + 1).literal(), std::nullopt);
}

} // namespace
} // namespace tangram::algebra
