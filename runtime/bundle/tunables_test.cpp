#include "runtime/bundle/tunables.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

Expression expression(const std::string &text) {
  Result<Expression> e = Expression::parse(text);
  EXPECT_TRUE(e) << text;
  return *e;
}

/// Two tunables and the constraint that a tile fits a group.
Manifest tiledPlan() {
  Manifest m;
  m.target = Target::OpenCL;
  m.signature.parameters = {{"in", true, ir::Scalar::I32, Access::In, {"n"}}};
  m.tunables = {{"p",
                 false,
                 expression("compute_units * 8"),
                 1,
                 65535,
                 {},
                 {expression("GROUP"), expression("(n + GROUP - 1) / GROUP"), expression("n")},
                 ""},
                {"GROUP", true, expression("256"), 1, 1024, {64, 128, 256, 512}, {}, ""}};
  m.constraints = {{expression("(n + p - 1) / p <= GROUP"), "a tile fits its group"}};
  m.kernels = {{"sum_1", expression("p"), expression("GROUP"), {}}};
  m.buffers = {{"partial", false, ir::Scalar::I32, expression("p"), ""},
               {"tmp", true, ir::Scalar::I32, expression("GROUP * 16"), "sum_1"}};
  return m;
}

DeviceFacts device() {
  DeviceFacts facts;
  facts.values = {{"compute_units", 2}, {"max_group_size", 1024}, {"local_memory", 48 << 10}};
  return facts;
}

struct Choice {
  TunableValues values;
  std::string error;
};

Choice choose(const Manifest &m, std::uint64_t n, const TunableValues &fixed = {},
              const DeviceFacts &facts = device()) {
  Bindings bindings{{{"n", n}}, {}};
  facts.bind(bindings);
  Result<TunableValues> values = chooseTunables(m, bindings, requirementsOf(m, facts), fixed);
  if (values)
    return {*values, ""};
  EXPECT_EQ(values.error().fault, Fault::Refused);
  return {{}, values.error().message};
}

TEST(Tunables, DefaultsWhereTheyHold) {
  EXPECT_EQ(choose(tiledPlan(), 1000).values, (TunableValues{{"GROUP", 256}, {"p", 16}}));
}

TEST(Tunables, DefaultsMoveIntoTheirDomain) {
  Manifest m = tiledPlan();
  m.tunables[0].max = 5;
  m.tunables[1].defaultValue = expression("max_group_size");
  EXPECT_EQ(choose(m, 10).values, (TunableValues{{"GROUP", 512}, {"p", 5}}));
  m.tunables[1].defaultValue = expression("3");
  EXPECT_EQ(choose(m, 10).values, (TunableValues{{"GROUP", 64}, {"p", 5}}));
}

TEST(Tunables, DefaultsOfLaunchesFollowSizesAndWhatIsCompiled) {
  Manifest m = tiledPlan();
  m.tunables[0].defaultValue = expression("max(1, min(n / GROUP, compute_units * 8))");
  EXPECT_EQ(choose(m, 1024).values, (TunableValues{{"GROUP", 256}, {"p", 4}}));
  EXPECT_EQ(choose(m, 1024, {{"GROUP", 128}}).values, (TunableValues{{"GROUP", 128}, {"p", 8}}));
  EXPECT_EQ(choose(m, 0).values, (TunableValues{{"GROUP", 256}, {"p", 1}}));
}

TEST(Tunables, LaunchTunablesChangeFirst) {
  // 16 groups of 256 hold 4096 elements; 65537 need 257 of them.
  EXPECT_EQ(choose(tiledPlan(), 65537).values, (TunableValues{{"GROUP", 256}, {"p", 257}}));
  // What the constraint names comes before other numbers.
  EXPECT_EQ(choose(tiledPlan(), 4097).values, (TunableValues{{"GROUP", 256}, {"p", 256}}));
}

TEST(Tunables, PowersOfTwoBelowTheDefaultComeBeforeThoseAbove) {
  Manifest m = tiledPlan();
  m.tunables[0].tries = {};
  EXPECT_EQ(choose(m, 65537).values, (TunableValues{{"GROUP", 256}, {"p", 512}}));
  m.constraints = {{expression("p * 3 < n"), "a part has more than three"}};
  EXPECT_EQ(choose(m, 40).values, (TunableValues{{"GROUP", 256}, {"p", 8}}));
  m.tunables[0].values = {3, 12, 5};
  EXPECT_EQ(choose(m, 30).values, (TunableValues{{"GROUP", 256}, {"p", 3}}));
}

