// What is said of plans that start fewer groups than a machine has units.
#include "driver/choosing/idle_units.h"

#include "composer/rules/nests.h"
#include "frontend/parse.h"

#include <gtest/gtest.h>

namespace tangram::driver {
namespace {

const char *const rows = R"(
#include <tangram.h>
__codelet void row(const Array<1, float> in, Array<1, float> out) {
  require(out.size() == in.size());
  for (unsigned j = 0; j < in.size(); ++j) out[j] = in[j] * 2;
}
__codelet void matrix(const Array<2, float> in, Array<2, float> out) {
  require(out.size(0) == in.size(0));
  require(out.size(1) == in.size(1));
  for (unsigned i = 0; i < in.size(0); ++i)
    for (unsigned j = 0; j < in.size(1); ++j) out[i][j] = in[i][j] * 2;
}
__codelet __tag(rows_of) void matrix(const Array<2, float> in, Array<2, float> out) {
  map(row, in, out);
}
)";

const char *const elements = R"(
__codelet float twice(float x) { return x * 2; }
__codelet __tag(elements) void row(const Array<1, float> in, Array<1, float> out) {
  out = map(twice, in);
}
)";

/// Of the best plan of matrix on the H200.
std::string noteAt(const std::string &source, std::uint64_t height, std::uint64_t width,
                   composer::NestedMaps nests) {
  frontend::ParseResult parsed = frontend::parseText(source, "rows.cpp");
  EXPECT_TRUE(parsed.program.has_value());
  const ir::Program &program = *parsed.program;
  auto found = composer::findMachine("h200", {TANGRAM_SOURCE_DIR "/hwmodels"});
  std::vector<std::string> notes;
  const auto machine =
      composer::withNests(std::get<composer::Machine>(composer::projectOnto(
                              std::get<composer::Machine>(found), "opencl", notes)),
                          program);
  runtime::SizeChoice size;
  size.named = {{"in", {height, width}}};
  const Predictor predictor(program, machine, "matrix", "opencl", PredictOptions{{size}, {}});
  composer::PlanOptions options;
  options.strategy = composer::PlanStrategy::Predict;
  options.target = "opencl";
  options.nests = nests;
  options.measure = [&](const ir::PlanPtr &plan) { return predictor.measure(plan); };
  const auto planner =
      std::get<composer::Planner>(composer::Planner::make(program, machine, "matrix", options));
  std::string note;
  (void)planner.forEach([&](const composer::RankedPlan &plan) {
    note = idleUnits(planner, plan.plan, predictor);
    return false;
  });
  return note;
}

TEST(IdleUnits, AreThoseOfFewGroups) {
  const std::string note = noteAt(rows, 4, 1 << 24, composer::NestedMaps::Offered);
  EXPECT_TRUE(note.starts_with("note: at in=4x16777216 out=4x16777216 this plan starts ")) << note;
  EXPECT_NE(note.find(" where h200 has 132 units, and takes "), std::string::npos) << note;
  EXPECT_NE(note.find("note: its groups are elements of the map over row in codelet rows_of; a "
                      "codelet of row that maps over parts of one would divide it\n"),
            std::string::npos)
      << note;
}

TEST(IdleUnits, AreNoneWhereThereAreManyRows) {
  EXPECT_EQ(noteAt(rows, 1 << 20, 64, composer::NestedMaps::Offered), "");
}

TEST(IdleUnits, AreNoneWhereRowsAreDivided) {
  const std::string both = std::string(rows) + elements;
  EXPECT_EQ(noteAt(both, 4, 1 << 24, composer::NestedMaps::Offered), "");
  const std::string note = noteAt(both, 4, 1 << 24, composer::NestedMaps::None);
  EXPECT_NE(note.find("elements takes one apart, but no such plan is predicted to be quicker"),
            std::string::npos)
      << note;
}

} // namespace
} // namespace tangram::driver
