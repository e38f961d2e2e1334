#include "runtime/data/inputs.h"

#include "runtime/data/npy.h"
#include "runtime/data/npy_header.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tangram::runtime {
namespace {

Parameter container(const std::string &name, ir::Scalar element, Access access,
                    std::vector<std::string> extents) {
  return {name, true, element, access, std::move(extents)};
}

const Signature sum{
    {container("in", ir::Scalar::I32, Access::In, {"in_size"})}, ir::Scalar::I32, {}, {}};
const Signature product{{container("a", ir::Scalar::F32, Access::In, {"n", "k"}),
                         container("x", ir::Scalar::F32, Access::In, {"k"}),
                         container("y", ir::Scalar::F32, Access::Out, {"n"}),
                         {"count", false, ir::Scalar::I32, Access::In, {}}},
                        std::nullopt,
                        {},
                        {}};

HostArray array(ir::Scalar element, std::vector<std::uint64_t> shape) {
  HostArray a{element, std::move(shape), HostMemory()};
  a.memory = HostMemory(a.count() * ir::byteSize(element));
  std::memset(a.memory.data(), 0, a.memory.bytes());
  return a;
}

GivenInputs given(const std::string &name, HostArray value) {
  GivenInputs inputs;
  inputs.values.emplace(name, GivenInputs::Value{name + ".npy", std::move(value)});
  return inputs;
}

std::string errorOf(const Signature &signature, const GivenInputs &inputs,
                    const SizeChoice &sizes) {
  Result<Problem> problem = makeProblem(signature, inputs, sizes, 1);
  return problem ? "fine" : problem.error().message;
}

template <class T>
std::vector<T> generated(ir::Scalar element, std::uint64_t count, std::uint64_t seed = 1,
                         std::uint64_t stream = 0) {
  HostArray a = array(element, {count});
  generate(a, seed, stream);
  const auto *data = reinterpret_cast<const T *>(a.memory.data());
  return {data, data + count};
}

TEST(Generate, SameSeedSameValues) {
  // The values are part of the interface: results are compared across machines.
  EXPECT_EQ(generated<std::int32_t>(ir::Scalar::I32, 5),
            (std::vector<std::int32_t>{387, 944, -147, 613, -282}));
  EXPECT_EQ(generated<std::int32_t>(ir::Scalar::I32, 100),
            generated<std::int32_t>(ir::Scalar::I32, 100));
  EXPECT_NE(generated<std::int32_t>(ir::Scalar::I32, 100),
            generated<std::int32_t>(ir::Scalar::I32, 100, 2));
  EXPECT_NE(generated<std::int32_t>(ir::Scalar::I32, 100),
            generated<std::int32_t>(ir::Scalar::I32, 100, 1, 1));
}

TEST(Generate, ThreadsDoNotChangeTheValues) {
  // Large enough for several threads; a prefix is made by one.
  std::vector<std::int32_t> many = generated<std::int32_t>(ir::Scalar::I32, 5000001);
  std::vector<std::int32_t> few = generated<std::int32_t>(ir::Scalar::I32, 1000);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_GT(std::set<std::int32_t>(many.end() - 1000, many.end()).size(), 500U);
}

TEST(Generate, RangesAreCovered) {
  auto ints = generated<std::int32_t>(ir::Scalar::I32, 100000);
  EXPECT_EQ(*std::min_element(ints.begin(), ints.end()), -1000);
  EXPECT_EQ(*std::max_element(ints.begin(), ints.end()), 1000);
  auto longs = generated<std::uint64_t>(ir::Scalar::U64, 100000);
  EXPECT_EQ(*std::min_element(longs.begin(), longs.end()), 0U);
  EXPECT_EQ(*std::max_element(longs.begin(), longs.end()), 1000U);
  auto bytes = generated<std::int8_t>(ir::Scalar::I8, 100000);
  EXPECT_EQ(*std::min_element(bytes.begin(), bytes.end()), -128);
  EXPECT_EQ(*std::max_element(bytes.begin(), bytes.end()), 127);
  auto bools = generated<std::uint8_t>(ir::Scalar::Bool, 1000);
  EXPECT_EQ(std::set<std::uint8_t>(bools.begin(), bools.end()), (std::set<std::uint8_t>{0, 1}));
  auto floats = generated<float>(ir::Scalar::F32, 100000);
  auto [least, most] = std::minmax_element(floats.begin(), floats.end());
  EXPECT_GE(*least, -1);
  EXPECT_LT(*least, -0.999F);
  EXPECT_LT(*most, 1);
  EXPECT_GT(*most, 0.999F);
  auto doubles = generated<double>(ir::Scalar::F64, 100000);
  EXPECT_TRUE(
      std::all_of(doubles.begin(), doubles.end(), [](double d) { return d >= -1 && d < 1; }));
}

TEST(MakeProblem, SizesInOrderOfPrecision) {
  SizeChoice sizes{10, {{"a", {3, 4}}}};
  Result<Problem> problem = makeProblem(product, {}, sizes, 1);
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->extents, (std::map<std::string, std::uint64_t>{{"k", 4}, {"n", 3}}));
  EXPECT_EQ(problem->arguments[2].shape, std::vector<std::uint64_t>{3});
  EXPECT_EQ(problem->arguments[2].memory.bytes(), 0U); // only written
  problem = makeProblem(product, {}, SizeChoice{10, {{"k", {7}}}}, 1);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->extents, (std::map<std::string, std::uint64_t>{{"k", 7}, {"n", 10}}));
  problem = makeProblem(sum, {}, {}, 1);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->extents.at("in_size"), defaultSize);
}

