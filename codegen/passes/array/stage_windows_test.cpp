#include "codegen/passes/array/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

/// Rows of `x`, each combined with all of `w`, which has so many rows of 27 numbers; parts go to groups, and parts of these to
/// items.
LoweredPlan products(unsigned rows) {
  const ir::Program source =
      parse("__codelet void work(const Array<2, float> x, const Array<2, float> w, Array<2, float> "
            "out) {\n"
            "  require(w.size(0) == " +
            std::to_string(rows) +
            ");\n"
            "  require(w.size(1) == 27);\n"
            "  require(x.size(1) == 27);\n"
            "  require(out.size(0) == x.size(0));\n"
            "  require(out.size(1) == w.size(0));\n"
            "  for (unsigned i = 0; i < out.size(0); ++i)\n"
            "    for (unsigned j = 0; j < out.size(1); ++j) {\n"
            "      float sum = 0;\n"
            "      for (unsigned k = 0; k < 27; ++k) sum += x[i][k] * w[j][k];\n"
            "      out[i][j] = sum;\n"
            "    }\n}\n"
            "__codelet __tag(parts) void work(const Array<2, float> x, const Array<2, float> w, "
            "Array<2, float> out) {\n"
            "  __tunable unsigned p;\n"
            "  map(work, rows(x, p), all(w), rows(out, p));\n}\n");
  static const composer::Machine machine = projected("simple-gpu", "opencl");
  const ir::PlanPtr items =
      compound(1, "work", 1, {mapped(1, "work", distribute, compute(2, "work", 0))});
  auto made = lower(source, "work", compound(0, "work", 1, {mapped(0, "work", distribute, items)}),
                    machine, "opencl");
  if (const auto *refusal = std::get_if<Refusal>(&made)) {
    ADD_FAILURE() << refusal->reason;
    return {};
  }
  return std::get<LoweredPlan>(made);
}

bool stages(unsigned rows) {
  const std::string text = ir::toString(stageWindows(products(rows)).body);
  return text.find("w_tile[") != std::string::npos;
}

// simple-gpu has 49152 bytes: 455 rows of 27 numbers of 4 bytes.
TEST(StageWindows, NotWhatLocalMemoryHasNoRoomFor) {
  EXPECT_TRUE(stages(64));
  EXPECT_TRUE(stages(455));
  EXPECT_FALSE(stages(456));
  EXPECT_FALSE(stages(1152));
}

} // namespace
} // namespace tangram::codegen
