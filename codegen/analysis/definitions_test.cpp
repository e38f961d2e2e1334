#include "codegen/analysis/definitions.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class DefinitionsTest : public ::testing::Test, protected Kernel4 {
protected:
  E row = variable("row");
  E place = variable("place");
  E moving = variable("moving");
  Definitions definitions{plan({lanes({let(row, lane / 8), let(place, row * n + row),
                                       let(moving, lane), set(moving, moving + 1)})})
                              .body};

  /// The names of the variables that `e` is made of.
  std::string partsOf(const E &e) const {
    std::string names;
    definitions.forEachPart({e.e}, [&](const ir::Expr &part) {
      if (part.kind == ir::ExprKind::Var)
        names += part.var->name + " ";
    });
    return names;
  }
};

TEST_F(DefinitionsTest, AreTheValuesOfDeclarations) {
  ASSERT_TRUE(definitions.of(*row.e));
  EXPECT_EQ(ir::toString(definitions.of(*row.e)), "lane / 8");
  EXPECT_EQ(ir::toString(definitions.of(*moving.e)), "lane");
  EXPECT_FALSE(definitions.of(*n.e));
  EXPECT_FALSE(definitions.of(*(row + 1).e));
}

TEST_F(DefinitionsTest, APartOfADefinitionIsSeenOnce) {
  EXPECT_EQ(partsOf(place + 1), "place row n row lane ");
  EXPECT_EQ(partsOf(moving), "moving lane ");
}

TEST_F(DefinitionsTest, AnyPartLooksThroughNames) {
  const auto isLane = [&](const ir::Expr &e) { return e.var == lane.var(); };
  EXPECT_TRUE(definitions.anyPart({n.e, place.e}, isLane));
  EXPECT_FALSE(definitions.anyPart({n.e, N.e}, isLane));
}

} // namespace
} // namespace tangram::codegen