TEST(MakeProblem, FilesFixExtents) {
  Result<Problem> problem =
      makeProblem(product, given("x", array(ir::Scalar::F32, {5})), SizeChoice{2, {}}, 1);
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->extents, (std::map<std::string, std::uint64_t>{{"k", 5}, {"n", 2}}));
}

TEST(MakeProblem, ASizeThatFilesLeaveNothingToMustAgree) {
  GivenInputs file = given("in", array(ir::Scalar::I32, {100}));
  EXPECT_EQ(errorOf(sum, file, SizeChoice{50, {}}),
            "--size 50: expected in_size = 100 as in.npy has it, found 50");
  EXPECT_EQ(errorOf(sum, file, SizeChoice{100, {}}), "fine");
  EXPECT_EQ(errorOf(sum, {}, SizeChoice{50, {{"in", {100}}}}), "fine"); // an exception to it
}

TEST(MakeProblem, Mistakes) {
  EXPECT_EQ(errorOf(sum, given("in", array(ir::Scalar::F64, {3})), {}),
            "in: expected int32, file in.npy holds float64");
  EXPECT_EQ(errorOf(sum, given("in", array(ir::Scalar::I32, {3, 1})), {}),
            "in: expected 1 dimension, file in.npy has shape (3, 1)");
  EXPECT_EQ(errorOf(sum, given("out", array(ir::Scalar::I32, {3})), {}),
            "--input out: expected a parameter (in)");
  EXPECT_EQ(errorOf(sum, given("inn", array(ir::Scalar::I32, {3})), {}),
            "--input inn: expected a parameter (in); did you mean in?");
  EXPECT_EQ(errorOf(sum, {}, SizeChoice{{}, {{"in_sise", {4}}}}),
            "--size in_sise: expected a container or an extent (in, in_size); did you mean "
            "in_size?");
  EXPECT_EQ(errorOf(product, given("y", array(ir::Scalar::F32, {3})), {}),
            "--input y: it is only written, it takes no input");
  EXPECT_EQ(errorOf(product, given("x", array(ir::Scalar::F32, {3})), SizeChoice{{}, {{"k", {4}}}}),
            "--size k: expected k = 3 as x.npy has it, found 4");
  EXPECT_EQ(errorOf(sum, {}, SizeChoice{{}, {{"n", {4}}}}),
            "--size n: expected a container or an extent (in, in_size); did you mean in?");
  EXPECT_EQ(errorOf(product, {}, SizeChoice{{}, {{"count", {7}}}}),
            "--size count: it is a number, which is given by --input count=7");
  EXPECT_EQ(errorOf(product, {}, SizeChoice{{}, {{"count", {7, 8}}}}),
            "--size count: it is a number, which is given by --input count=VALUE");
  EXPECT_EQ(
      errorOf(product, {}, SizeChoice{{}, {{"a", {4}}}}),
      "--size a: expected 2 extents, found 1; an x joins the extents of a shape: --size a=4x4");
  SizeChoice list{{}, {{"a", {4}}}};
  list.option = "--for-size";
  list.words["a"] = "a=4,2^5";
  EXPECT_EQ(errorOf(product, {}, list),
            "--for-size a=4,2^5: expected 2 extents, found 1; an x joins the extents of a shape: "
            "--for-size a=4x2^5");
  EXPECT_EQ(
      errorOf(product, {}, SizeChoice{{}, {{"a", {2, 3, 4}}}}),
      "--size a: expected 2 extents, found 3; an x joins the extents of a shape: --size a=2x3");
  EXPECT_EQ(errorOf(sum, {}, SizeChoice{{}, {{"in", {2, 3}}}}),
            "--size in: expected 1 extent, found 2; write --size in=2");
  EXPECT_EQ(errorOf(sum, {}, SizeChoice{1ULL << 63, {}}),
            "in: shape (9223372036854775808,) does not fit in memory");
  GivenInputs text;
  text.values.emplace("count", GivenInputs::Value{"3.5", std::nullopt});
  EXPECT_EQ(errorOf(product, text, SizeChoice{2, {}}), "count: expected int32, found 3.5");
  GivenInputs notAFile;
  notAFile.values.emplace("in", GivenInputs::Value{"5", std::nullopt});
  EXPECT_EQ(errorOf(sum, notAFile, {}), "--input in: expected a .npy or .mtx file, found 5");
}

