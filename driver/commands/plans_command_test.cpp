#include "driver/commands/plans_command.h"

#include "composer/plans/notation.h"
#include "composer/plans/plan_fixture.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace tangram::driver {
namespace {

namespace fixture = composer::plan_fixture;
using Json = nlohmann::json;

struct Result {
  int status;
  std::string out, err;
};

Result plans(PlansOptions options, const composer::Machine &machine) {
  options.spectrum = "sum";
  std::ostringstream out;
  std::ostringstream err;
  const int status = plansCommand(options, fixture::sumProgram(), machine, out, err);
  return {status, out.str(), err.str()};
}

PlansOptions all(unsigned iterations) {
  PlansOptions options;
  options.planning.strategy = composer::PlanStrategy::All;
  options.planning.iterations = iterations;
  return options;
}

TEST(PlansCommand, PrintsRankIdNotationAndWhy) {
  PlansOptions options;
  options.derivation = true;
  options.limit = 1;
  Result result = plans(options, fixture::simpleCpu());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, R"(1  17ebc08c
    S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T),
    compute(sum#1, SE_T)
      tunable p of asso_tiled at P: workers of T
      before the next: iteration 1, compose(sum, P): P4 partitions as level P (process) prefers
      (adjacent), P5 does not
      -> compose(sum, P)
      -> S_P, regroup(asso_tiled, P), distribute(T), compose(sum, T), compose(sum, P) // P4
      -> S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T), compose(sum, T) // T2, P1
      -> S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T), compute(sum#1, SE_T) // T2
)");
}

/// The simple CPU as OpenMP spells it, with `most` threads.
composer::Machine spelled(std::uint64_t most) {
  composer::Machine machine = fixture::simpleCpu();
  machine.targets = {"openmp"};
  machine.levels[0].spelling = {{"openmp", "process"}};
  machine.levels[1].spelling = {{"openmp", "thread"}};
  machine.levels[1].workers.max = most;
  return machine;
}

TEST(PlansCommand, ShowsTheDomainsOfTheCodeForATarget) {
  PlansOptions options;
  options.domains = true;
  options.limit = 1;
  EXPECT_EQ(plans(options, spelled(64)).status, 2);
  EXPECT_EQ(plans(options, spelled(64)).err,
            "error: domains are those of generated code: name its --target\n");
  options.planning.target = "openmp";
  const Result text = plans(options, spelled(64));
  EXPECT_NE(text.out.find("\n      domain of p: 1..64\n"), std::string::npos) << text.out;
  options.format = "json";
  const Json json = Json::parse(plans(options, spelled(64)).out);
  EXPECT_EQ(json["plans"][0]["domains"].dump(),
            R"([{"after":"1..64","before":"1..64","name":"p"}])");
}

TEST(PlansCommand, SaysWhichPlansAreForWhichTarget) {
  PlansOptions options;
  const composer::Machine machine = spelled(64);
  options.targets = {{"openmp", machine}};
  EXPECT_EQ(plans(options, machine).err, ""); // all of them
  composer::Machine alone = machine;
  alone.levels.pop_back(); // as one that cannot express the threads
  alone.levels[0].subordinate = -1;
  alone.levels[0].compute = composer::Capability::Scalar;
  options.targets.push_back({"opencl", alone});
  EXPECT_EQ(plans(options, machine).err,
            "note: for openmp: all of these plans\n"
            "note: for opencl: none of these plans; --target opencl lists all that are\n");
  EXPECT_EQ(plans(options, machine).out.find("1  17ebc08c  not for opencl\n"), 0U);
  options.plan = "17ebc08c";
  options.format = "json";
  EXPECT_EQ(Json::parse(plans(options, machine).out)["plans"][0]["targets"], Json{"openmp"});
}

TEST(PlansCommand, SaysOfAPlanThatIsNotAmongTheFirstWhichTargetsItIsFor) {
  PlansOptions options;
  const composer::Machine machine = spelled(64);
  options.targets = {{"openmp", machine}};
  options.planning.keep = 1;
  options.format = "json";
  const auto listed = Json::parse(plans(options, machine).out)["plans"];
  options.planning.keep = 64;
  for (const auto &plan : Json::parse(plans(options, machine).out)["plans"]) {
    options.planning.keep = 1;
    options.plan = composer::linear(plan["steps"].get<std::vector<std::string>>());
    EXPECT_EQ(Json::parse(plans(options, machine).out)["plans"][0]["targets"], Json{"openmp"})
        << options.plan << " " << listed.size();
    options.planning.keep = 64;
    options.plan = "";
  }
}

