#include "codegen/timing/traffic.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

using enum Walk::Kind;

constexpr double f32 = 4;
constexpr double transaction = 32;

TEST(Footprint, OfNeighboursIsTheirBytes) {
  EXPECT_EQ(footprint({{Items, 32, 4}}, f32, transaction), 128);
  EXPECT_EQ(footprint({{Items, 32, -4}}, f32, transaction), 128);
}

TEST(Footprint, OfOneElementIsATransaction) {
  EXPECT_EQ(footprint({}, f32, transaction), 32);
  EXPECT_EQ(footprint({{Items, 32, 0}}, f32, transaction), 32);
}

TEST(Footprint, OfRowsFarApartIsATransactionEach) {
  EXPECT_EQ(footprint({{Items, 32, 4096}}, f32, transaction), 32 * 32);
}

TEST(Footprint, OfRowsWhoseElementsAreWalkedIsTheirBytes) {
  EXPECT_EQ(footprint({{Items, 32, 4096}, {Loop, 256, 4}}, f32, transaction), 32 * 1024);
  // ... and rows that touch are one run.
  EXPECT_EQ(footprint({{Items, 4, 1024}, {Loop, 256, 4}}, f32, transaction), 4096);
}

TEST(Footprint, OfEverySecondElementIsAllBetween) {
  EXPECT_EQ(footprint({{Items, 32, 8}}, f32, transaction), 31 * 8 + 4);
}

const CacheSizes none{0, 0, 0, 1, 1};
const CacheSizes large{0, 1e6, 1e8, 1, 100};

TEST(Traffic, IsWhatALoopReadsWhereNothingIsReadAgain) {
  const std::vector<Walk> walks{{Groups, 10, 4096}, {Loop, 8, 512}, {Items, 128, 4}};
  EXPECT_EQ(trafficBytes(walks, f32, transaction, none), 10 * 8 * 512);
  EXPECT_EQ(trafficBytes(walks, f32, transaction, large), 10 * 8 * 512);
}

TEST(Traffic, OfWhatIsReadAgainDependsOnTheCache) {
  const std::vector<Walk> again{{Loop, 100, 0}, {Items, 128, 4}};
  EXPECT_EQ(trafficBytes(again, f32, transaction, large), 512);
  EXPECT_EQ(trafficBytes(again, f32, transaction, none), 100 * 512);
}

TEST(Traffic, OfRowsByItemsNeedsACacheForTheirLines) {
  // Each item a row: a transaction holds eight elements, read one after the other.
  const std::vector<Walk> rows{{Loop, 256, 4}, {Items, 128, 1024}};
  EXPECT_EQ(trafficBytes(rows, f32, transaction, large), 128 * 1024);
  EXPECT_EQ(trafficBytes(rows, f32, transaction, none), 256 * 128 * 32);
}

TEST(Traffic, OfRowsByItemsNeedsRoomForWholeLines) {
  const std::vector<Walk> rows{{Loop, 256, 4}, {Items, 128, 1024}};
  CacheSizes caches{32, 128 * 32, 0, 1, 1};
  EXPECT_EQ(trafficBytes(rows, f32, transaction, caches), 128 * 1024);
  caches.line = 128; // of which each item needs one, whatever it has read of it
  EXPECT_EQ(trafficBytes(rows, f32, transaction, caches), 256 * 128 * 32);
  caches.own = 128 * 128;
  EXPECT_EQ(trafficBytes(rows, f32, transaction, caches), 128 * 1024);
}

TEST(Traffic, OfWhatAllGroupsReadIsOnceWhereTheySharedACache) {
  const std::vector<Walk> shared{{Groups, 50, 0}, {Loop, 64, 512}, {Items, 128, 4}};
  EXPECT_EQ(trafficBytes(shared, f32, transaction, large), 64 * 512);
  EXPECT_EQ(trafficBytes(shared, f32, transaction, none), 50 * 64 * 512);
  // ... and by as many units as there are where each keeps it for its own groups.
  EXPECT_EQ(trafficBytes(shared, f32, transaction, {0, 64 * 512, 0, 1, 50, 10}), 10 * 64 * 512);
  EXPECT_EQ(trafficBytes(shared, f32, transaction, {0, 64 * 512 - 1, 0, 1, 50, 10}), 50 * 64 * 512);
}

} // namespace
} // namespace tangram::codegen
