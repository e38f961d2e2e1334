#include "codegen/analysis/bank_conflicts.h"

#include "codegen/test_fixture.h"

namespace tangram::codegen {
namespace {

using namespace fixture;

constexpr Banks banksOf16{16, 4, 16}, banksOf32{32, 4, 32};

/// What items write that copy rows to columns: `rows` below each other first.
WarpAccess toColumns(std::int64_t rows, std::int64_t pitch, std::int64_t bytes = 4) {
  return {.inTurn = rows, .step = pitch, .stride = 1, .elementBytes = bytes};
}

/// What items read that are side by side, so many in a row.
WarpAccess inRows(std::int64_t items, std::int64_t pitch, std::int64_t bytes = 4) {
  return {.inTurn = items, .step = 1, .stride = pitch, .elementBytes = bytes};
}

// ../shared/notes/stencils-and-views.md 1.4: tiles of 80 rows, copied by groups of 16 or 32 items side by side.
TEST(BankConflicts, OfTransposedTiles) {
  struct Shape {
    Banks banks;
    std::int64_t items, pitch, degree;
  };
  for (const Shape &each :
       {Shape{banksOf16, 16, 80, 16}, Shape{banksOf16, 16, 81, 1}, Shape{banksOf32, 16, 80, 8},
        Shape{banksOf32, 16, 81, 2}, Shape{banksOf32, 16, 82, 1}, Shape{banksOf32, 32, 80, 16},
        Shape{banksOf32, 32, 81, 1}})
    EXPECT_EQ(degreeOfConflict(each.banks, toColumns(each.items, each.pitch)), each.degree)
        << each.banks.count << " banks, " << each.items << " items, pitch " << each.pitch;
}

TEST(BankConflicts, TheSmallestPaddingOfLeastDegree) {
  const auto padding = [](const Banks &banks, std::int64_t items, std::int64_t alignment) {
    const Padding least = leastPadding(banks, 80, alignment, [&](std::int64_t pitch) {
      return degreeOfConflict(banks, toColumns(items, pitch));
    });
    return std::to_string(least.elements) + ", " + std::to_string(least.degree);
  };
  EXPECT_EQ(padding(banksOf16, 16, 1), "1, 1");
  EXPECT_EQ(padding(banksOf32, 16, 1), "2, 1");
  EXPECT_EQ(padding(banksOf32, 32, 1), "1, 1");
  // Where vectors of four begin, no row begins in another bank than every fourth.
  EXPECT_EQ(padding(banksOf32, 16, 4), "4, 2");
  EXPECT_EQ(padding(banksOf32, 32, 4), "4, 4");
}

TEST(BankConflicts, ItemsThatAskForOneWordGetItTogether) {
  EXPECT_EQ(degreeOfConflict(banksOf32, {.inTurn = 32, .step = 0}), 1);
  EXPECT_EQ(degreeOfConflict(banksOf32, {.inTurn = 32, .step = 1, .elementBytes = 1}), 1);
  EXPECT_EQ(degreeOfConflict(banksOf32, {.inTurn = 32, .step = 2}), 2);
  EXPECT_EQ(degreeOfConflict(banksOf32, {.inTurn = 32, .step = 32}), 32);
}

TEST(BankConflicts, WideElementsAreServedForFewerItemsAtATime) {
  EXPECT_EQ(degreeOfConflict(banksOf32, {.inTurn = 32, .step = 1, .elementBytes = 8}), 1);
  EXPECT_EQ(degreeOfConflict(banksOf32, {.inTurn = 32, .step = 4, .vector = 4}), 1);
  EXPECT_EQ(degreeOfConflict(banksOf32, {.inTurn = 32, .step = 8, .vector = 4}), 2);
  EXPECT_EQ(degreeOfConflict({32, 8, 32}, {.inTurn = 32, .step = 1, .elementBytes = 8}), 1);
}

/// Whether a pitch is the smallest of least degree, for all that the two pitches are made for.
class Pitches : public ::testing::TestWithParam<Banks> {
protected:
  static std::vector<std::int64_t> bytesOfElements() {
    return GetParam().wordBytes == 8 ? std::vector<std::int64_t>{8}
                                     : std::vector<std::int64_t>{4, 8};
  }

