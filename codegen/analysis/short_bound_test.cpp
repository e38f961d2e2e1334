#include "codegen/analysis/short_bound.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;
using ir::ExprPtr;

ExprPtr size(const std::string &name) {
  return variable(name, ir::Scalar::Index, ir::VarKind::Param).e;
}

ExprPtr plus(const ExprPtr &a, const ExprPtr &b) { return ir::binary("+", a, b); }
ExprPtr times(const ExprPtr &a, const ExprPtr &b) { return ir::binary("*", a, b); }

TEST(ShortBound, LeavesAloneWhatIsShort) {
  const ExprPtr e = plus(size("n"), ir::binary("/", size("m"), size("p")));
  EXPECT_EQ(shortBound(e, 100), e);
  EXPECT_EQ(shortBound(nullptr, 100), nullptr);
}

TEST(ShortBound, CountsEqualTerms) {
  const ExprPtr n = size("n"), q = ir::binary("/", size("m"), size("p"));
  ExprPtr e = plus(n, q);
  for (int i = 1; i < 200; ++i)
    e = plus(e, i % 2 == 0 ? plus(n, q) : plus(q, n));
  EXPECT_EQ(ir::toString(shortBound(e, 100)), "200 * n + 200 * (m / p)");
}

TEST(ShortBound, MultipliesOut) {
  const ExprPtr n = size("n"), m = size("m");
  ExprPtr e = times(plus(n, ir::intLiteral(2)), plus(m, n));
  for (int i = 1; i < 100; ++i)
    e = plus(e, times(plus(ir::intLiteral(2), n), plus(n, m)));
  EXPECT_EQ(ir::toString(shortBound(e, 100)), "100 * m * n + 100 * n * n + 200 * m + 200 * n");
}

/// A long expression that is another one each time.
ExprPtr longName(int i) { return size("a_name_of_a_size_that_takes_room_" + std::to_string(i)); }

TEST(ShortBound, TakesNoMoreAwayThanThereIsRoomFor) {
  const ExprPtr n = size("n");
  ExprPtr least = n, difference = n;
  for (int i = 0; i < 20; ++i) {
    least = ir::call("min", n->type, {least, plus(longName(i), longName(i + 1))});
    difference = ir::binary("-", difference, longName(i));
  }
  EXPECT_EQ(ir::toString(shortBound(least, 40)), "n");
  EXPECT_EQ(ir::toString(shortBound(difference, 40)), "n");
  EXPECT_EQ(ir::toString(shortBound(difference, 100)),
            "n - a_name_of_a_size_that_takes_room_0 - a_name_of_a_size_that_takes_room_1");
  EXPECT_EQ(ir::toString(shortBound(times(least, ir::binary("/", difference, n)), 100)), "n * n");
}

TEST(ShortBound, GivesUpWhereNothingIsAlike) {
  ExprPtr sum = longName(0), product = plus(longName(0), ir::intLiteral(1));
  for (int i = 1; i < 20; ++i) {
    sum = plus(sum, longName(i));
    product = times(product, plus(longName(i), ir::intLiteral(1)));
  }
  EXPECT_EQ(shortBound(sum, 100), nullptr);
  EXPECT_EQ(shortBound(product, 100), nullptr) << "2^20 terms are not made";
}

} // namespace
} // namespace tangram::codegen
