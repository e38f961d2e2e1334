// Loop coalescing: which parts of rows become parts of elements.
#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// The code of groups that have `parts` of the rows of x and y, and whose lanes run `body` for each element; without windows.
std::string coalesced(const std::string &body, const std::string &parts = "rows(x, p), rows(y, p)",
                      const std::string &declared = "unsigned p") {
  const ir::Program program = parse(R"(
__codelet void twice(const Array<2, float> x, Array<2, float> y) {
  require(y.size(0) == x.size(0) && y.size(1) == x.size(1));
  for (unsigned i = 0; i < y.size(0); ++i) {
    for (unsigned j = 0; j < y.size(1); ++j)
      y[i][j] = 2 * x[i][j];
  }
}
__codelet __tag(parts) void twice(const Array<2, float> x, Array<2, float> y) {
  __tunable )" + declared + ";\n  map(twice, " +
                                    parts +
                                    R"();
}
__codelet __coop __tag(lanes) void twice(const Array<2, float> x, Array<2, float> y) {
  for (unsigned e = coopIdx(); e < y.size(0) * y.size(1); e += coopDim()) {
    unsigned i = e / y.size(1);
    unsigned j = e % y.size(1);
    )" + body + "\n  }\n}\n");
  const composer::Machine machine = projected("h200", "opencl");
  auto made =
      lower(program, "twice",
            compound(0, "twice", 1, {mapped(0, "twice", distribute, compute(1, "twice", 2))}),
            machine, "opencl");
  if (const auto *refusal = std::get_if<Refusal>(&made))
    return refusal->reason;
  return ir::toString(coalesceLoops(forgetWindows(std::get<LoweredPlan>(made))).body);
}

bool isByElements(const std::string &code) {
  return code.find("first_element") != std::string::npos;
}

TEST(LoopCoalescing, LanesTakeTurnsInPartsOfElements) {
  const std::string code = coalesced("y[i][j] = 2 * x[i][j];");
  EXPECT_NE(code.find("index size = ((x_size0 * x_size1 + p - 1) / p + 31) / 32 * 32;"),
            std::string::npos)
      << code;
  EXPECT_NE(code.find("index row = (first_element + e) / x_size1;"), std::string::npos) << code;
  EXPECT_NE(code.find("y[row][j] = 2 * x[row][j];"), std::string::npos) << code;
}

TEST(LoopCoalescing, ARowInItsPartKeepsParts) {
  EXPECT_FALSE(isByElements(coalesced("y[i][j] = 2 * x[i][j] + i;")));
  EXPECT_FALSE(isByElements(coalesced("y[i][j] = 2 * x[y.size(0) - 1 - i][j];")));
}

TEST(LoopCoalescing, AnElementInItsPartKeepsParts) {
  EXPECT_FALSE(isByElements(coalesced("y[i][j] = 2 * x[i][j] + e;")));
  EXPECT_FALSE(isByElements(coalesced("if (e % 2 == 0) y[i][j] = 2 * x[i][j];")));
  EXPECT_FALSE(isByElements(coalesced("y[i][e % y.size(0)] = 2 * x[i][j];")));
}

TEST(LoopCoalescing, ALaneThatLeavesItsPartKeepsParts) {
  EXPECT_FALSE(isByElements(coalesced("if (x[i][j] < 0) break; y[i][j] = 2 * x[i][j];")));
}

TEST(LoopCoalescing, TheLaneKeepsParts) {
  EXPECT_FALSE(isByElements(coalesced("y[i][j] = 2 * x[i][j] + coopIdx();")));
}

TEST(LoopCoalescing, BlocksOfSomeRowsAndColumnsStay) {
  EXPECT_FALSE(isByElements(coalesced("y[i][j] = 2 * x[i][j];", "chunks(x, t), chunks(y, t)",
                                      "unsigned t = choice(1, 2, 4)")));
  EXPECT_FALSE(isByElements(coalesced("y[i][j] = 2 * x[i][j];", "cols(x, p), cols(y, p)")));
}

} // namespace
} // namespace tangram::codegen