  static std::int64_t number(const ir::ExprPtr &pitch) {
    return ir::literalValue(pitch).value_or(-1);
  }

  void expectLeast(std::int64_t pitch, std::int64_t extent, std::int64_t alignment,
                   const std::function<WarpAccess(std::int64_t)> &access) const {
    const Banks &banks = GetParam();
    const Padding least = leastPadding(banks, extent, alignment, [&](std::int64_t each) {
      return degreeOfConflict(banks, access(each));
    });
    const WarpAccess chosen = access(pitch);
    EXPECT_EQ(pitch % alignment, 0);
    EXPECT_EQ(degreeOfConflict(banks, chosen), least.degree)
        << extent << " elements of " << chosen.elementBytes << " bytes, " << chosen.inTurn
        << " items, pitch " << pitch << ", least padding " << least.elements;
    // Where there are as many items as banks it is the only one; of more, some smaller paddings will do.
    if (banks.items == banks.count) {
      EXPECT_EQ(pitch, extent + least.elements) << chosen.inTurn << " items";
    }
  }
};

TEST_P(Pitches, OfColumnsAreLeast) {
  for (const std::int64_t bytes : bytesOfElements()) {
    for (const std::int64_t alignment : {1, 2, 4}) {
      for (std::int64_t items = 2; items <= 64; items *= 2) {
        for (const std::int64_t extent : {32, 33, 36, 63, 64, 80, 128}) {
          const std::int64_t pitch = number(pitchOfColumns(
              GetParam(), ir::intLiteral(extent), ir::intLiteral(items), bytes, alignment));
          expectLeast(pitch, extent, alignment,
                      [&](std::int64_t p) { return toColumns(items, p, bytes); });
        }
      }
    }
  }
}

TEST_P(Pitches, OfRowsAreLeast) {
  for (const std::int64_t bytes : bytesOfElements()) {
    for (const std::int64_t rows : {1, 2, 4}) {
      for (std::int64_t items = 4; items <= 64; items *= 2) {
        for (const std::int64_t halo : {0, 1, 2, 16}) {
          const std::int64_t pitch = number(pitchOfRows(GetParam(), ir::intLiteral(items + halo),
                                                        ir::intLiteral(items), 1, rows, bytes));
          expectLeast(pitch, items + halo, 1,
                      [&](std::int64_t p) { return inRows(items, p * rows, bytes); });
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BankConflicts, Pitches,
                         ::testing::Values(banksOf16, banksOf32, Banks{32, 4, 64},
                                           Banks{32, 8, 32}),
                         [](const auto &each) {
                           return std::to_string(each.param.count) + "banks" +
                                  std::to_string(each.param.wordBytes) + "bytes" +
                                  std::to_string(each.param.items) + "items";
                         });

TEST(BankConflicts, PitchesSayItForEveryValueOfATunable) {
  const E rows = variable("T", Scalar::Index, VarKind::Param);
  const E items = variable("U", Scalar::Index, VarKind::Param);
  EXPECT_EQ(ir::toString(pitchOfColumns(banksOf32, rows.e, ir::intLiteral(32), 4, 1)),
            "T / 2 * 2 + 1");
  EXPECT_EQ(ir::toString(pitchOfColumns(banksOf32, rows.e, items.e, 4, 4)),
            "(T - 1 + (U + 7) / U * 4) / ((U + 7) / U * 8) * ((U + 7) / U * 8) + (U + 7) / U * 4");
  EXPECT_EQ(ir::toString(pitchOfRows(banksOf32, rows.e, items.e, 32, 1, 4)), "T");
  EXPECT_EQ(ir::toString(pitchOfRows(banksOf32, rows.e, items.e, 16, 1, 4)),
            "U < 32 ? (T - 1 + U) / (U * 2) * (U * 2) + U : T");
}

} // namespace
} // namespace tangram::codegen
