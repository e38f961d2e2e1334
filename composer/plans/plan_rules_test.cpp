// Program composition rules: figures 5.5, 5.6 and 5.7, and what they leave out.
#include "composer/plans/plan_rules.h"

#include "composer/plans/plan_fixture.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using Lines = std::vector<std::string>;

/// "G4: S_G, ...", one line a rule.
Lines rulesAt(const RuleBook &book, const Goal &goal) {
  Lines lines;
  for (const ProgramRule &rule : book.rules(goal).rules) {
    std::string line = book.label(rule) + ":";
    for (const std::string &step : rule.steps)
      line += " " + step;
    lines.push_back(line);
  }
  return lines;
}

Lines allRules(const RuleBook &book) {
  Lines lines;
  const std::size_t levels = book.context().machine ? book.context().machine->levels.size() : 1;
  for (std::size_t level = 0; level < levels; ++level) {
    for (const std::string &line :
         rulesAt(book, {&book.context().program->spectrums.front(), static_cast<int>(level)}))
      lines.push_back(line);
  }
  return lines;
}

class ProgramRules : public testing::Test {
protected:
  const ir::Program program = plan_fixture::sumProgram();
  const ir::Spectrum &sum = program.spectrums.front();
  RuleContext context{&program, nullptr, {}, {}, {}};
};

TEST_F(ProgramRules, UnspecializedAreThoseOfFigure55) {
  EXPECT_EQ(allRules(RuleBook(context)),
            (Lines{"1: S_L devolve(l_L) compose(sum, l_L)", "2: compute(sum#1, SE_L)",
                   "3: compute(kog, VE_L)",
                   "4: S_L regroup(asso_tiled, L) distribute(l_L) compose(sum, l_L) "
                   "compose(sum, L)",
                   "5: S_L regroup(stride_tiled, L) distribute(l_L) compose(sum, l_L) "
                   "compose(sum, L)"}));
}

TEST_F(ProgramRules, OnTheSimpleCpuAreThoseOfFigure56) {
  const Machine machine = plan_fixture::simpleCpu();
  context.machine = &machine;
  EXPECT_EQ(allRules(RuleBook(context)),
            (Lines{"P1: S_P devolve(T) compose(sum, T)",
                   "P4: S_P regroup(asso_tiled, P) distribute(T) compose(sum, T) compose(sum, P)",
                   "P5: S_P regroup(stride_tiled, P) distribute(T) compose(sum, T) compose(sum, P)",
                   "T2: compute(sum#1, SE_T)"}));
}

TEST_F(ProgramRules, OnTheSimpleGpuAreThoseOfFigure57) {
  const Machine machine = plan_fixture::simpleGpu();
  context.machine = &machine;
  EXPECT_EQ(allRules(RuleBook(context)),
            (Lines{"G1: S_G devolve(B) compose(sum, B)",
                   "G4: S_G regroup(asso_tiled, G) distribute(B) compose(sum, B) compose(sum, G)",
                   "G5: S_G regroup(stride_tiled, G) distribute(B) compose(sum, B) compose(sum, G)",
                   "B1: S_B devolve(T) compose(sum, T)", "B3: compute(kog, VE_B)",
                   "B4: S_B regroup(asso_tiled, B) distribute(T) compose(sum, T) compose(sum, B)",
                   "B5: S_B regroup(stride_tiled, B) distribute(T) compose(sum, T) compose(sum, B)",
                   "T2: compute(sum#1, SE_T)"}));
}

TEST_F(ProgramRules, ALevelWithSeveralPoliciesHasARuleForEach) {
  const Machine machine = plan_fixture::fiveLevelGpu();
  context.machine = &machine;
  context.without = {"stride_tiled", "kog"};
  RuleBook book(context);
  EXPECT_EQ(rulesAt(book, {&sum, 3}),
            (Lines{"T1: S_T devolve(I) compose(sum, I)", "T2: compute(sum#1, SE_T)",
                   "T4/distribute: S_T regroup(asso_tiled, T) distribute(I) compose(sum, I) "
                   "compose(sum, T)",
                   "T4/serialize: S_T regroup(asso_tiled, T) serialize(T) compose(sum, T) "
                   "compose(sum, T)",
                   "T4/split: S_T regroup(asso_tiled, T) split(T) distribute(I) "
                   "compose(map(sum), I) compose(sum, T)"}));
  EXPECT_EQ(rulesAt(book, {&sum, 3, true}),
            (Lines{"T/distribute: distribute(I) compose(sum, I)",
                   "T/serialize: serialize(T) compose(sum, T)",
                   "T/split: split(T) distribute(I) compose(map(sum), I)"}));
  EXPECT_EQ(rulesAt(book, {&sum, 4, true}), (Lines{"I/serialize: serialize(I) compose(sum, I)"}));
}

