#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class SignedPositions : public ::testing::Test, protected Kernel4 {
protected:
  E x = variable("x", Scalar::F32);
  E data = variable("data", Scalar::I64, VarKind::Param);

  static E number(std::int64_t value) { return {ir::intLiteral(value, Scalar::I64)}; }
  static E withSign(const E &e) { return {ir::cast(Scalar::I64, e.e)}; }
  static E position(const E &e) { return {ir::cast(Scalar::Index, e.e)}; }
  static E of(const char *function, const E &a, const E &b) {
    return {ir::call(function, ir::scalarType(Scalar::I64), {a.e, b.e})};
  }
  std::string text(const StmtPtr &s) const { return groupText(signedPositions(plan({s}))); }
};

TEST_F(SignedPositions, ComparisonsTakeNothingAway) {
  EXPECT_EQ(text(set(x, withSign(lane) - number(2) >= number(0))), "\nx = lane >= 2;\n");
  EXPECT_EQ(text(set(x, withSign(lane) - number(1) < withSign(n) - withSign(group))),
            "\nx = lane + group < n + 1;\n");
}

TEST_F(SignedPositions, ClampedPositionsAreExtremesOfIndexes) {
  const E clamped =
      of("min", of("max", withSign(lane) - number(1), number(0)), withSign(n) - number(1));
  EXPECT_EQ(text(set(out[position(clamped)], 1)), "\nout[min(max(lane, 1), n) - 1] = 1;\n");
}

// A difference that is below 0 somewhere is a product's as well.
TEST_F(SignedPositions, FactorsMultiplyWhatIsTakenAway) {
  EXPECT_EQ(text(set(out[position((withSign(lane) - number(1)) * withSign(n) + withSign(n))], 1)),
            "\nout[lane * n] = 1;\n");
  EXPECT_EQ(text(set(x, (withSign(lane) - withSign(n)) * number(-2) < number(4))),
            "\nx = n * 2 < 4 + lane * 2;\n");
}

TEST_F(SignedPositions, LoopsFromANegativeNumberCountFromZero) {
  const E u = variable("u", Scalar::I64);
  const StmtPtr loop = ir::forLoop(
      ir::declare(u.e->var, number(-1).e), (u <= number(1)).e, ir::assign(u.e, "+=", number(1).e),
      set(out[position(withSign(lane) + u)], {ir::cast(Scalar::I32, u.e)}));
  EXPECT_EQ(text(loop), "\nfor (index u = 0; u < 3; u += 1)\n"
                        "  out[lane + u - 1] = (int)((long)u - 1);\n");
}

TEST_F(SignedPositions, DataStayAsTheyAre) {
  const std::string before = "\nx = (long)lane - data < 0;\n";
  EXPECT_EQ(text(set(x, withSign(lane) - data < number(0))), before);
}

} // namespace
} // namespace tangram::codegen
