#include "codegen/analysis/multiples.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

class MultiplesTest : public ::testing::Test, protected Kernel4 {
protected:
  E i = variable("i");
  E part = variable("part");     ///< declared as 8 * lane
  E moving = variable("moving"); ///< declared as 4, and assigned

  /// The sizes that have to be multiples of 4: "none", or "never" where that would not do.
  std::string sizesFor(const E &e, std::vector<std::int64_t> values = {}) const {
    LoweredPlan made =
        plan({lanes({let(part, lane * 8), let(moving, 4), set(moving, moving + 1)})});
    made.tunables[1].values = std::move(values);
    const auto sizes = Multiples(made).sizesFor(*e.e, 4);
    if (!sizes)
      return "never";
    std::string names;
    for (const ir::VarPtr &size : *sizes)
      names += size->name;
    return names.empty() ? "none" : names;
  }
};

TEST_F(MultiplesTest, OfNumbersAndSizes) {
  EXPECT_EQ(sizesFor(i * 4 + 8), "none");
  EXPECT_EQ(sizesFor(i * n), "n");
  EXPECT_EQ(sizesFor(i * n * 4), "none") << "the factor says it";
  EXPECT_EQ(sizesFor(i * n + 4), "n");
  EXPECT_EQ(sizesFor(i * n + 2), "never");
  EXPECT_EQ(sizesFor(i * 4 - n), "never");
  EXPECT_EQ(sizesFor(i), "never");
}

TEST_F(MultiplesTest, OfWhatIsDeclaredOnce) {
  EXPECT_EQ(sizesFor(part + 4), "none");
  EXPECT_EQ(sizesFor(moving * i), "never");
}

TEST_F(MultiplesTest, OfTunablesAllOfWhoseValuesAre) {
  EXPECT_EQ(sizesFor(N * i), "never");
  EXPECT_EQ(sizesFor(N * i, {4, 64}), "none");
  EXPECT_EQ(sizesFor(N * i, {4, 6}), "never");
}

} // namespace
} // namespace tangram::codegen
