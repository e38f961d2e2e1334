#include "runtime/data/data_contract.h"

#include "runtime/data/generate.h"
#include "runtime/data/moved_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tangram::runtime {
namespace {

using Kind = DataContract::Kind;

Signature csr(ir::Scalar element = ir::Scalar::U32) {
  Signature s;
  for (const char *name : {"columns", "offsets"})
    s.parameters.push_back({name, true, element, Access::In, {std::string(name) + "_size"}});
  auto e = [](const char *text) { return *Expression::parse(text); };
  s.data = {{"columns", Kind::Within, e("0"), e("x_size"), {}},
            {"offsets", Kind::Ascending, e("0"), e("columns_size"), {}}};
  return s;
}

template <class T> HostArray arrayOf(ir::Scalar element, const std::vector<T> &values) {
  HostArray a{element, {values.size()}, HostMemory(values.size() * sizeof(T))};
  if (!values.empty())
    std::memcpy(a.memory.data(), values.data(), a.memory.bytes());
  return a;
}

DataRules rules(const Signature &s, const std::string &name, std::uint64_t x, std::uint64_t nnz) {
  return *DataRules::of(s, name, {{{"x_size", x}, {"columns_size", nnz}}, {}});
}

template <class T> std::vector<T> valuesOf(const HostArray &array) {
  const auto *data = reinterpret_cast<const T *>(array.memory.data());
  return {data, data + array.count()};
}

std::vector<std::uint32_t> generated(const DataRules &r, std::size_t count,
                                     std::uint64_t seed = 1) {
  HostArray array = arrayOf(ir::Scalar::U32, std::vector<std::uint32_t>(count));
  Status status = r.generate(array, seed, 0);
  EXPECT_TRUE(status) << status.error().message;
  return valuesOf<std::uint32_t>(array);
}

std::string refused(const DataRules &r, ir::Scalar element, std::size_t count) {
  HostArray array{element, {count}, HostMemory(count * ir::byteSize(element))};
  Status status = r.generate(array, 1, 0);
  if (status)
    return "fine";
  EXPECT_EQ(status.error().fault, Fault::Refused);
  return status.error().message;
}

TEST(DataRules, NegativeNumbers) {
  Signature s = csr(ir::Scalar::I8);
  s.data = {
      {"columns", Kind::Within, *Expression::parse("-8"), *Expression::parse("8"), {}},
      {"offsets", Kind::Ascending, *Expression::parse("-100"), *Expression::parse("-90"), {}}};
  HostArray columns = arrayOf(ir::Scalar::I8, std::vector<std::int8_t>(1000));
  ASSERT_TRUE(rules(s, "columns", 0, 0).generate(columns, 1, 0));
  std::vector<std::int8_t> values = valuesOf<std::int8_t>(columns);
  EXPECT_EQ(std::set<std::int8_t>(values.begin(), values.end()).size(), 16U);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -8);
  HostArray offsets = arrayOf(ir::Scalar::I8, std::vector<std::int8_t>(20));
  ASSERT_TRUE(rules(s, "offsets", 0, 0).generate(offsets, 1, 0));
  EXPECT_TRUE(rules(s, "offsets", 0, 0).check(offsets, "offsets"));
  EXPECT_EQ(valuesOf<std::int8_t>(offsets).front(), -100);
  EXPECT_EQ(valuesOf<std::int8_t>(offsets).back(), -90);
  Status status =
      rules(s, "columns", 0, 0).check(arrayOf<std::int8_t>(ir::Scalar::I8, {-8, -9}), "c.npy");
  EXPECT_EQ(status.error().message, "c.npy: expected elements within [-8, 8), found -9 at 1");
  s.data[1].low = *Expression::parse("-1000");
  EXPECT_EQ(refused(rules(s, "offsets", 0, 0), ir::Scalar::I8, 20),
            "offsets: int8 cannot hold -1000, which -1000 is");
}

/// A signature with a container `a` and a scalar `x` of one type.
Signature ofReals(ir::Scalar element, std::pair<double, double> range) {
  Signature s;
  for (const std::string name : {"a", "x"}) {
    Parameter p;
    p.name = name;
    p.container = name == "a";
    p.element = element;
    s.parameters.push_back(p);
    DataContract contract;
    contract.parameter = name;
    contract.reals = range;
    s.data.push_back(contract);
  }
  return s;
}

