// The abstract rules, one by one: what each makes of a term, and why it refuses.
#include "composer/rules/rule.h"

#include "composer/plans/plan_fixture.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

class AbstractRules : public testing::Test {
protected:
  const ir::Program program = plan_fixture::sumProgram();
  const Machine machine = plan_fixture::simpleGpu();
  const ir::Spectrum &sum = program.spectrums.front();
  RuleContext context{&program, &machine, {}, {}, {}};

  /// What `rule` makes of `term`: the new terms, or "rule at place: reason".
  std::string rewrite(const AbstractRule &rule, const Term &term) const {
    EXPECT_TRUE(rule.concerns(term)) << rule.id;
    Rewriting result = rule.apply(term, context);
    if (const auto *refusal = std::get_if<Refusal>(&result))
      return refusal->rule + " at " + std::to_string(refusal->location.line) + ":" +
             std::to_string(refusal->location.column) + ": " + refusal->reason;
    std::string text;
    for (const Term &each : std::get<std::vector<Term>>(result))
      text += (text.empty() ? "" : ", ") + toString(each, context);
    return text;
  }

  Term codelet(std::size_t index, int level) const {
    return {Term::Kind::Codelet, level, &sum, &sum.codelets[index]};
  }
  Term map(int level) const { return {Term::Kind::Map, level, &sum}; }
};

TEST_F(AbstractRules, AreEightWithDistinctIds) {
  std::vector<std::string> ids;
  for (const AbstractRule *rule : abstractRules())
    ids.emplace_back(rule->id);
  EXPECT_EQ(ids, (std::vector<std::string>{"select", "devolve", "compute", "regroup", "distribute",
                                           "serialize", "split", "cascade"}));
}

TEST_F(AbstractRules, SelectProposesACodelet) {
  Term term{Term::Kind::Spectrum, 1, &sum, &sum.codelets[1]};
  EXPECT_EQ(rewrite(rules::select, term), "compose(kog, B)");
  context.without = {"kog"};
  EXPECT_EQ(rewrite(rules::select, term), "select at 18:5: codelet kog is left out");
}

TEST_F(AbstractRules, SelectNamesACompoundCodeletThatBeginsWithNoPartition) {
  ir::Codelet rec = sum.codelets[2];
  rec.tag = "rec";
  rec.body =
      ir::block({ir::returns(ir::node(ir::ExprKind::SpectrumCall, ir::scalarType(ir::Scalar::I32),
                                      {ir::varRef(rec.params[0])}, {}, "sum"))});
  EXPECT_EQ(rewrite(rules::select, {Term::Kind::Spectrum, 1, &sum, &rec}),
            "select(rec, B), compose(rec, B)");
  EXPECT_EQ(rewrite(rules::select, {Term::Kind::Spectrum, 1, &sum, &sum.codelets[2]}),
            "compose(asso_tiled, B)");
}

TEST_F(AbstractRules, SelectHonoursTheTargetsOfACodelet) {
  ir::Codelet cudaOnly = sum.codelets[1];
  cudaOnly.targets = {"cuda", "opencl"};
  Term term{Term::Kind::Spectrum, 1, &sum, &cudaOnly};
  EXPECT_EQ(rewrite(rules::select, term), "compose(kog, B)");
  context.target = "opencl";
  EXPECT_EQ(rewrite(rules::select, term), "compose(kog, B)");
  context.target = "openmp";
  EXPECT_EQ(rewrite(rules::select, term),
            "select at 18:5: codelet kog is for cuda, opencl, not for openmp");
}

TEST_F(AbstractRules, DevolveNeedsASubordinate) {
  EXPECT_EQ(rewrite(rules::devolve, {Term::Kind::Spectrum, 0, &sum}),
            "S_G, devolve(B), compose(sum, B)");
  EXPECT_EQ(rewrite(rules::devolve, {Term::Kind::Spectrum, 2, &sum}),
            "devolve at 7:5: level T (thread) has no subordinate level to devolve to");
}

TEST_F(AbstractRules, ComputeNeedsTheRightCapability) {
  EXPECT_EQ(rewrite(rules::compute, codelet(0, 2)), "compute(sum#1, SE_T)");
  EXPECT_EQ(rewrite(rules::compute, codelet(1, 1)), "compute(kog, VE_B)");
  EXPECT_EQ(rewrite(rules::compute, codelet(0, 0)),
            "compute at 7:5: level G (grid) has no computational capability");
  EXPECT_EQ(rewrite(rules::compute, codelet(0, 1)),
            "compute at 7:5: codelet sum#1 is autonomous and needs scalar execution; "
            "level B (block) has vector execution");
  EXPECT_EQ(rewrite(rules::compute, codelet(1, 2)),
            "compute at 18:5: codelet kog is cooperative and needs vector execution; "
            "level T (thread) has scalar execution");
  EXPECT_FALSE(rules::compute.concerns(codelet(2, 1)));
}