TEST(PlansCommand, LeavesOutPlansWhoseTunablesHaveNoValue) {
  PlansOptions options;
  options.domains = true;
  options.planning.target = "openmp";
  composer::Machine machine = spelled(64);
  machine.levels[1].workers.min = 100;
  const Result result = plans(options, machine);
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.err.find("note: plan 17ebc08c is left out: no value of p will do: "
                            "it is at least 100, and at most 64\n"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.out.find("17ebc08c"), std::string::npos);
}

TEST(PlansCommand, GivesJson) {
  PlansOptions options;
  options.format = "json";
  options.limit = 2;
  const Json json = Json::parse(plans(options, fixture::simpleCpu()).out);
  EXPECT_EQ(json["spectrum"], "sum");
  EXPECT_EQ(json["model"], "simple-cpu");
  EXPECT_EQ(json["strategy"], "thesis");
  EXPECT_EQ(json["plans"].size(), 2U);
  EXPECT_EQ(json["count"], 3);
  EXPECT_EQ(json["plans"][0],
            Json::parse(R"json({"id": "17ebc08c", "rank": 1,
                "steps": ["S_P", "regroup(asso_tiled, P)", "distribute(T)",
                          "compute(sum#1, SE_T)", "S_P", "devolve(T)", "compute(sum#1, SE_T)"],
                "tunables": [{"name": "p", "codelet": "asso_tiled", "level": "P",
                              "workers": "T"}],
                "why": "before the next: iteration 1, compose(sum, P): P4 partitions as level P )json"
                        R"json((process) prefers (adjacent), P5 does not"})json"));
}

TEST(PlansCommand, CountsAllEvenWhenItListsFew) {
  PlansOptions options = all(6);
  options.format = "json";
  options.limit = 3;
  const Json json = Json::parse(plans(options, fixture::simpleGpu()).out);
  EXPECT_EQ(json["strategy"], "all");
  EXPECT_EQ(json["plans"].size(), 3U);
  EXPECT_EQ(json["plans"][2]["rank"], 3);
  EXPECT_EQ(json["count"], 1014070);
}

TEST(PlansCommand, CountsWithoutBuilding) {
  PlansOptions options;
  options.count = true;
  options.planning.iterations = 6;
  EXPECT_EQ(plans(options, fixture::simpleGpu()).out, "1014070\n");
  options.planning.iterations = 20;
  options.format = "json";
  const Json json = Json::parse(plans(options, fixture::simpleGpu()).out);
  ASSERT_TRUE(json["count"].is_string());
  EXPECT_EQ(json["count"].get<std::string>().size(), 66U);
  EXPECT_EQ(json["strategy"], "all");
  EXPECT_EQ(json["iterations"], 20);
}

TEST(PlansCommand, CountsNoneWithoutComplaint) {
  PlansOptions options;
  options.count = true;
  options.planning.iterations = 1;
  Result result = plans(options, fixture::simpleGpu());
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "0\n");
}

TEST(PlansCommand, DrawsTheBest) {
  PlansOptions options;
  options.format = "dot";
  const std::string out = plans(options, fixture::simpleGpu()).out;
  EXPECT_EQ(out.find("digraph plan {"), 0U);
  EXPECT_EQ(out.find("digraph", 1), std::string::npos);
}

TEST(PlansCommand, SavesAPlanAndShowsItAgain) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "tangram_saved_plan.json";
  PlansOptions saving;
  saving.save = file;
  saving.plan = "5efc8fdb";
  Result saved = plans(saving, fixture::simpleCpu());
  EXPECT_EQ(saved.status, 0) << saved.err;
  PlansOptions showing;
  showing.plan = file.string();
  Result shown = plans(showing, fixture::simpleCpu());
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.out, R"(5efc8fdb
    S_P, regroup(stride_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T),
    compute(sum#1, SE_T)
      tunable p of stride_tiled at P: workers of T
)");
  std::filesystem::remove(file);
}

TEST(PlansCommand, RefusesWhatIsNoPlan) {
  PlansOptions options;
  options.plan = "best-one";
  Result result = plans(options, fixture::simpleCpu());
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "error: 'best-one' is neither the id of a plan (8 hexadecimal digits) nor "
                        "a file nor a sketch of sum.cpp\n");
  options.plan = "12345678";
  result = plans(options, fixture::simpleCpu());
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "error: no plan of sum on simple-cpu within 3 iterations has the id "
                        "'12345678'\nnote: the plans are 17ebc08c, 5efc8fdb, c4f6756e\n");
  EXPECT_EQ(result.out, "");
}

TEST(PlansCommand, ExplainsThatThereIsNone) {
  PlansOptions options = all(1);
  options.planning.level = "P";
  Result result = plans(options, fixture::simpleCpu());
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err.substr(0, result.err.find('\n')),
            "sum.cpp:7:5: error: no plan composes sum at level P (process) of simple-cpu within 1 "
            "iteration, at least 2 are needed");
}

} // namespace
} // namespace tangram::driver