TEST(Tunables, OfSeveralLaunchTunablesTheLastVariesFastest) {
  Manifest m = tiledPlan();
  m.tunables[0].tries = {};
  m.tunables.push_back(m.tunables[0]);
  m.tunables[2].name = "q";
  m.constraints = {{expression("p * q == n"), "rows times columns"}};
  EXPECT_EQ(choose(m, 64).values, (TunableValues{{"GROUP", 256}, {"p", 16}, {"q", 4}}));
  EXPECT_EQ(choose(m, 1).values, (TunableValues{{"GROUP", 256}, {"p", 1}, {"q", 1}}));
}

TEST(Tunables, WhatTheUserFixedStays) {
  EXPECT_EQ(choose(tiledPlan(), 8000, {{"p", 16}}).values,
            (TunableValues{{"GROUP", 512}, {"p", 16}}));
  EXPECT_EQ(choose(tiledPlan(), 1000, {{"p", 1}}).error,
            "a tile fits its group: (n + p - 1) / p <= GROUP does not hold with n = 1000, p = 1, "
            "GROUP = 256; no other value of GROUP helps");
  EXPECT_EQ(choose(tiledPlan(), 1000, {{"p", 1}, {"GROUP", 64}}).error,
            "a tile fits its group: (n + p - 1) / p <= GROUP does not hold with n = 1000, p = 1, "
            "GROUP = 64");
}

TEST(Tunables, SeveralChangeWhenOneIsNotEnough) {
  Manifest m = tiledPlan();
  m.tunables[0].max = 32;
  EXPECT_EQ(choose(m, 16384).values, (TunableValues{{"GROUP", 512}, {"p", 32}}));
}

TEST(Tunables, KernelsThatHaveNothingInCommonAreSolvedOneAfterTheOther) {
  Manifest m = tiledPlan();
  m.tunables.clear();
  m.constraints.clear();
  m.kernels.clear();
  m.buffers.clear();
  TunableValues wanted;
  constexpr int kernels = 12; // each of which needs another value of one of its tunables
  for (int k = 0; k < kernels; ++k) {
    const std::string rows = "ROWS_" + std::to_string(k), columns = "COLUMNS_" + std::to_string(k);
    const std::string kernel = "kernel_" + std::to_string(k);
    m.tunables.push_back({rows, true, expression("128"), 1, 1024, {}, {}, ""});
    m.tunables.push_back({columns, true, expression("128"), 1, 1024, {}, {}, ""});
    m.kernels.push_back({kernel, expression("1"), expression("1"), {}});
    m.buffers.push_back({"tile_" + std::to_string(k), true, ir::Scalar::I32,
                         expression(rows + " * " + columns), kernel});
    wanted[rows] = 128;
    wanted[columns] = 64;
  }
  EXPECT_EQ(choose(m, 1).values, wanted);
}

TEST(Tunables, TooLargeForAnyValue) {
  EXPECT_EQ(choose(tiledPlan(), 1ULL << 40).error,
            "a tile fits its group: (n + p - 1) / p <= GROUP does not hold with n = "
            "1099511627776, p = 16, GROUP = 256; no other value of GROUP, p helps");
}

TEST(Tunables, NoneIsBlamedForASize) {
  Manifest m = tiledPlan();
  m.constraints.push_back({expression("n <= 4000"), "few"});
  EXPECT_EQ(choose(m, 5000).error, "few: n <= 4000 does not hold with n = 5000");
}

TEST(Tunables, ErrorsOfExpressionsAreReasons) {
  Manifest m = tiledPlan();
  m.constraints = {{expression("n - 5 < p"), "n is large"}};
  EXPECT_EQ(choose(m, 3).error,
            "n is large: 'n - 5 < p': 3 - 5 is below 0; no other value of GROUP, p helps");
  m.tunables[0].defaultValue = expression("threads");
  EXPECT_EQ(choose(m, 9).error, "default of p: 'threads': threads is not a fact of this device");
}