TEST(MakeProblem, LastExtentsThatTheSourceSaysMayBeLeftOut) {
  const Signature vectors{{container("a", ir::Scalar::F32, Access::In, {"n", "m", "four"})},
                          std::nullopt,
                          {{"four", *Expression::parse("4")}, {"m", *Expression::parse("n + 1")}},
                          {}};
  const auto sizesOf = [&](const std::vector<std::uint64_t> &given) {
    const Result<Problem> problem = measureProblem(vectors, {}, SizeChoice{{}, {{"a", given}}}, 1);
    return problem ? shapeText(problem->arguments[0].shape) : problem.error().message;
  };
  EXPECT_EQ(sizesOf({2, 3}), "(2, 3, 4)");
  EXPECT_EQ(sizesOf({2, 3, 4}), "(2, 3, 4)");
  EXPECT_EQ(sizesOf({2}), "--size a: expected 2 to 3 extents, found 1; an x joins the "
                          "extents of a shape: --size a=2x2");
  EXPECT_EQ(sizesOf({2, 3, 5}), "expected four == 4, found four = 5 (--size a)");
}

TEST(MakeProblem, WhatTheMachineHasNoMemoryForIsRefusedAtOnce) {
  std::string message = errorOf(sum, {}, SizeChoice{1ULL << 45, {}});
  EXPECT_TRUE(message.starts_with("the containers of this problem take 131072.0 GiB, this machine "
                                  "has "))
      << message;
}

TEST(MakeProblem, ShapesAreKnownBeforeThereAreValues) {
  GivenInputs files = given("x", array(ir::Scalar::F32, {5}));
  Result<Problem> problem = measureProblem(product, files, SizeChoice{2, {}}, 1);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->extents.at("k"), 5U);
  EXPECT_EQ(problem->arguments[0].memory.bytes(), 0U);
  ASSERT_TRUE(fillProblem(*problem));
  EXPECT_EQ(problem->arguments[0].memory.bytes(), 40U);
  EXPECT_EQ(problem->arguments[1].memory.bytes(), 20U);
}

TEST(MakeProblem, IntegerScalarsAreSmall) {
  std::set<std::int32_t> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Result<Problem> problem = makeProblem(product, {}, SizeChoice{0, {}}, seed);
    ASSERT_TRUE(problem);
    std::int32_t value = -1;
    std::memcpy(&value, problem->arguments[3].memory.data(), sizeof value);
    seen.insert(value);
  }
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), 10);
  EXPECT_EQ(seen.size(), 11U);
}

TEST(MakeProblem, UsualSizesOfWhatIsTiedToMoreDimensions) {
  // As in a product of a matrix and a vector, with extents of their own.
  Signature tied{{container("a", ir::Scalar::F32, Access::In, {"a0", "a1"}),
                  container("x", ir::Scalar::F32, Access::In, {"x0"}),
                  container("z", ir::Scalar::F32, Access::In, {"z0"})},
                 std::nullopt,
                 {{"a1", *Expression::parse("x0")}},
                 {}};
  Result<Problem> problem = measureProblem(tied, {}, {}, 1);
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->extents, (std::map<std::string, std::uint64_t>{{"a0", defaultSizeOfMany},
                                                                    {"a1", defaultSizeOfMany},
                                                                    {"x0", defaultSizeOfMany},
                                                                    {"z0", defaultSize}}));
}

