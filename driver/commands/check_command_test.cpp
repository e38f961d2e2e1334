#include "driver/commands/check_command.h"

#include "composer/analysis/analysis_fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace tangram::driver {
namespace {

namespace fixture = composer::fixture;
using Json = nlohmann::json;

struct Result {
  int status;
  std::string out, err;
};

Result check(const ir::Program &program, const std::string &format = "text",
             const composer::Machine *machine = nullptr, const ir::Diagnostics &diagnostics = {}) {
  std::ostringstream out;
  std::ostringstream err;
  int status = checkCommand({format}, program, diagnostics, machine, out, err);
  return {status, out.str(), err.str()};
}

composer::Machine simpleGpu() {
  composer::Machine machine;
  machine.name = "simple-gpu";
  machine.targets = {"opencl"};
  machine.levels.resize(3);
  const char *names[] = {"G", "B", "T"};
  const char *titles[] = {"grid", "block", "thread"};
  for (std::size_t i = 0; i < 3; ++i) {
    machine.levels[i].name = names[i];
    machine.levels[i].title = titles[i];
    machine.levels[i].subordinate = i < 2 ? static_cast<int>(i) + 1 : -1;
    machine.levels[i].mapRules = {composer::MapRule::Distribute};
  }
  machine.levels[1].compute = composer::Capability::Vector;
  machine.levels[2].compute = composer::Capability::Scalar;
  return machine;
}

TEST(CheckCommand, SummaryOfSum) {
  composer::Machine machine = simpleGpu();
  Result result = check(fixture::sumProgram(), "text", &machine);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(
      result.out,
      "test.cpp: 1 spectrum, 4 codelets\n"
      "\n"
      "int sum(const Array<1, int> in)\n"
      "\n"
      "  sum#1  autonomous  (line 7)\n"
      "    reads    in[i]  unit stride in the loop\n"
      "\n"
      "  kog  cooperative  (line 18)\n"
      "    requires in.size() <= coopDim()  stated on line 19\n"
      "    reads    in[id]                  unit stride between lanes\n"
      "    writes   tmp[id]                 unit stride between lanes\n"
      "    reads    tmp[id - s]             irregular stride in the loop, unit stride between "
      "lanes\n"
      "    updates  tmp[id]                 zero stride in the loop, unit stride between "
      "lanes\n"
      "    reads    tmp[coopDim() - 1]      zero stride between lanes\n"
      "\n"
      "  asso_tiled  compound, map  (line 33)\n"
      "    tunable  p                      any value\n"
      "    calls    sum\n"
      "    reads    partition(in, p, ...)  unit stride inside a part, stride tile between "
      "parts\n"
      "\n"
      "  stride_tiled  compound, map  (line 43)\n"
      "    tunable  p                      any value\n"
      "    calls    sum\n"
      "    reads    partition(in, p, ...)  stride p inside a part, unit stride between parts\n"
      "\n"
      "levels of simple-gpu\n"
      "  G  grid\n"
      "    distribute asso_tiled, stride_tiled\n"
      "  B  block\n"
      "    vector     kog\n"
      "    distribute asso_tiled, stride_tiled\n"
      "  T  thread\n"
      "    scalar   sum#1\n");
}

TEST(CheckCommand, CodeletsOfAnIncludedFileNameIt) {
  ir::Program p = fixture::program({fixture::spectrum("sum", {fixture::sequentialSum()})});
  p.spectrums[0].codelets[0].location = {"sum.h", 5, 3, 1};
  EXPECT_NE(check(p).out.find("  sum#1  autonomous  (line 5 of sum.h)\n"), std::string::npos);
}

TEST(CheckCommand, WarningsGoToTheErrorStreamAndDoNotFail) {
  ir::Program p = fixture::program(
      {fixture::spectrum("sum", {fixture::sequentialSum(), fixture::koggeStoneSum(false)})});
  Result result = check(p);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err,
            "test.cpp:23:26: warning: cooperative codelet 'kog' reads at most one element of 'in' "
            "a lane but does not require in.size() <= coopDim(), elements beyond coopDim() would "
            "be lost\n");
  EXPECT_NE(result.out.find("requires in.size() <= coopDim()  inferred: kog reads at most one "
                            "element of 'in' a lane\n"),
            std::string::npos);
}

TEST(CheckCommand, ErrorsFailWithoutASummary) {
  ir::Diagnostics errors{ir::errorAt(fixture::place(3), "expected ';'")};
  Result text = check({}, "text", nullptr, errors);
  EXPECT_EQ(text.status, 1);
  EXPECT_EQ(text.out, "");
  EXPECT_EQ(text.err, "test.cpp:3:3: error: expected ';'\n");
  Json json = Json::parse(check({}, "json", nullptr, errors).out);
  EXPECT_EQ(json["spectrums"], Json::array());
  ASSERT_EQ(json["diagnostics"].size(), 1u);
  EXPECT_EQ(json["diagnostics"][0]["severity"], "error");
  EXPECT_EQ(json["diagnostics"][0]["message"], "expected ';'");
  EXPECT_EQ(json["diagnostics"][0]["location"]["line"], 3);
}

TEST(CheckCommand, JsonHasEverythingTextHas) {
  composer::Machine machine = simpleGpu();
  Json json = Json::parse(check(fixture::sumProgram(), "json", &machine).out);
  ASSERT_EQ(json["spectrums"].size(), 1u);
  const Json &sum = json["spectrums"][0];
  EXPECT_EQ(sum["signature"], "int sum(const Array<1, int> in)");
  ASSERT_EQ(sum["codelets"].size(), 4u);
  const Json &kog = sum["codelets"][1];
  EXPECT_EQ(kog["name"], "kog");
  EXPECT_EQ(kog["properties"], Json::array({"cooperative"}));
  EXPECT_EQ(kog["requirements"][0]["condition"], "in.size() <= coopDim()");
  EXPECT_EQ(kog["requirements"][0]["inferred"], false);
  EXPECT_EQ(kog["accesses"][0]["within"], nullptr);
  EXPECT_EQ(kog["accesses"][0]["between"], Json({{"class", "unit"}, {"distance", "1"}}));
  const Json &tiled = sum["codelets"][2];
  EXPECT_EQ(tiled["tunables"][0]["name"], "p");
  EXPECT_EQ(tiled["tunables"][0]["domain"]["kind"], "any");
  EXPECT_EQ(tiled["accesses"][0]["through"], "partition");
  EXPECT_EQ(tiled["accesses"][0]["between"], Json({{"class", "constant"}, {"distance", "tile"}}));
  EXPECT_EQ(json["model"], "simple-gpu");
  EXPECT_EQ(json["levels"][1]["vector"],
            Json::array({Json({{"spectrum", "sum"}, {"codelet", "kog"}})}));
  EXPECT_EQ(json["diagnostics"], Json::array());
}

} // namespace
} // namespace tangram::driver