TEST_F(ProgramRules, MapRulesOverrideTheModel) {
  const Machine machine = plan_fixture::simpleGpu();
  context.machine = &machine;
  context.mapRules = {MapRule::Serialize};
  EXPECT_EQ(rulesAt(RuleBook(context), {&sum, 2}),
            (Lines{"T2: compute(sum#1, SE_T)",
                   "T4: regroup(asso_tiled, T) serialize(T) compose(sum, T) compose(sum, T)",
                   "T5: regroup(stride_tiled, T) serialize(T) compose(sum, T) compose(sum, T)"}));
}

TEST_F(ProgramRules, WhatNoMachineCanRunIsNotOffered) {
  const Machine machine = plan_fixture::simpleGpu();
  ir::Program marked = program;
  ir::Codelet &kog = marked.spectrums[0].codelets[1];
  kog.impossible = ir::errorAt({}, "its lanes cannot wait");
  RuleContext markedContext{&marked, &machine, {}, {}, {}};
  RuleBook book(markedContext);
  Lines reasons;
  for (const RejectedRule &each : book.rules({&marked.spectrums[0], 1}).rejected) {
    if (each.origin() == "kog")
      reasons.push_back(each.refusal.rule + ": " + each.refusal.reason);
  }
  EXPECT_EQ(reasons, (Lines{"compute: codelet kog cannot run: its lanes cannot wait"}));
}

TEST_F(ProgramRules, WhatCannotBeAppliedSaysWhy) {
  const Machine machine = plan_fixture::simpleCpu();
  context.machine = &machine;
  RuleBook book(context);
  Lines reasons;
  for (const RejectedRule &each : book.rules({&sum, 1}).rejected)
    reasons.push_back(std::to_string(each.number) + " " + each.origin() + " " + each.refusal.rule +
                      " line " + std::to_string(each.refusal.location.line) + ": " +
                      each.refusal.reason);
  EXPECT_EQ(
      reasons,
      (Lines{
          "1 Devolve devolve line 7: level T (thread) has no subordinate level to devolve to",
          "3 kog compute line 18: codelet kog is cooperative and needs vector execution; "
          "level T (thread) has scalar execution",
          "4 asso_tiled distribute line 37: level T (thread) has no subordinate level to "
          "distribute to",
          "4 asso_tiled serialize line 37: level T (thread) does not offer serialize for maps",
          "4 asso_tiled split line 37: level T (thread) has no subordinate level to distribute "
          "the outer map to",
          "5 stride_tiled distribute line 47: level T (thread) has no subordinate level to "
          "distribute to",
          "5 stride_tiled serialize line 47: level T (thread) does not offer serialize for maps",
          "5 stride_tiled split line 47: level T (thread) has no subordinate level to distribute "
          "the outer map to"}));
}

TEST_F(ProgramRules, KnowHowAPartitionTiles) {
  RuleBook book(context);
  const std::vector<ProgramRule> &rules = book.rules({&sum, 0}).rules;
  EXPECT_EQ(rules[2].tiling, Tiling::None);
  EXPECT_EQ(rules[3].tiling, Tiling::Adjacent);
  EXPECT_EQ(rules[4].tiling, Tiling::Strided);
  EXPECT_TRUE(rules[3].tunable);
  EXPECT_FALSE(rules[1].tunable);
}

TEST_F(ProgramRules, KnowWhichCallCombinesDistributedResults) {
  const Machine machine = plan_fixture::fiveLevelGpu();
  context.machine = &machine;
  RuleBook book(context);
  std::map<std::string, Lines> combining;
  for (const ProgramRule &rule : book.rules({&sum, 1}).rules) {
    for (const OpenGoal &open : rule.open) {
      if (open.goal.combines)
        combining[book.label(rule)].push_back(toString(open.goal, context));
    }
  }
  EXPECT_EQ(combining, (std::map<std::string, Lines>{{"B4/distribute", {"compose(sum, B)"}},
                                                     {"B5/distribute", {"compose(sum, B)"}}}));
}

} // namespace
} // namespace tangram::composer
