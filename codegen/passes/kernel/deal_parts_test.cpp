#include "codegen/form/building.h"
#include "codegen/passes/kernel/passes.h"
#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class DealParts : public ::testing::Test, protected Kernel4 {
protected:
  /// On a processor, with as many parts as threads.
  LoweredPlan onProcessor(std::vector<StmtPtr> body) const {
    LoweredPlan made = plan(std::move(body));
    made.machine = &cpu();
    made.target = traitsOf("openmp");
    made.tunables[0].defaultValue = "threads";
    return made;
  }
  static const composer::Machine &cpu() {
    static const composer::Machine machine = projected("cpu", "openmp");
    return machine;
  }
  static std::string parts(LoweredPlan plan) {
    return dealParts(std::move(plan)).tunables[0].defaultValue;
  }
  /// Some work of each group.
  std::vector<StmtPtr> work() const { return {lanes({set(out[group * N + lane], lane)})}; }
};

TEST_F(DealParts, AsManyForEachThreadAsTheModelSays) {
  EXPECT_EQ(parts(onProcessor(work())), "8 * threads");
  LoweredPlan four = onProcessor(work());
  composer::Machine other = cpu();
  other.levels[1].workers.parts = 4;
  four.machine = &other;
  EXPECT_EQ(parts(four), "4 * threads");
  other.levels[1].workers.parts = 1;
  EXPECT_EQ(parts(four), "threads");
}

TEST_F(DealParts, FewerWherePartsWouldHaveFewElements) {
  LoweredPlan rows = onProcessor(work());
  const E p = ir::varRef(rows.tunables[0].var), n = ir::varRef(rows.extents[0]);
  rows.body = ir::block({ir::declare(newVariable("tile"), ((n + p - E(1)) / p).e), rows.body});
  const LoweredPlan after = dealParts(rows);
  EXPECT_EQ(after.tunables[0].defaultValue, "8 * threads");
  ASSERT_TRUE(after.tunables[0].sizedDefault);
  EXPECT_EQ(ir::toString(after.tunables[0].sizedDefault),
            "max(threads, min(8 * threads, " + rows.extents[0]->name + " / 8))");
}

TEST_F(DealParts, NotFewerWhereElementsDoNotTakeEquallyLong) {
  const E i = variable("i"), k = variable("k");
  const auto isLimited = [&](const E &end) {
    LoweredPlan rows = onProcessor({upTo(i, n, {upTo(k, end, {addTo(out[i], in[k])})})});
    const E count = ir::varRef(rows.tunables[0].var), size = ir::varRef(rows.extents[0]);
    rows.body =
        ir::block({ir::declare(newVariable("tile"), ((size + count - E(1)) / count).e), rows.body});
    return dealParts(rows).tunables[0].sizedDefault != nullptr;
  };
  EXPECT_TRUE(isLimited(n));
  EXPECT_FALSE(isLimited(i + 1)) << "rows of a triangle";
  EXPECT_FALSE(isLimited(in[i])) << "data say how far a row goes";
}

TEST_F(DealParts, NotFewerWhereOtherNumbersTellHowManyElements) {
  LoweredPlan rows = onProcessor(work());
  const E p = ir::varRef(rows.tunables[0].var), n = ir::varRef(newVariable("n"));
  rows.body = ir::block({ir::declare(n.var(), out[E(0)].e),
                         ir::declare(newVariable("tile"), ((n + p - E(1)) / p).e), rows.body});
  EXPECT_FALSE(dealParts(rows).tunables[0].sizedDefault);
}

TEST_F(DealParts, NothingElseChanges) {
  const LoweredPlan before = onProcessor(work());
  const LoweredPlan after = dealParts(before);
  EXPECT_EQ(after.body, before.body);
  ASSERT_EQ(after.tunables.size(), before.tunables.size());
  for (std::size_t i = 1; i < after.tunables.size(); ++i)
    EXPECT_EQ(after.tunables[i].defaultValue, before.tunables[i].defaultValue);
}

TEST_F(DealParts, NotOfSeveralLoopsOverTheSameParts) {
  LoweredPlan twice = onProcessor(work());
  twice.body = ir::block({twice.body, twice.body});
  EXPECT_EQ(parts(twice), "threads") << "each thread finds its own in its cache";
}

TEST_F(DealParts, NotWhereAPartWaitsForTheOneBefore) {
  const E flag(atomicAt("await", out[group].e, {E(1).e}));
  EXPECT_EQ(parts(onProcessor({set(out[group], flag)})), "threads");
}

TEST_F(DealParts, NotWhereTheNumberIsChosenOtherwise) {
  LoweredPlan tiles = onProcessor(work());
  tiles.tunables[0].defaultValue = "2 * threads";
  EXPECT_EQ(parts(tiles), "2 * threads") << "somebody has decided";
  LoweredPlan some = onProcessor(work());
  some.tunables[0].values = {1, 2, 4};
  EXPECT_EQ(parts(some), "threads") << "no multiple of them need be allowed";
  LoweredPlan compiled = onProcessor(work());
  compiled.tunables[0].kind = Tunable::Kind::Compile;
  EXPECT_EQ(parts(compiled), "threads") << "no number of parts that a launch knows";
}

TEST_F(DealParts, NotOfOneGroup) {
  LoweredPlan one = onProcessor({});
  one.body = ir::block({ir::oneOf(1, ir::block(work()))});
  EXPECT_EQ(parts(one), "threads");
}

} // namespace
} // namespace tangram::codegen
