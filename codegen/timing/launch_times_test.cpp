#include "codegen/timing/launch_times.h"

#include <gtest/gtest.h>

namespace tangram::codegen {
namespace {

using enum Walk::Kind;

/// Ten units, with caches of lines of four transactions.
MachineFigures machine() {
  MachineFigures figures;
  figures.costs.cyclesPerSecond = 1e9;
  figures.costs.lanes = 32;
  figures.costs.transactionBytes = 32;
  figures.costs.accessBytesPerCycle = 64;
  figures.costs.residentItems = 1024;
  figures.costs.residentGroups = 32;
  figures.line = 128;
  figures.units = 10;
  figures.bandwidth = 1e12;
  figures.sharedCache = 1e6;
  figures.sharedLine = 128;
  figures.ownCache = 1e5;
  figures.ownLine = 128;
  return figures;
}

PredictedLaunch launchOf(const std::vector<PricedAccess> &accesses, const MachineFigures &figures) {
  PredictedLaunch launch;
  launch.groups = 100;
  launch.items = 128;
  takeTimes(launch, accesses, {}, 0, false, figures);
  return launch;
}

const ir::Var array;
constexpr double elements = 100 * 1000 * 128; // of groups, rounds and items
constexpr double bytes = 4 * elements;

/// Of neighbours in memory.
PricedAccess together(bool writes) {
  return {
      &array, 4, bytes, 0, 1, writes, {{Groups, 100, 512000}, {Loop, 1000, 512}, {Items, 128, 4}}};
}

/// Of items that each go through a part of their own.
PricedAccess apart(bool writes) {
  return {
      &array, 4, bytes, 0, 1, writes, {{Groups, 100, 512000}, {Loop, 1000, 4}, {Items, 128, 4000}}};
}

TEST(LaunchTimes, WhatIsReadTwiceInARoundComesOnce) {
  EXPECT_EQ(launchOf({together(false), together(false)}, machine()).bytes, bytes);
}

TEST(LaunchTimes, WhatIsReadAFewRoundsFurtherOnIsMostlyTheSame) {
  PricedAccess next = together(false);
  next.base = 10 * 512;
  EXPECT_DOUBLE_EQ(launchOf({together(false), next}, machine()).bytes, bytes * 1.01);
  next.base = 10 * 512 + 128; // as long as items go
  EXPECT_DOUBLE_EQ(launchOf({together(false), next}, machine()).bytes, bytes * 1.26);
  // Every other line of two: one does not touch what the other does.
  PricedAccess even = together(false);
  even.walks = {{Groups, 100, 1024000}, {Loop, 1000, 1024}, {Items, 128, 4}};
  PricedAccess odd = even;
  odd.base = 512;
  EXPECT_DOUBLE_EQ(launchOf({even, odd}, machine()).bytes, 2 * bytes);
}

TEST(LaunchTimes, WhatIsReadAndWrittenGoesBothWays) {
  EXPECT_EQ(launchOf({together(false), together(true)}, machine()).bytes, 2 * bytes);
}

TEST(LaunchTimes, TransactionsWrittenInPartAreReadBefore) {
  MachineFigures small = machine();
  small.sharedCache = 1e5; // 100 groups of 128 items each want a line
  small.ownCache = 0;
  EXPECT_EQ(launchOf({apart(false)}, small).bytes, 32 * elements);
  EXPECT_EQ(launchOf({apart(true)}, small).bytes, 2 * 32 * elements);
  EXPECT_EQ(launchOf({together(true)}, small).bytes, bytes);
}

TEST(LaunchTimes, ItemsApartTakeALineOfTheirUnitEach) {
  const PredictedLaunch without = launchOf({apart(false)}, machine());
  EXPECT_DOUBLE_EQ(without.accesses, elements * 32 / (10 * 64e9));
  MachineFigures limited = machine();
  limited.ownBandwidth = 128e9; // a line a cycle
  EXPECT_DOUBLE_EQ(launchOf({apart(false)}, limited).accesses, elements / (10 * 1e9));
  EXPECT_DOUBLE_EQ(launchOf({together(false)}, limited).accesses,
                   launchOf({together(false)}, machine()).accesses);
}

TEST(LaunchTimes, ItemsInRowsExecuteTogetherAlongTheirRows) {
  // Four rows of 32 items each: one row at a time.
  const PricedAccess rows{
      &array,
      4,
      bytes,
      0,
      1,
      false,
      {{Groups, 100, 512000}, {Loop, 1000, 128}, {Items, 4, 128000}, {Items, 32, 4}}};
  EXPECT_DOUBLE_EQ(launchOf({rows}, machine()).accesses,
                   launchOf({together(false)}, machine()).accesses);
}

TEST(LaunchTimes, WhatUnitsDoNotKeepComesFromTheSharedCache) {
  MachineFigures figures = machine();
  EXPECT_EQ(launchOf({apart(false)}, figures).cache, 0); // no figure, no limit
  figures.sharedBandwidth = 2e12;
  figures.sharedCache = 1e8;
  figures.ownCache = 8 * 128 * 128; // of the groups of a unit, each item a line
  EXPECT_DOUBLE_EQ(launchOf({apart(false)}, figures).cache, bytes / 2e12);
  figures.ownCache -= 1;
  EXPECT_DOUBLE_EQ(launchOf({apart(false)}, figures).cache, 32 * elements / 2e12);
  EXPECT_EQ(launchOf({apart(false)}, figures).bytes, bytes); // once from memory
  // What is written leaves a unit at once.
  figures.ownCache = 1e9;
  EXPECT_DOUBLE_EQ(launchOf({apart(true)}, figures).cache, 32 * elements / 2e12);
  EXPECT_DOUBLE_EQ(launchOf({together(true)}, figures).cache, bytes / 2e12);
}

// Tiles of 8 x 32 in rows of 8 on a row of 1024 elements: walks that are known by their first steps alone wrap around.
TEST(LaunchTimes, AWholeArrayComesOnceWhereverWalksWrapAround) {
  const auto tiles = [](double arrayBytes) {
    return PricedAccess{&array,
                        4,
                        arrayBytes,
                        0,
                        1,
                        false,
                        {{Groups, 100, 4096 * 64},
                         {Loop, 4, 128},
                         {Loop, 64, 128},
                         {Loop, 8, 4096},
                         {Loop, 32, 4}}};
  };
  constexpr double whole = 4.0 * 100 * 4 * 64 * 8 * 32;
  MachineFigures figures = machine();
  figures.sharedCache = 1;
  EXPECT_LT(launchOf({tiles(10 * whole)}, figures).bytes, whole * 2 / 3);
  EXPECT_DOUBLE_EQ(launchOf({tiles(whole)}, figures).bytes, whole);
}

TEST(LaunchTimes, LocalMemoryOfAUnitLimitsTheGroupsOnIt) {
  MachineFigures figures = machine();
  EXPECT_EQ(figures.residentAUnit(128, 30'000), 8); // the model does not say how much there is
  figures.unitLocal = 100'000;
  EXPECT_EQ(figures.residentAUnit(128, 0), 8);
  EXPECT_EQ(figures.residentAUnit(128, 10'000), 8);
  EXPECT_EQ(figures.residentAUnit(128, 30'000), 3);
  EXPECT_EQ(figures.residentAUnit(128, 200'000), 1);
}

TEST(LaunchTimes, TheLongestGroupIsWaitedForAndOthersInTurns) {
  const MachineFigures figures = machine();
  auto waiting = [&](double groups, const Waiting &cycles) {
    PredictedLaunch launch;
    launch.groups = groups;
    launch.items = 128;
    takeTimes(launch, {}, cycles, 0, false, figures);
    return launch.waiting * figures.costs.cyclesPerSecond;
  };
  const double atOnce = figures.costs.residentAUnit(128) * figures.units;
  EXPECT_DOUBLE_EQ(waiting(atOnce, {100, 600}), 600);
  EXPECT_DOUBLE_EQ(waiting(3 * atOnce, {100, 600}), 600);
  EXPECT_DOUBLE_EQ(waiting(8 * atOnce, {100, 600}), 800);
}

TEST(LaunchTimes, OneUnitAloneAsksForLessThanMemoryGives) {
  MachineFigures figures = machine();
  figures.costs.unitBytesPerSecond = 2e11;
  EXPECT_EQ(figures.bandwidthOf(1), 2e11);
  EXPECT_EQ(figures.bandwidthOf(4), 8e11);
  EXPECT_EQ(figures.bandwidthOf(100), 1e12);
}

TEST(LaunchTimes, OfTwoThatMemoryLimitsTheOneThatDoesLessIsBetterOnAProcessor) {
  auto secondsOf = [&](double cycles, bool loops) {
    PredictedLaunch launch;
    launch.groups = 10;
    const Waiting waiting{cycles, cycles};
    MachineFigures figures = machine();
    figures.costs.accessBytesPerCycle = 1e6;
    takeTimes(launch, {together(false)}, waiting, 0, loops, figures);
    EXPECT_EQ(launch.limit(), "memory");
    return launch.seconds();
  };
  EXPECT_DOUBLE_EQ(secondsOf(4e4, true) - secondsOf(2e4, true), 0.25 * 2e-5);
  EXPECT_DOUBLE_EQ(secondsOf(4e4, false), secondsOf(2e4, false));
}

/// Of one core, which reads an array of 100 MB.
double waited(std::vector<Walk> walks, double operations) {
  MachineFigures figures = machine();
  figures.costs.memorySeconds = 1e-7;
  figures.loadsInFlight = 16;
  const CacheSizes caches{0, figures.ownCache, figures.sharedCache, 1, 1};
  return secondsUntilThere({&array, 4, 1e8, 0, 1, false, std::move(walks), operations}, 1, caches,
                           figures);
}

TEST(LaunchTimes, WhatFollowsIsFetchedAhead) {
  EXPECT_LT(waited({{Loop, 25e6, 4}}, 4), 1e-6);
  EXPECT_LT(waited({{Loop, 6.25e6, 16}, {Loop, 4, 25e6}}, 4), 1e-6); // four rows side by side
}

TEST(LaunchTimes, AJumpIsWaitedForUnlessMoreFitsIntoWhatACoreLooksAt) {
  // Elements anywhere, as many under way as are allowed, or as few as long rounds let.
  EXPECT_NEAR(waited({{Loop, 1e6, 123456}}, 8), 1e6 * 1e-7 / 16, 1e-4);
  EXPECT_NEAR(waited({{Loop, 1e6, 123456}}, 128), 1e6 * 1e-7 / 4, 1e-4);
  // Rows of neighbours: one wait a row.
  EXPECT_NEAR(waited({{Loop, 1e4, 1e4}, {Loop, 1000, 4}}, 64), 1e4 * 1e-7, 1e-5);
}

TEST(LaunchTimes, NothingIsWaitedForInCachesOfACore) {
  MachineFigures figures = machine();
  const CacheSizes caches{0, figures.ownCache, figures.sharedCache, 1, 1};
  EXPECT_EQ(
      secondsUntilThere({&array, 4, 9e4, 0, 1, false, {{Loop, 1e6, 12345}}, 4}, 1, caches, figures),
      0);
}

TEST(LaunchTimes, LinesAPowerOfTwoApartHaveFewPlacesInACache) {
  EXPECT_FALSE(outgrows({Loop, 1000, 4}, 32768, 64)); // in a row
  EXPECT_FALSE(outgrows({Loop, 4, 8192}, 32768, 64));
  EXPECT_TRUE(outgrows({Loop, 5, 8192}, 32768, 64));
  EXPECT_FALSE(outgrows({Loop, 500, 8192 + 64}, 32768, 64));
  EXPECT_TRUE(outgrows({Loop, 600, 8192 + 64}, 32768, 64)); // more than it has lines
}

} // namespace
} // namespace tangram::codegen
