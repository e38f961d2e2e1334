#include "composer/analysis/analysis.h"

#include "composer/analysis/analysis_fixture.h"

#include <gtest/gtest.h>

namespace tangram::composer {
namespace {

using namespace fixture;
using Names = std::vector<std::string>;

Names own(const Analysis &analysis, const std::string &spectrum, unsigned codelet = 0) {
  return names(analysis.of({spectrum, codelet}).own);
}
Names parallelism(const Analysis &analysis, const std::string &spectrum, unsigned codelet = 0) {
  return names(analysis.of({spectrum, codelet}).parallelism);
}

ir::Codelet calling(const std::vector<std::string> &spectrums) {
  VarPtr in = input("in");
  std::vector<StmtPtr> body;
  body.reserve(spectrums.size());
  for (const std::string &name : spectrums)
    body.push_back(ir::eval(spectrumCall(name, {ir::varRef(in)})));
  return codelet("", {in}, body);
}
ir::Codelet mapping(const std::string &spectrum) {
  VarPtr in = input("in");
  return codelet("", {in}, {ir::eval(map(spectrum, {ir::varRef(in)}))});
}

TEST(Analysis, PropertiesOfSum) {
  Analysis a = analyse(sumProgram());
  EXPECT_EQ(own(a, "sum", 0), Names{"autonomous"});
  EXPECT_EQ(own(a, "sum", 1), Names{"cooperative"});
  EXPECT_EQ(own(a, "sum", 2), (Names{"compound", "map"}));
  EXPECT_EQ(own(a, "sum", 3), (Names{"compound", "map"}));
  EXPECT_EQ(names(a.spectrums.at("sum")), (Names{"cooperative", "compound", "map", "autonomous"}));
  EXPECT_EQ(a.of({"sum", 2}).callees, Names{"sum"});
  ASSERT_EQ(a.of({"sum", 2}).tunables.size(), 1u);
  EXPECT_EQ(a.of({"sum", 2}).tunables[0]->name, "p");
  EXPECT_TRUE(a.warnings.empty());
  EXPECT_EQ(a.sweeps, 2u);
}

TEST(Analysis, ACompoundCodeletWithoutAMapHasTheParallelismOfItsCallees) {
  Analysis a = analyse(program({spectrum("inner", {sequentialSum(), mapping("inner")}),
                                spectrum("outer", {calling({"inner"})})}));
  EXPECT_EQ(own(a, "outer"), Names{"compound"});
  EXPECT_EQ(parallelism(a, "outer"), (Names{"compound", "map", "autonomous"}));
  EXPECT_EQ(parallelism(a, "inner", 0), Names{"autonomous"});
  EXPECT_EQ(parallelism(a, "inner", 1), (Names{"compound", "map"}));
}

TEST(Analysis, ACallersDeclaredFirstTakeMoreSweeps) {
  // a calls b calls c: known at once in the order c, b, a; against the order, a sweep each.
  ir::Spectrum a = spectrum("a", {calling({"b"})});
  ir::Spectrum b = spectrum("b", {calling({"c"})});
  ir::Spectrum c = spectrum("c", {koggeStoneSum()});
  Analysis forward = analyse(program({a, b, c}));
  Analysis backward = analyse(program({c, b, a}));
  EXPECT_EQ(parallelism(forward, "a"), (Names{"cooperative", "compound"}));
  EXPECT_EQ(forward.spectrums, backward.spectrums);
  EXPECT_EQ(forward.sweeps, 4u);
  EXPECT_EQ(backward.sweeps, 2u);
}

TEST(Analysis, MutualRecursionConverges) {
  Analysis a = analyse(program({spectrum("even", {calling({"odd"}), sequentialSum()}),
                                spectrum("odd", {calling({"even"}), mapping("even")})}));
  Names both{"compound", "map", "autonomous"};
  EXPECT_EQ(names(a.spectrums.at("even")), both);
  EXPECT_EQ(names(a.spectrums.at("odd")), both);
  EXPECT_EQ(parallelism(a, "even", 0), both);
  EXPECT_EQ(parallelism(a, "odd", 0), both);
  EXPECT_EQ(parallelism(a, "odd", 1), (Names{"compound", "map"}));
}

TEST(Analysis, CalleesAreListedInTheOrderTheyAreCalled) {
  VarPtr in = input("in");
  auto c = codelet("", {in},
                   {ir::returns(spectrumCall("last", {map("first", {ir::varRef(in)})})),
                    ir::eval(spectrumCall("first", {ir::varRef(in)}))});
  EXPECT_EQ(analyse(program({spectrum("f", {c})})).of({"f", 0}).callees, (Names{"first", "last"}));
}

TEST(Analysis, WarningsStandInSourceOrder) {
  ir::Program p = program({spectrum("sum", {strideTiledSum(true), koggeStoneSum(false)})});
  auto warnings = analyse(p).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].location, place(23, 26));
  EXPECT_EQ(warnings[1].location, place(45, 23));
}