template <class T> void expectWithin(ir::Scalar element, std::pair<double, double> range) {
  const Result<DataRules> rules = DataRules::of(ofReals(element, range), "a", {});
  ASSERT_TRUE(rules);
  for (const DataKind kind : usualKinds()) {
    std::set<T> all;
    for (std::uint64_t seed = 1; seed < 9; ++seed) {
      HostArray array = arrayOf(element, std::vector<T>(257));
      ASSERT_TRUE(rules->generate(array, seed, 0, kind));
      const Status status = rules->check(array, "a");
      EXPECT_TRUE(status) << name(kind) << ": " << status.error().message;
      const std::vector<T> values = valuesOf<T>(array);
      all.insert(values.begin(), values.end());
      // Moves by ulps leave it nowhere.
      moveByUlps(element, array.memory, {.number = static_cast<unsigned>(seed)});
      rules->keep(element, array.memory);
      EXPECT_TRUE(rules->check(array, "a"));
    }
    EXPECT_GT(all.size(), kind == DataKind::Few ? 4U : 20U) << name(kind);
    const bool hasEnds = kind == DataKind::Full || kind == DataKind::Edges;
    EXPECT_TRUE(!hasEnds || static_cast<double>(*all.begin()) < range.first + 1e-6) << name(kind);
  }
}

TEST(DataRules, FloatingPointNumbersStayInTheirRange) {
  expectWithin<float>(ir::Scalar::F32, {0.0001, 1e9});
  expectWithin<double>(ir::Scalar::F64, {0.0001, 1e9});
  expectWithin<float>(ir::Scalar::F32, {-0.5, 1});
  expectWithin<float>(ir::Scalar::F32, {-7, -0.1});
  expectWithin<double>(ir::Scalar::F64, {100, 101});
}

TEST(DataRules, FloatingPointNumbersOutsideOfTheirRange) {
  const Result<DataRules> rules = DataRules::of(ofReals(ir::Scalar::F32, {0.01, 1000}), "a", {});
  ASSERT_TRUE(rules);
  Status status = rules->check(arrayOf<float>(ir::Scalar::F32, {1, 1000}), "a.npy");
  EXPECT_EQ(status.error().message,
            "a.npy: expected elements within [0.01, 1000), found 1000 at 1");
  status = rules->check(arrayOf<float>(ir::Scalar::F32, {NAN}), "a.npy");
  EXPECT_EQ(status.error().message, "a.npy: expected elements within [0.01, 1000), found nan at 0");
  const Result<DataRules> none = DataRules::of(ofReals(ir::Scalar::F32, {2, 1}), "a", {});
  EXPECT_EQ(refused(*none, ir::Scalar::F32, 3),
            "a: 3 elements within [2, 1): there are no such numbers");
}

