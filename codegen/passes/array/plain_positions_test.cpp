#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class PlainPositions : public ::testing::Test, protected Kernel4 {
protected:
  E from = variable("from", Scalar::U64, VarKind::Param);
  E x = variable("x", Scalar::F32);

  static E wide(const E &e) { return {ir::cast(Scalar::U64, e.e)}; }
  static E narrow(const E &e) { return {ir::cast(Scalar::Index, e.e)}; }
  std::string text(const StmtPtr &s) const { return groupText(plainPositions(plan({s}))); }
};

TEST_F(PlainPositions, SumsOf64BitsAreSumsOfIndexes) {
  EXPECT_EQ(text(set(out[narrow(wide(lane) + from + wide(n))], 1)),
            "\nout[lane + (index)from + n] = 1;\n");
}

// The beginning of a part of a part: each of them is a number of 64 bits of a codelet.
TEST_F(PlainPositions, AnIndexThatIsConvertedAndBackIsTheIndex) {
  const E first = narrow(wide(group * n)) + lane;
  EXPECT_EQ(text(set(x, {ir::cast(Scalar::F32, wide(narrow(wide(first)) + chain).e)})),
            "\nx = (float)(unsigned long)(group * n + lane + chain);\n");
}

TEST_F(PlainPositions, NumbersThatAreNarrowerStay) {
  const E narrowed{ir::cast(Scalar::U32, lane.e)};
  const std::string before = "\nout[(index)(unsigned)lane] = 1;\n";
  EXPECT_EQ(text(set(out[narrow(narrowed)], 1)), before);
}

} // namespace
} // namespace tangram::codegen