Level level(const std::string &name, Capability compute, int subordinate,
            std::vector<MapRule> rules) {
  Level l;
  l.name = name;
  l.compute = compute;
  l.subordinate = subordinate;
  l.mapRules = std::move(rules);
  return l;
}

Names namesOf(const ir::Program &program, const std::vector<CodeletKey> &keys) {
  Names result;
  for (const CodeletKey &key : keys)
    result.push_back(program.spectrum(key.spectrum)->codelets[key.codelet].name());
  return result;
}

TEST(LevelMatching, SimpleGpu) {
  Machine machine;
  machine.targets = {"opencl"};
  machine.levels = {level("G", Capability::None, 1, {MapRule::Distribute}),
                    level("B", Capability::Vector, 2, {MapRule::Distribute}),
                    level("T", Capability::Scalar, -1, {})};
  ir::Program sum = sumProgram();
  auto matches = matchLevels(sum, analyse(sum), machine);
  ASSERT_EQ(matches.size(), 3u);
  Names tilings{"asso_tiled", "stride_tiled"};
  EXPECT_EQ(namesOf(sum, matches[0].scalar), Names{});
  EXPECT_EQ(namesOf(sum, matches[0].vector), Names{});
  EXPECT_EQ(namesOf(sum, matches[0].distribute), tilings);
  EXPECT_EQ(namesOf(sum, matches[1].scalar), Names{});
  EXPECT_EQ(namesOf(sum, matches[1].vector), Names{"kog"});
  EXPECT_EQ(namesOf(sum, matches[1].distribute), tilings);
  EXPECT_EQ(namesOf(sum, matches[2].scalar), Names{"sum#1"});
  EXPECT_EQ(namesOf(sum, matches[2].vector), Names{});
  EXPECT_EQ(namesOf(sum, matches[2].distribute), Names{});
}

TEST(LevelMatching, AScalarLevelThatSerializesTakesMaps) {
  Machine machine;
  machine.levels = {level("T", Capability::Scalar, -1, {MapRule::Serialize})};
  ir::Program sum = sumProgram();
  auto matches = matchLevels(sum, analyse(sum), machine);
  EXPECT_EQ(namesOf(sum, matches[0].scalar), (Names{"sum#1", "asso_tiled", "stride_tiled"}));
}

TEST(LevelMatching, CodeletsForOtherTargetsAreLeftOut) {
  Machine machine;
  machine.targets = {"openmp"};
  machine.levels = {level("T", Capability::Scalar, -1, {})};
  ir::Program sum = sumProgram();
  sum.spectrums[0].codelets[0].targets = {"opencl", "cuda"};
  EXPECT_TRUE(matchLevels(sum, analyse(sum), machine)[0].scalar.empty());
  sum.spectrums[0].codelets[0].targets = {"opencl", "openmp"};
  EXPECT_EQ(matchLevels(sum, analyse(sum), machine)[0].scalar.size(), 1u);
}

} // namespace
} // namespace tangram::composer