TEST_F(AbstractRules, CascadeListsTheSitesOperandsFirst) {
  EXPECT_EQ(rewrite(rules::cascade, codelet(2, 1)),
            "compose(partition(asso_tiled), B), compose(map(sum), B), compose(sum, B)");
  EXPECT_FALSE(rules::cascade.concerns(codelet(0, 1)));
}

TEST_F(AbstractRules, CascadeRefusesACallOfNoSpectrum) {
  ir::Program empty;
  context.program = &empty;
  EXPECT_EQ(rewrite(rules::cascade, codelet(2, 1)),
            "cascade at 37:14: 'sum' is not a spectrum of this program");
}

TEST_F(AbstractRules, RegroupWaitsForTheDataWhereThereAreWorkers) {
  Term partition{Term::Kind::Partition, 1, nullptr, &sum.codelets[2]};
  EXPECT_EQ(rewrite(rules::regroup, partition), "S_B, regroup(asso_tiled, B)");
  partition.level = 2;
  EXPECT_EQ(rewrite(rules::regroup, partition), "regroup(asso_tiled, T)");
}

TEST_F(AbstractRules, DistributeGoesToTheSubordinate) {
  EXPECT_EQ(rewrite(rules::distribute, map(0)), "distribute(B), compose(sum, B)");
  EXPECT_EQ(rewrite(rules::distribute, map(2)),
            "distribute at 7:5: level T (thread) has no subordinate level to distribute to");
  context.mapRules = {MapRule::Serialize};
  EXPECT_EQ(rewrite(rules::distribute, map(0)),
            "distribute at 7:5: level G (grid) does not offer distribute for maps");
}

TEST_F(AbstractRules, DistributeNeedsAsManyWorkersAsATunableMayBe) {
  const auto p = std::make_shared<ir::Var>();
  p->name = "p";
  p->type = ir::scalarType(ir::Scalar::Index);
  p->kind = ir::VarKind::Tunable;
  p->domain = {ir::TunableDomain::Kind::Choice, {2048, 4096}};
  const ir::ExprPtr in = ir::varRef(sum.codelets[2].params[0]), n = ir::varRef(p);
  const ir::ExprPtr parts = ir::node(ir::ExprKind::Partition, in->type, {in, n, n, n, n}, {}, "");
  const ir::ExprPtr mapped = ir::node(ir::ExprKind::Map, in->type, {parts}, {}, "sum");
  Machine limited = machine;
  limited.levels[2].workers.max = 1024;
  context.machine = &limited;
  Term term = map(1);
  term.codelet = &sum.codelets[2];
  term.expr = mapped.get();
  EXPECT_EQ(
      rewrite(rules::distribute, term),
      "distribute at 0:0: tunable 'p' is one of 2048, 4096, and the workers of level T (thread) "
      "are 1..1024");
  p->domain.values.push_back(512);
  EXPECT_EQ(rewrite(rules::distribute, term), "distribute(T), compose(sum, T)");
}

TEST_F(AbstractRules, SerializeNeedsToCompute) {
  EXPECT_EQ(rewrite(rules::serialize, map(1)),
            "serialize at 7:5: level B (block) does not offer serialize for maps");
  context.mapRules = {MapRule::Serialize};
  EXPECT_EQ(rewrite(rules::serialize, map(1)), "serialize(B), compose(sum, B)");
  EXPECT_EQ(rewrite(rules::serialize, map(0)),
            "serialize at 7:5: level G (grid) has no computational capability to run a loop");
}

TEST_F(AbstractRules, SplitLeavesTheInnerMapOpenBelow) {
  context.mapRules = {MapRule::Split};
  EXPECT_EQ(rewrite(rules::split, map(0)), "split(G), distribute(B), compose(map(sum), B)");
  EXPECT_EQ(rewrite(rules::split, map(2)),
            "split at 7:5: level T (thread) has no subordinate level to distribute the outer map "
            "to");
  context.mapRules = {MapRule::Distribute};
  EXPECT_EQ(rewrite(rules::split, map(0)),
            "split at 7:5: level G (grid) does not offer split for maps");
}

TEST_F(AbstractRules, BeforeAMachineIsNamedLevelsAreAbstract) {
  context.machine = nullptr;
  EXPECT_EQ(rewrite(rules::devolve, {Term::Kind::Spectrum, 0, &sum}),
            "S_L, devolve(l_L), compose(sum, l_L)");
  EXPECT_EQ(rewrite(rules::compute, codelet(0, 0)), "compute(sum#1, SE_L)");
  EXPECT_EQ(rewrite(rules::compute, codelet(1, 0)), "compute(kog, VE_L)");
  EXPECT_EQ(rewrite(rules::distribute, map(0)), "distribute(l_L), compose(sum, l_L)");
  EXPECT_EQ(rewrite(rules::split, map(0)), "split at 7:5: level L does not offer split for maps");
}

} // namespace
} // namespace tangram::composer
