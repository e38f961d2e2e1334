// Plans saved and replayed, and what is wrong with files that are not plans.
#include "composer/plans/plan_json.h"

#include "composer/plans/notation.h"
#include "composer/plans/plan_fixture.h"
#include "composer/plans/planner.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

class SavedPlans : public testing::Test {
protected:
  const ir::Program program = plan_fixture::sumProgram();
  const Machine gpu = plan_fixture::simpleGpu();
  const Machine cpu = plan_fixture::simpleCpu();
  PlanInterner interner;

  std::string best(const Machine &machine) const {
    PlanList list = plans(program, machine, "sum", {}, 1);
    return planToJson(list.plans.front().plan, program, machine);
  }

  /// The errors of reading `text`, rendered; "fine" when there are none.
  std::string read(const std::string &text, const Machine &machine) const {
    auto plan = planFromJson(text, "plan.json", program, machine, interner);
    if (auto *errors = std::get_if<ir::Diagnostics>(&plan))
      return ir::render(*errors);
    return "fine";
  }

  /// The saved best plan of the simple CPU with the first `from` replaced.
  std::string edited(const std::string &from, const std::string &to) const {
    std::string text = best(cpu);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
};

TEST_F(SavedPlans, LookLikeThis) {
  PlanOptions options;
  options.iterations = 2;
  PlanList list = plans(program, cpu, "sum", options);
  EXPECT_EQ(planToJson(list.plans.front().plan, program, cpu), R"json({
  "format": "tangram-plan",
  "version": 1,
  "spectrum": "sum",
  "model": "simple-cpu",
  "id": "c4f6756e",
  "source": {
    "file": "sum.cpp",
    "hash": "0123456789abcdef"
  },
  "steps": [
    "S_P",
    "devolve(T)",
    "compute(sum#1, SE_T)"
  ],
  "plan": {
    "rule": "devolve",
    "spectrum": "sum",
    "level": "P",
    "of": [
      {
        "rule": "compute",
        "spectrum": "sum",
        "level": "T",
        "codelet": "sum#1"
      }
    ]
  }
}
)json");
}

TEST_F(SavedPlans, AreReadBackAsTheSamePlan) {
  PlanOptions options;
  options.mapRules = {MapRule::Distribute, MapRule::Serialize, MapRule::Split};
  options.keep = 60;
  for (const Machine &machine : {gpu, cpu, plan_fixture::fiveLevelGpu()}) {
    PlanList list = plans(program, machine, "sum", options);
    EXPECT_FALSE(list.plans.empty());
    for (const RankedPlan &plan : list.plans) {
      auto read = planFromJson(planToJson(plan.plan, program, machine), "plan.json", program,
                               machine, interner);
      ASSERT_TRUE(std::holds_alternative<ir::PlanPtr>(read))
          << ir::render(std::get<ir::Diagnostics>(read));
      EXPECT_EQ(planId(std::get<ir::PlanPtr>(read), program, machine), plan.id);
    }
  }
}

TEST_F(SavedPlans, SurviveAnotherSourceText) {
  EXPECT_EQ(read(edited("0123456789abcdef", "fedcba9876543210"), cpu), "fine");
}

TEST_F(SavedPlans, MustBePlans) {
  EXPECT_EQ(read("{", cpu), "plan.json: error: not a JSON document, or cut short\n");
  EXPECT_EQ(read("[]", cpu), "plan.json: error: expected an object, found array\n");
  EXPECT_EQ(read("{}", cpu), "plan.json: error: /format: expected a string, found nothing\n");
  EXPECT_EQ(read(edited("tangram-plan", "tangram-bundle"), cpu),
            "plan.json: error: /format: expected \"tangram-plan\", found \"tangram-bundle\"\n");
  EXPECT_EQ(read(edited("\"version\": 1", "\"version\": 2"), cpu),
            "plan.json: error: /version: expected 1, found 2\n");
}

TEST_F(SavedPlans, MustFitTheProgram) {
  EXPECT_EQ(read(edited("\"codelet\": \"asso_tiled\"", "\"codelet\": \"asso_tild\""), cpu),
            "plan.json: error: /plan/codelet: unknown codelet \"asso_tild\", did you mean "
            "\"asso_tiled\"?\n");
  EXPECT_EQ(read(edited("\"codelet\": \"asso_tiled\"", "\"codelet\": 4"), cpu),
            "plan.json: error: /plan/codelet: expected a string, found 4\n");
  EXPECT_EQ(read(edited("\"codelet\": \"sum#1\"", "\"codelet\": \"asso_tiled\""), cpu),
            "plan.json: error: /plan/of/0/of/0: level T (thread) has no subordinate level to "
            "distribute to\nsum.cpp:37:14: note: asso_tiled\n");
  EXPECT_EQ(read(edited("\"spectrum\": \"sum\"", "\"spectrum\": \"max\""), cpu),
            "plan.json: error: /plan/spectrum: expected max, found sum\n");
}

TEST_F(SavedPlans, MustFitTheMachine) {
  EXPECT_EQ(read(best(cpu), gpu),
            "plan.json: error: /plan/level: unknown level \"P\", expected one of G, B, T\n");
  EXPECT_EQ(read(edited("\"codelet\": \"sum#1\"", "\"codelet\": \"kog\""), cpu),
            "plan.json: error: /plan/of/0/of/0: codelet kog is cooperative and needs vector "
            "execution; level T (thread) has scalar execution\nsum.cpp:18:5: note: kog\n");
}

TEST_F(SavedPlans, MustBeWhole) {
  EXPECT_EQ(read(edited("\"rule\": \"distribute\"", "\"rule\": \"distribut\""), cpu),
            "plan.json: error: /plan/of/0/rule: unknown rule \"distribut\", did you mean "
            "\"distribute\"?\n");
  EXPECT_EQ(read(edited("\"rule\": \"distribute\"", "\"rule\": \"serialize\""), cpu),
            "plan.json: error: /plan: level P (process) has no computational capability to run a "
            "loop\nsum.cpp:37:14: note: asso_tiled\n");
  EXPECT_EQ(read(edited("\"S_P\",", ""), cpu),
            "plan.json: error: /steps: expected those of the plan: S_P, regroup(asso_tiled, P), "
            "distribute(T), compute(sum#1, SE_T), S_P, devolve(T), compute(sum#1, SE_T)\n");
  const std::string text = best(cpu);
  const std::string id = text.substr(text.find("\"id\": \"") + 7, 8);
  EXPECT_EQ(read(edited(id, "00000000"), cpu), "plan.json: error: /id: expected \"" + id +
                                                   "\", the id of these steps, found "
                                                   "\"00000000\"\n");
}

} // namespace
} // namespace tangram::composer