TEST(DataRules, WithinCoversTheRange) {
  std::vector<std::uint32_t> columns = generated(rules(csr(), "columns", 7, 0), 1000);
  EXPECT_EQ(std::set<std::uint32_t>(columns.begin(), columns.end()),
            (std::set<std::uint32_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(DataRules, ValuesAreTheSameOnEveryMachine) {
  EXPECT_EQ(generated(rules(csr(), "columns", 100, 0), 5),
            (std::vector<std::uint32_t>{69, 97, 42, 80, 35}));
  EXPECT_EQ(generated(rules(csr(), "offsets", 0, 100), 9),
            (std::vector<std::uint32_t>{0, 49, 75, 75, 89, 91, 94, 98, 100}));
}

TEST(DataRules, AscendingHasEmptyAndLongRuns) {
  for (std::size_t rows : {2, 3, 8, 100, 10000}) {
    for (std::uint64_t seed : {1, 2, 3}) {
      const std::uint64_t entries = 20 * rows;
      std::vector<std::uint32_t> offsets =
          generated(rules(csr(), "offsets", 0, entries), rows + 1, seed);
      EXPECT_EQ(offsets.front(), 0U);
      EXPECT_EQ(offsets.back(), entries);
      EXPECT_TRUE(std::is_sorted(offsets.begin(), offsets.end()));
      std::size_t empty = 0, longest = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        empty += offsets[i] == offsets[i + 1];
        longest = std::max<std::size_t>(longest, offsets[i + 1] - offsets[i]);
      }
      EXPECT_GT(empty, 0U) << rows;
      EXPECT_LT(empty, rows) << rows;
      if (rows >= 8) {
        EXPECT_GE(longest, entries / 5) << rows;
      }
    }
  }
}

TEST(DataRules, TheSmallest) {
  DataRules none = rules(csr(), "offsets", 0, 0);
  EXPECT_EQ(generated(none, 0).size(), 0U);
  EXPECT_EQ(generated(none, 1), std::vector<std::uint32_t>{0});
  EXPECT_EQ(generated(none, 3), (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(generated(rules(csr(), "offsets", 0, 7), 2), (std::vector<std::uint32_t>{0, 7}));
  EXPECT_EQ(generated(rules(csr(), "columns", 1, 7), 3), (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(generated(rules(csr(), "columns", 0, 7), 0).size(), 0U);
}

TEST(DataRules, NothingFits) {
  EXPECT_EQ(refused(rules(csr(), "columns", 0, 7), ir::Scalar::U32, 7),
            "columns: 7 elements within [0, x_size) = [0, 0): there are no such numbers");
  EXPECT_EQ(refused(rules(csr(), "offsets", 0, 7), ir::Scalar::U32, 1),
            "offsets: 1 element ascending from 0 to columns_size = 0 to 7: there are no such "
            "numbers");
  EXPECT_EQ(refused(rules(csr(), "offsets", 0, 256), ir::Scalar::U8, 3),
            "offsets: uint8 cannot hold 256, which columns_size is");
  EXPECT_EQ(refused(rules(csr(), "offsets", 0, 128), ir::Scalar::I8, 3),
            "offsets: int8 cannot hold 128, which columns_size is");
  EXPECT_EQ(refused(rules(csr(), "offsets", 0, 127), ir::Scalar::I8, 3), "fine");
}

TEST(DataRules, TypesNarrowWhatIsWithin) {
  HostArray array = arrayOf(ir::Scalar::I8, std::vector<std::int8_t>(1000));
  ASSERT_TRUE(rules(csr(), "columns", 1000000, 0).generate(array, 1, 0));
  std::vector<std::int8_t> values = valuesOf<std::int8_t>(array);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), 0);
  EXPECT_GT(*std::max_element(values.begin(), values.end()), 100);
}

TEST(DataRules, NamesWithoutANumber) {
  Signature s = csr();
  s.data[0].high = *Expression::parse("offsets_size - 1");
  Result<DataRules> r = DataRules::of(s, "columns", {{{"offsets_size", 0}}, {}});
  ASSERT_FALSE(r);
  EXPECT_EQ(r.error().message, "columns: 'offsets_size - 1': 0 - 1 is below 0");
}

TEST(DataRules, GivenElementsAreChecked) {
  auto check = [](const char *name, const std::vector<std::int32_t> &values) {
    Status status =
        rules(csr(ir::Scalar::I32), name, 5, 7).check(arrayOf(ir::Scalar::I32, values), "a.npy");
    if (status)
      return std::string("fine");
    EXPECT_EQ(status.error().fault, Fault::Input);
    return status.error().message;
  };
  EXPECT_EQ(check("columns", {0, 4, 3}), "fine");
  EXPECT_EQ(check("columns", {}), "fine");
  EXPECT_EQ(check("columns", {0, 4, 5}),
            "a.npy: expected elements within [0, x_size) = [0, 5), found 5 at 2");
  EXPECT_EQ(check("columns", {-1}),
            "a.npy: expected elements within [0, x_size) = [0, 5), found -1 at 0");
  EXPECT_EQ(check("offsets", {0, 0, 3, 3, 7}), "fine");
  EXPECT_EQ(check("offsets", {}), "fine");
  const std::string expected = "a.npy: expected elements ascending from 0 to columns_size = 0 to 7";
  EXPECT_EQ(check("offsets", {1, 7}), expected + ", found 1 at 0");
  EXPECT_EQ(check("offsets", {0, 5, 3, 7}), expected + ", found 3 at 2 after 5");
  EXPECT_EQ(check("offsets", {0, 5}), expected + ", found 5 at 1, the last");
}

TEST(DataRules, PlacesInMoreDimensions) {
  HostArray array = arrayOf(ir::Scalar::U32, std::vector<std::uint32_t>{0, 1, 2, 3, 9, 5});
  array.shape = {2, 3};
  Status status = rules(csr(), "columns", 6, 0).check(array, "a.npy");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "a.npy: expected elements within [0, x_size) = [0, 6), found 9 at (1, 1)");
}

} // namespace
} // namespace tangram::runtime
