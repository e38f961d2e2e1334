#include "driver/commands/rules_command.h"

#include "composer/plans/plan_fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace tangram::driver {
namespace {

namespace fixture = composer::plan_fixture;
using Json = nlohmann::json;

struct Result {
  int status;
  std::string out, err;
};

Result rules(const RulesOptions &options, const composer::Machine *machine,
             const ir::Program &program = fixture::sumProgram()) {
  std::ostringstream out;
  std::ostringstream err;
  const int status = rulesCommand(options, program, machine, out, err);
  return {status, out.str(), err.str()};
}

TEST(RulesCommand, PrintsThemLikeTheFigures) {
  const composer::Machine machine = fixture::simpleCpu();
  EXPECT_EQ(rules({}, &machine).out, R"(Composition rules of sum on simple-cpu

P (process)
  P1: compose(sum, P)  // Devolve
      -> S_P, devolve(T), compose(sum, T)
  P4: compose(sum, P)  // asso_tiled, sum.cpp:34:5
      -> S_P, regroup(asso_tiled, P), distribute(T), compose(sum, T), compose(sum, P)
  P5: compose(sum, P)  // stride_tiled, sum.cpp:44:5
      -> S_P, regroup(stride_tiled, P), distribute(T), compose(sum, T), compose(sum, P)

T (thread)
  T2: compose(sum, T)  // sum#1, sum.cpp:7:5
      -> compute(sum#1, SE_T)
)");
}

TEST(RulesCommand, SaysWhyOthersDoNotApply) {
  const composer::Machine machine = fixture::simpleCpu();
  RulesOptions options;
  options.why = true;
  options.without = {"asso_tiled", "stride_tiled"};
  const std::string out = rules(options, &machine).out;
  EXPECT_EQ(out.substr(out.find("Not applicable")), R"(Not applicable
  P2 compute (sum#1, sum.cpp:7:5): level P (process) has no computational capability
  P3 compute (kog, sum.cpp:18:5): level P (process) has no computational capability
  P4 select (asso_tiled, sum.cpp:34:5): codelet asso_tiled is left out
  P5 select (stride_tiled, sum.cpp:44:5): codelet stride_tiled is left out
  T1 devolve (Devolve, sum.cpp:7:5): level T (thread) has no subordinate level to devolve to
  T3 compute (kog, sum.cpp:18:5): codelet kog is cooperative and needs vector execution; level T (thread) has scalar execution
  T4 select (asso_tiled, sum.cpp:34:5): codelet asso_tiled is left out
  T5 select (stride_tiled, sum.cpp:44:5): codelet stride_tiled is left out
)");
}

TEST(RulesCommand, GivesJson) {
  const composer::Machine machine = fixture::simpleGpu();
  RulesOptions options;
  options.format = "json";
  Result result = rules(options, &machine);
  ASSERT_EQ(result.status, 0);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["spectrum"], "sum");
  EXPECT_EQ(json["model"], "simple-gpu");
  std::vector<std::string> names;
  for (const Json &rule : json["rules"])
    names.push_back(rule["level"].get<std::string>() + rule["number"].dump());
  EXPECT_EQ(names, (std::vector<std::string>{"G1", "G4", "G5", "B1", "B3", "B4", "B5", "T2"}));
  EXPECT_EQ(json["rules"][1],
            Json::parse(R"json({"number": 4, "level": "G", "composes": "compose(sum, G)",
                "origin": "asso_tiled",
                "location": {"file": "sum.cpp", "line": 34, "column": 5},
                "variant": "distribute",
                "steps": ["S_G", "regroup(asso_tiled, G)", "distribute(B)", "compose(sum, B)",
                          "compose(sum, G)"]})json"));
  EXPECT_EQ(json["rejected"][0],
            Json::parse(R"json({"number": 2, "level": "G", "composes": "compose(sum, G)",
                "origin": "sum#1", "rule": "compute",
                "location": {"file": "sum.cpp", "line": 7, "column": 5},
                "reason": "level G (grid) has no computational capability"})json"));
}

TEST(RulesCommand, NeedsNoMachine) {
  RulesOptions options;
  options.format = "json";
  const Json json = Json::parse(rules(options, nullptr).out);
  EXPECT_TRUE(json["model"].is_null());
  EXPECT_EQ(json["rules"].size(), 5U);
  EXPECT_EQ(json["rules"][4]["steps"].dump(),
            "[\"S_L\",\"regroup(stride_tiled, L)\",\"distribute(l_L)\",\"compose(sum, l_L)\","
            "\"compose(sum, L)\"]");
}

TEST(RulesCommand, ListsTheRulesOfMapsLeftOpen) {
  const composer::Machine machine = fixture::fiveLevelGpu();
  RulesOptions options;
  options.without = {"stride_tiled", "kog", "sum#1"};
  const std::string out = rules(options, &machine).out;
  EXPECT_NE(out.find("  I/serialize: compose(map(sum), I)  // Serialize\n"
                     "      -> serialize(I), compose(sum, I)\n"),
            std::string::npos)
      << out;
}

TEST(RulesCommand, LeavesCodeletsOfOneSpectrumOut) {
  const composer::Machine machine = fixture::simpleCpu();
  RulesOptions options;
  options.without = {"sum:stride_tiled"};
  const Result result = rules(options, &machine);
  EXPECT_EQ(result.err, "");
  options.without = {"stride_tiled"};
  EXPECT_EQ(result.out, rules(options, &machine).out);
}

TEST(RulesCommand, RefusesWhatIsNotThere) {
  RulesOptions options;
  options.spectrum = "sums";
  Result result = rules(options, nullptr);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "sum.cpp: error: unknown spectrum 'sums', did you mean 'sum'?\n");
  ir::Program two = fixture::sumProgram();
  two.spectrums.push_back(two.spectrums.front());
  two.spectrums.back().name = "max";
  RulesOptions json;
  json.format = "json";
  result = rules(json, nullptr, two);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "error: sum.cpp has several spectrums; name one with --spectrum\n");
}

} // namespace
} // namespace tangram::driver