TEST(MakeProblem, ScalarsAreNamesOfExpressions) {
  for (const int value : {12, -12}) {
    GivenInputs inputs;
    inputs.values.emplace("count", GivenInputs::Value{std::to_string(value), std::nullopt});
    Result<Problem> problem = makeProblem(product, inputs, SizeChoice{2, {}}, 1);
    ASSERT_TRUE(problem) << problem.error().message;
    const Bindings bindings = problem->bindings();
    EXPECT_TRUE(bindings.values.at("count") == value);
    EXPECT_TRUE(bindings.unusable.empty());
  }
}

TEST(HostMemory, GuardShowsWritesPastTheEnd) {
  for (std::size_t bytes : {0U, 1U, 63U, 64U, 65U}) {
    HostMemory memory(bytes);
    std::memset(memory.data(), 7, bytes);
    EXPECT_TRUE(memory.guardIntact());
    memory.data()[bytes] = std::byte{7};
    EXPECT_FALSE(memory.guardIntact());
  }
}

TEST(Sizes, ThatAreMadeUpMeetTheLimitsOfThePlan) {
  const auto limited = [](Signature signature, const std::vector<std::string> &limits) {
    for (const std::string &each : limits)
      signature.limits.push_back(*Expression::parse(each));
    Result<Problem> problem = makeProblem(signature, {}, {}, 1);
    EXPECT_TRUE(problem) << problem.error().message;
    return problem->extents;
  };
  using Sizes = std::map<std::string, std::uint64_t>;
  EXPECT_EQ(limited(sum, {}), (Sizes{{"in_size", 1000003}}));
  EXPECT_EQ(limited(sum, {"in_size <= 1024"}), (Sizes{{"in_size", 1024}}));
  EXPECT_EQ(limited(sum, {"4 * in_size < 100"}), (Sizes{{"in_size", 24}}));
  EXPECT_EQ(limited(product, {"n * k <= 100"}), (Sizes{{"n", 10}, {"k", 10}}));
  EXPECT_EQ(limited(product, {"k <= 32"}), (Sizes{{"n", 1000}, {"k", 32}}));
  EXPECT_EQ(limited(product, {"k <= 32", "n * k <= 64"}), (Sizes{{"n", 8}, {"k", 8}}));
  // None meets it: the plan refuses the usual ones.
  EXPECT_EQ(limited(sum, {"in_size < 0"}), (Sizes{{"in_size", 1000003}}));
  Signature tied = sum;
  tied.parameters.push_back(container("out", ir::Scalar::I32, Access::Out, {"out_size"}));
  tied.shape = {{"in_size", *Expression::parse("out_size + 1")}};
  EXPECT_EQ(limited(tied, {"in_size <= 9"}), (Sizes{{"in_size", 9}, {"out_size", 8}}));
  // Sizes that are given stay.
  Signature small = sum;
  small.limits = {*Expression::parse("in_size <= 9")};
  SizeChoice given;
  given.all = 20;
  EXPECT_EQ(makeProblem(small, {}, given, 1)->extents.at("in_size"), 20U);
}

TEST(Scalars, ThatAreMadeUpMeetTheLimitsOfThePlanTogether) {
  Signature window = sum;
  for (const char *name : {"k", "pad", "stride"}) {
    window.parameters.push_back({name, false, ir::Scalar::I32, Access::In, {}});
    window.parameters.back().low = 1;
    window.parameters.back().high = 9;
  }
  window.scalarLimits = {*Expression::parse("2 * pad < k"), *Expression::parse("stride <= k")};
  SizeChoice sizes;
  for (sizes.seed = 0; sizes.seed < 50; ++sizes.seed) {
    const Result<Problem> problem = makeProblem(window, {}, sizes, 1);
    ASSERT_TRUE(problem) << problem.error().message;
    const auto made = problem->bindings().values;
    EXPECT_TRUE(2 * made.at("pad") < made.at("k") && made.at("stride") <= made.at("k"));
  }
}

} // namespace
} // namespace tangram::runtime
