#include "codegen/analysis/copies.h"
#include "codegen/interpreter/interpreter.h"
#include "codegen/passes/array/passes.h"
#include "codegen/pipeline/pipeline.h"
#include "codegen/test_fixture.h"

#include <cstring>
#include <numeric>

namespace tangram::codegen {
namespace {

using namespace fixture;

/// What a test has of a stencil of a matrix, and of the machine.
struct Stencil {
  std::string type = "float";
  std::string boundary = "clamp";
  std::string widths = "choice(8, 16)"; ///< of tiles of 4 rows
  std::string before = "1";             ///< elements of the padding
  std::string lanes = "for (unsigned j = coopIdx(); j < out.size(1); j += coopDim())\n"
                      "  for (unsigned i = 0; i < out.size(0); ++i)\n"
                      "    out[i][j] = in[i][j] + in[i + 2][j + 2];\n";
  unsigned accessBytes = 16;
};

LoweredPlan lowered(const Stencil &stencil) {
  const std::string arrays =
      "(const Array<2, " + stencil.type + "> in, Array<2, " + stencil.type + "> out) {\n";
  static std::vector<std::unique_ptr<ir::Program>> programs;
  programs.push_back(std::make_unique<ir::Program>(
      parse("__codelet void inside" + arrays +
            "  require(in.size(0) == out.size(0) + 2);\n"
            "  require(in.size(1) == out.size(1) + 2);\n"
            "  for (unsigned i = 0; i < out.size(0); ++i)\n"
            "    for (unsigned j = 0; j < out.size(1); ++j)\n"
            "      out[i][j] = in[i][j] + in[i + 2][j + 2];\n}\n"
            "__codelet __tag(tiles) void inside" +
            arrays + "  __tunable unsigned u = " + stencil.widths +
            ";\n"
            "  map(inside, tile_chunks(in, 4, u, 2, 2), tile_chunks(out, 4, u));\n}\n"
            "__codelet __coop __tag(lanes) void inside" +
            arrays + stencil.lanes +
            "}\n"
            "__codelet void work" +
            arrays +
            "  require(out.size(0) == in.size(0));\n"
            "  require(out.size(1) == in.size(1));\n"
            "  for (unsigned i = 0; i < in.size(0); ++i)\n"
            "    for (unsigned j = 0; j < in.size(1); ++j) out[i][j] = in[i][j];\n}\n"
            "__codelet __tag(padded) void work" +
            arrays + "  inside(pad(pad(in, 1, 1, " + stencil.boundary + "), " + stencil.before +
            ", 2 - " + stencil.before + ", " + stencil.boundary + ", 1), out);\n}\n")));
  static std::vector<std::unique_ptr<composer::Machine>> machines;
  machines.push_back(std::make_unique<composer::Machine>(projected("simple-gpu", "opencl")));
  machines.back()->code.accessBytes = stencil.accessBytes;
  const ir::PlanPtr plan = fixture::compound(
      0, "work", 1,
      {fixture::compound(0, "inside", 1,
                         {mapped(0, "inside", distribute, compute(1, "inside", 2))})});
  auto made = lower(*programs.back(), "work", plan, *machines.back(), "opencl");
  if (const auto *refusal = std::get_if<Refusal>(&made)) {
    ADD_FAILURE() << refusal->reason;
    return {};
  }
  return std::get<LoweredPlan>(made);
}

/// What groups do, from the tile on.
std::string copied(const Stencil &stencil) {
  const std::string text = ir::toString(vectorizeCopies(stageHalos(lowered(stencil))).body);
  const std::size_t begin = text.find("allocate");
  EXPECT_NE(begin, std::string::npos) << text;
  return text.substr(std::min(begin, text.size()));
}

TEST(VectorizeCopies, RowsBeginWhereVectorsDo) {
  const std::string text = copied({});
  EXPECT_TRUE(text.starts_with("allocate level 1 in_tile[6][TILES_U + 8];")) << text;
  for (const char *part :
       {"copy level 1 in_tile[row][column + 3] = in_padded[in0_start + row][in1_start + column], "
        "row < in0_len (<= 6), column < in1_len (<= TILES_U + 2), or by 4 below TILES_U + 8 where "
        "in_size1 % 4 == 0 && 1 <= in0_start && in0_start + 6 <= in_size0 + 1 && 4 <= in1_start && "
        "in1_start + (TILES_U + 8) <= in_size1 + 4: "
        "in_tile[row][column] = in[in0_start + row - 1][in1_start + column - 4];",
        "in_tile[i][j + 3] + in_tile[i + 2][j + 5]"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(VectorizeCopies, GroupsAskOnceForVectors) {
  const LoweredPlan plan = vectorizeCopies(stageHalos(lowered({})));
  const std::string text = ir::toString(withoutCopies(plan, plan.body));
  for (const char *part :
       {"bool wide = in_size1 % 4 == 0 && 1 <= in0_start && in0_start + 6 <= in_size0 + 1 && "
        "4 <= in1_start && in1_start + (TILES_U + 8) <= in_size1 + 4;",
        "parallel level 2 piece < 6 * ((TILES_U + 8) / 4)",
        "in_tile[row][column * 4 + lane] = in[in0_start + row - 1][in1_start + (column * 4 + lane) "
        "- 4];",
        "parallel level 2 element < 6 * (TILES_U + 2)",
        "in_tile[row][column + 3] = in_padded[in0_start + row][in1_start + column];"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(VectorizeCopies, AsManyElementsAsAVectorHas) {
  const std::string two = copied({.type = "double"});
  EXPECT_TRUE(two.starts_with("allocate level 1 in_tile[6][TILES_U + 4];")) << two;
  EXPECT_NE(two.find("in_size1 % 2 == 0"), std::string::npos) << two;
  const std::string half = copied({.accessBytes = 8});
  EXPECT_TRUE(half.starts_with("allocate level 1 in_tile[6][TILES_U + 4];")) << half;
  const std::string whole = copied({.before = "0"});
  EXPECT_TRUE(whole.starts_with("allocate level 1 in_tile[6][TILES_U + 4];")) << whole;
  EXPECT_NE(whole.find("= in_tile[i][j] + in_tile[i + 2][j + 2]"), std::string::npos) << whole;
}

TEST(VectorizeCopies, NoOthers) {
  const auto isWide = [](const Stencil &stencil) {
    return copied(stencil).find("or by") != std::string::npos;
  };
  EXPECT_TRUE(isWide({}));
  EXPECT_FALSE(isWide({.accessBytes = 0})) << "the machine reads elements one by one";
  EXPECT_FALSE(isWide({.type = "double", .accessBytes = 8}));
  EXPECT_FALSE(isWide({.widths = "choice(8, 10)"})) << "some tiles begin elsewhere";
  EXPECT_FALSE(isWide({.lanes = "for (unsigned i = coopIdx(); i < out.size(0); i += coopDim())\n"
                                "  for (unsigned j = 0; j < out.size(1); ++j)\n"
                                "    out[i][j] = in[i][j] + in[i + 2][j + 2];\n"}))
      << "rows an odd number of elements apart";
}

// simple-gpu has 49152 bytes: 6 rows of 2048 numbers.
TEST(VectorizeCopies, NotWhatLocalMemoryHasNoRoomFor) {
  EXPECT_NE(copied({.widths = "choice(2040, 4096)"}).find("or by"), std::string::npos);
  EXPECT_EQ(copied({.widths = "choice(2044, 4096)"}).find("or by"), std::string::npos);
}

/// What the items of a plan leave for a matrix of m by n, and what the interpreter reports.
std::string left(const LoweredPlan &plan, std::size_t m, std::size_t n) {
  InterpreterCall call;
  for (const ir::VarPtr &extent : plan.extents)
    call.sizes[extent.get()] = extent->name.ends_with("0") ? m : n;
  for (const Tunable &t : plan.tunables)
    call.sizes[t.var.get()] = t.kind == Tunable::Kind::Launch ? 3
                              : t.values.empty()              ? 4
                                                              : t.values.front();
  std::vector<float> numbers(m * n);
  std::iota(numbers.begin(), numbers.end(), 1.0F);
  std::vector<std::byte> bytes(numbers.size() * sizeof(float));
  if (!numbers.empty())
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
  const Buffer *out = nullptr;
  for (const Buffer &b : plan.buffers) {
    if (b.access.empty())
      continue;
    call.memory[b.var.get()] = bytes;
    if (b.var->name == "out")
      out = &b;
  }
  InterpreterOptions options;
  options.joins = InterpreterOptions::Joins::Explicit;
  options.kernels = true;
  std::string text;
  for (const Report &report : Interpreter(plan, options).run(call).reports)
    text += report.text() + "\n";
  EXPECT_EQ(text, "") << m << " x " << n;
  EXPECT_NE(out, nullptr);
  for (const std::byte each : call.memory[out->var.get()])
    text += static_cast<char>(each);
  return text;
}

class EveryBoundaryOfWideCopies : public ::testing::TestWithParam<const char *> {};

// Rows of whole vectors and others, with groups inside and without.
TEST_P(EveryBoundaryOfWideCopies, LeavesWhatOthersDo) {
  const LoweredPlan wide = optimize(lowered({.boundary = GetParam()}));
  const LoweredPlan narrow = optimize(lowered({.boundary = GetParam()}), {"vectorized-access"});
  EXPECT_NE(ir::toString(wide.body).find("bool wide"), std::string::npos);
  EXPECT_EQ(ir::toString(narrow.body).find("bool wide"), std::string::npos);
  for (const auto &[m, n] : {std::pair<std::size_t, std::size_t>{13, 32},
                             {13, 28},
                             {13, 27},
                             {12, 24},
                             {6, 40},
                             {3, 4},
                             {1, 1},
                             {2, 0}})
    EXPECT_EQ(left(wide, m, n), left(narrow, m, n)) << m << " x " << n;
}

INSTANTIATE_TEST_SUITE_P(VectorizeCopies, EveryBoundaryOfWideCopies,
                         ::testing::Values("clamp", "mirror", "wrap", "constant(7)"));

} // namespace
} // namespace tangram::codegen
