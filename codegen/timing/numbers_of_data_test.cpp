// Numbers that stand in arrays: the caller's, whose parts vary, and a codelet's own.
#include "codegen/timing/numbers_of_data.h"

#include "codegen/form/building.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tangram::codegen {
namespace {

using namespace ir;

class NumbersInArrays : public testing::Test {
protected:
  /// An array of integers, `count` of them, ascending from 0 to `high`.
  VarPtr ascending(const std::string &access, std::int64_t count, std::int64_t high) {
    Buffer buffer;
    buffer.var = newVariable("offsets", Scalar::I32, VarKind::Buffer);
    buffer.access = access;
    buffer.count = intLiteral(count);
    plan.buffers.push_back(buffer);
    (access.empty() ? plan.relied : plan.data)
        .push_back({buffer.var, "ascending", intLiteral(0), intLiteral(high)});
    return buffer.var;
  }

  static ExprPtr at(const VarPtr &array, const ExprPtr &position) {
    return index(varRef(array), {position});
  }

  /// A number that is 1 more from item to item, of as many as `rows` each the same.
  static Samples ofItems(double rows) {
    Samples s;
    s.at[Samples::items] = rows == 1 ? 1 : 0;
    s.at[Samples::middleItem] = std::floor(127 / rows);
    s.at[Samples::lastItem] = std::floor(255 / rows);
    return s;
  }

  double longest(const ExprPtr &condition, const SampledValues &values) const {
    const std::vector<Around> nest{{Walk::Kind::Items, 256, Samples::items, true}};
    return NumbersOfData(plan).longest(condition, values, nest, 32);
  }

  LoweredPlan plan;
  const VarPtr row = newVariable("row");
  const VarPtr k = newVariable("k");
};

TEST_F(NumbersInArrays, ItemsThatExecuteTogetherWaitForTheLongestRow) {
  const VarPtr offsets = ascending("in", 1001, 32000);
  SampledValues values(plan, {});
  const ExprPtr more = binary("<", varRef(k), at(offsets, varRef(row)));
  values.set(row.get(), ofItems(1));                // a row each
  EXPECT_NEAR(longest(more, values), 4.058, 0.001); // 1 + 1/2 + ... + 1/32
  values.set(row.get(), ofItems(8));                // four rows
  EXPECT_NEAR(longest(more, values), 1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0, 1e-9);
  values.set(row.get(), Samples::all(5)); // the same one
  EXPECT_EQ(longest(more, values), 1);
}

TEST_F(NumbersInArrays, VariablesCarryWhatTheyWereReadFrom) {
  const VarPtr offsets = ascending("in", 1001, 32000);
  SampledValues values(plan, {});
  values.set(row.get(), ofItems(1));
  NumbersOfData data(plan);
  const VarPtr end = newVariable("end", Scalar::I32);
  const std::vector<Around> nest{{Walk::Kind::Items, 256, Samples::items, true}};
  const ExprPtr more = binary("<", varRef(k), varRef(end));
  EXPECT_EQ(data.longest(more, values, nest, 32), 1);
  data.assign(end.get(), binary("+", at(offsets, varRef(row)), intLiteral(1)), values);
  EXPECT_GT(data.longest(more, values, nest, 32), 4);
  data.assign(end.get(), intLiteral(7), values);
  EXPECT_EQ(data.longest(more, values, nest, 32), 1);
}

TEST_F(NumbersInArrays, ANumberThatIsMadeOfMoreFromRoundToRoundStandsInFewPlaces) {
  const VarPtr offsets = ascending("in", 1001, 32000);
  SampledValues values(plan, {});
  NumbersOfData data(plan);
  const VarPtr best = newVariable("best", Scalar::I32);
  for (int round = 0; round < 100; ++round) {
    values.set(row.get(), Samples::all(round % 3));
    data.assign(best.get(),
                binary("+", binary("*", varRef(best), varRef(best)), at(offsets, varRef(row))),
                values);
  }
  EXPECT_EQ(data.positions(varRef(best), values).size(), 3U); // each once
  for (int round = 0; round < 1000; ++round) {
    values.set(row.get(), Samples::all(round));
    data.assign(best.get(), binary("+", varRef(best), at(offsets, varRef(row))), values);
  }
  EXPECT_LE(data.positions(varRef(best), values).size(), 64U);
}

TEST_F(NumbersInArrays, PartsThatACodeletMakesAreEven) {
  const VarPtr own = ascending("", 1001, 32000);
  SampledValues values(plan, {});
  values.set(row.get(), ofItems(1));
  EXPECT_EQ(longest(binary("<", varRef(k), at(own, varRef(row))), values), 1);
}

TEST_F(NumbersInArrays, AnArrayOfEachGroupAscendsForEach) {
  // Of four groups, each of which cuts all of 1000 elements into ten parts.
  const VarPtr own = ascending("", 4 * 11, 1000);
  const VarPtr callers = ascending("in", 4 * 11, 1000);
  SampledValues values(plan, {});
  Samples group = Samples::all(0);
  group.at[Samples::steps] = 1;
  group.at[Samples::groups] = 3;
  const VarPtr number = newVariable("group");
  values.set(number.get(), group);
  values.setGroups(group, 4, Samples::steps);
  auto part = [&](std::int64_t which) {
    return binary("+", binary("*", varRef(number), intLiteral(11)), intLiteral(which));
  };
  for (const std::size_t point : {Samples::base, Samples::steps, Samples::groups}) {
    EXPECT_EQ(values(at(own, part(0))).at[point], 0);
    EXPECT_EQ(values(at(own, part(1))).at[point], 100);
    EXPECT_EQ(values(at(own, part(10))).at[point], 1000);
  }
  EXPECT_EQ(values(at(callers, part(0))).at[Samples::groups], std::floor(33 * 1000 / 43.0));
}

} // namespace
} // namespace tangram::codegen