TEST(Requirements, DeviceLimits) {
  DeviceFacts facts = device();
  facts.values["max_group_size"] = 100;
  EXPECT_EQ(choose(tiledPlan(), 10, {}, facts).values, (TunableValues{{"GROUP", 64}, {"p", 16}}));
  EXPECT_EQ(choose(tiledPlan(), 10, {{"GROUP", 128}, {"p", 1}}, facts).error,
            "kernel sum_1 needs groups of 128 work-items, device has 100");
  facts = device();
  facts.values["local_memory"] = 16 << 10;
  EXPECT_EQ(choose(tiledPlan(), 10, {{"GROUP", 512}, {"p", 1}}, facts).error,
            "plan needs 32 KiB of local memory, device has 16 KiB");
  facts = device();
  facts.maxAllocation = 1000;
  EXPECT_EQ(choose(tiledPlan(), 256, {{"GROUP", 256}, {"p", 1}}, facts).error,
            "buffer in needs 1 KiB, device allocates at most 1000 bytes");
  facts = device();
  facts.globalMemory = 1027;
  EXPECT_EQ(choose(tiledPlan(), 256, {{"GROUP", 256}, {"p", 1}}, facts).error,
            "plan needs 1028 bytes of memory, device has 1027 bytes");
  EXPECT_EQ(choose(tiledPlan(), UINT64_MAX, {{"GROUP", 256}, {"p", 65535}}).error,
            "a tile fits its group: '(n + p - 1) / p <= GROUP': 18446744073709551615 + 65535 is "
            "above 2^64 - 1");
}

TEST(Requirements, EveryKernelHasLocalMemoryOfItsOwn) {
  Manifest m = tiledPlan();
  m.kernels.push_back({"sum_2", expression("1"), expression("GROUP"), {}});
  m.buffers.push_back({"tmp", true, ir::Scalar::I32, expression("GROUP * 16"), "sum_2"});
  DeviceFacts facts = device();
  facts.values["local_memory"] = 16 << 10; // 256 * 16 * 4 bytes: one kernel's
  EXPECT_EQ(choose(m, 10, {{"GROUP", 256}}, facts).error, "");
  m.buffers.back().kernel = ""; // in every kernel
  EXPECT_EQ(choose(m, 10, {{"GROUP", 256}, {"p", 1}}, facts).error,
            "plan needs 32 KiB of local memory, device has 16 KiB");
}

TEST(CheckFixed, NamesAndDomains) {
  auto errorOf = [](const TunableValues &fixed) {
    Status status = checkFixed(tiledPlan(), fixed);
    return status ? "" : status.error().message;
  };
  EXPECT_EQ(errorOf({{"p", 65535}, {"GROUP", 64}}), "");
  EXPECT_EQ(errorOf({{"q", 1}}), "--set q: expected a tunable (p, GROUP); did you mean p?");
  EXPECT_EQ(errorOf({{"threads", 1}}), "--set threads: expected a tunable (p, GROUP)");
  EXPECT_EQ(errorOf({{"p", 0}}), "--set p=0: expected a value in [1, 65535]");
  EXPECT_EQ(errorOf({{"GROUP", 65}}), "--set GROUP=65: expected one of 64, 128, 256, 512");
}

TEST(MemoryOf, ContainersResultAndGlobalBuffers) {
  Manifest m = tiledPlan();
  const Bindings bindings{{{"n", 100}, {"p", 5}, {"GROUP", 64}}, {}};
  Result<MemoryNeeds> needs = memoryOf(m, bindings);
  ASSERT_TRUE(needs);
  EXPECT_EQ(needs->arguments, 400U);
  EXPECT_EQ(needs->temporaries, 20U); // `tmp` is of each group
  m.signature.result = ir::Scalar::F64;
  EXPECT_EQ(memoryOf(m, bindings)->total(), 428U);
  EXPECT_EQ(memoryOf(m, Bindings{{{"n", 100}}, {}}).error().fault, Fault::Refused);
}

TEST(BytesText, LargestUnitThatDivides) {
  EXPECT_EQ(bytesText(0), "0 bytes");
  EXPECT_EQ(bytesText(1023), "1023 bytes");
  EXPECT_EQ(bytesText(49152), "48 KiB");
  EXPECT_EQ(bytesText(49153), "49153 bytes");
  EXPECT_EQ(bytesText(3ULL << 40), "3072 GiB");
}

} // namespace
} // namespace tangram::runtime
