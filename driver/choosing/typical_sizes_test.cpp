// The sizes that plans are compared for where nobody names any.
#include "driver/choosing/typical_sizes.h"

#include "frontend/parse.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>

namespace tangram::driver {

namespace {

runtime::Expression sizeExpression(const std::string &text) {
  return *runtime::Expression::parse(text);
}

runtime::Parameter container(const std::string &name, unsigned rank = 1) {
  runtime::Parameter made;
  made.name = name;
  made.container = true;
  for (unsigned i = 0; i < rank; ++i)
    made.extents.push_back(name + "_size" + (rank > 1 ? std::to_string(i) : ""));
  return made;
}

} // namespace

TEST(TypicalSizes, OfMatricesAreWideAndHighToo) {
  runtime::Signature signature;
  signature.parameters = {container("a", 2)};
  const std::vector<runtime::SizeChoice> typical = typicalSizes(signature);
  ASSERT_EQ(typical.size(), 3U);
  EXPECT_EQ(typical[0].named.at("a_size0"), typical[0].named.at("a_size1"));
  EXPECT_LT(typical[2].named.at("a_size1"), typical[2].named.at("a_size0"));
  EXPECT_GT(typical[1].named.at("a_size1"), typical[1].named.at("a_size0"));
}

TEST(TypicalSizes, WhatContractsFixIsNoSide) {
  runtime::Signature signature;
  signature.parameters = {container("places", 2)};
  signature.shape = {{"places_size0", sizeExpression("3")}};
  const std::vector<runtime::SizeChoice> lines = typicalSizes(signature);
  ASSERT_EQ(lines.size(), 2U); // as of a container of one dimension
  EXPECT_EQ(lines[0].named.size(), 1U);
  EXPECT_LT(lines[0].named.at("places_size1").front(), lines[1].named.at("places_size1").front());

  // A list of neighbours for each place.
  signature.parameters.push_back(container("lists", 2));
  signature.shape.push_back({"lists_size1", sizeExpression("places_size1")});
  const std::vector<runtime::SizeChoice> shapes = typicalSizes(signature);
  ASSERT_EQ(shapes.size(), 3U);
  EXPECT_EQ(shapes[0].named.at("lists_size0"), shapes[0].named.at("places_size1"));
  EXPECT_GT(shapes[1].named.at("places_size1"), shapes[1].named.at("lists_size0"));
  EXPECT_LT(shapes[2].named.at("places_size1"), shapes[2].named.at("lists_size0"));
}

TEST(TypicalSizes, BinsAreFewAndVerticesAreNot) {
  runtime::Signature signature;
  runtime::Parameter counts = container("counts");
  counts.access = runtime::Access::InOut;
  signature.parameters = {container("places"), counts};
  signature.data = {{"places",
                     runtime::DataContract::Kind::Within,
                     sizeExpression("0"),
                     sizeExpression("counts_size"),
                     {}}};
  EXPECT_LT(typicalSizes(signature)[0].named.at("counts_size").front(), 1000U);
  signature.parameters.push_back(container("offsets"));
  signature.shape = {{"offsets_size", sizeExpression("counts_size + 1")}};
  EXPECT_GT(typicalSizes(signature)[0].named.at("counts_size").front(), 1000000U);
}

TEST(TypicalSizes, PartsThatNumbersCutHaveSeveralElements) {
  // A sparse matrix in rows, times a vector.
  runtime::Signature signature;
  for (const char *name : {"values", "columns", "offsets", "x", "y"})
    signature.parameters.push_back(container(name));
  signature.parameters.back().access = runtime::Access::Out;
  signature.shape = {{"columns_size", sizeExpression("values_size")},
                     {"offsets_size", sizeExpression("y_size + 1")}};
  using Kind = runtime::DataContract::Kind;
  signature.data = {
      {"offsets", Kind::Ascending, sizeExpression("0"), sizeExpression("values_size"), {}},
      {"columns", Kind::Within, sizeExpression("0"), sizeExpression("x_size"), {}}};
  std::set<std::uint64_t> lengths;
  for (const runtime::SizeChoice &choice : typicalSizes(signature)) {
    const std::uint64_t rows = choice.named.at("y_size").front();
    EXPECT_EQ(choice.named.at("x_size").front(), rows);
    lengths.insert(choice.named.at("values_size").front() / rows);
  }
  EXPECT_EQ(lengths, (std::set<std::uint64_t>{16, 256}));
}

/// Points in rows, and the middles of some clusters of them.
runtime::Signature pointsAndCentroids() {
  runtime::Signature signature;
  signature.parameters = {container("points", 2), container("centroids", 2)};
  signature.shape = {{"centroids_size1", sizeExpression("points_size1")}};
  return signature;
}

SaidOfSizes saidBy(const std::string &source, const runtime::Signature &signature) {
  const auto parsed = frontend::parseText("#include <tangram.h>\n" + source, "test.cpp");
  EXPECT_TRUE(parsed.program.has_value());
  return saidOfSizes(*parsed.program->spectrum("f"), signature);
}

const char *const labels = R"(
__codelet void f(const Array<2, float> points, Array<2, float> centroids) {
  require(centroids.size(1) == points.size(1));
  typical(centroids.size(1), 1 << 5);
  typical(centroids.size(0), 8);
  for (unsigned i = 0; i < centroids.size(0); ++i)
    centroids[i][0] = points[0][0];
}
)";

TEST(TypicalSizes, AreWhatTheAuthorSays) {
  const runtime::Signature signature = pointsAndCentroids();
  const SaidOfSizes said = saidBy(labels, signature);
  // The one that a caller chooses, for the one that follows from it.
  EXPECT_EQ(said.usually,
            (std::map<std::string, std::uint64_t>{{"points_size1", 32}, {"centroids_size0", 8}}));
  const std::vector<runtime::SizeChoice> sizes = typicalSizes(signature, said);
  ASSERT_EQ(sizes.size(), 2U); // as of a container of one dimension
  for (const runtime::SizeChoice &each : sizes) {
    EXPECT_EQ(each.named.at("points_size1").front(), 32U);
    EXPECT_EQ(each.named.at("centroids_size0").front(), 8U);
  }
  // With as many elements as others have.
  EXPECT_EQ(sizes[0].named.at("points_size0").front() * 32,
            typicalSizes({{container("a")}, {}, {}, {}})[0].named.at("a_size").front());
}

TEST(TypicalSizes, MayBeSaidOfIntegers) {
  runtime::Signature signature;
  runtime::Parameter steps;
  steps.name = "steps";
  signature.parameters = {steps, container("a")};
  const SaidOfSizes said = saidBy(R"(
__codelet void f(int steps, Array<1, float> a) {
  typical(steps, 100);
  a[0] = steps;
}
)",
                                  signature);
  EXPECT_EQ(typicalSizes(signature, said)[0].named.at("steps").front(), 100U);
}

namespace {

/// Extents by name, of the first of the typical sizes of a spectrum f with these contracts.
std::map<std::string, std::uint64_t> sizesOf(const runtime::Signature &signature,
                                             const std::string &source) {
  std::map<std::string, std::uint64_t> sizes;
  const std::vector<runtime::SizeChoice> typical =
      typicalSizes(signature, saidBy(source, signature));
  for (const auto &[name, values] : typical.front().named)
    sizes[name] = values.front();
  return sizes;
}

runtime::Signature imagesAndKernels(const std::string &extent, const std::string &equals) {
  runtime::Signature signature;
  signature.parameters = {container("x", 4), container("w", 4), container("y", 4)};
  signature.parameters.back().access = runtime::Access::InOut;
  signature.shape = {{"w_size1", sizeExpression("x_size1")},
                     {"y_size0", sizeExpression("x_size0")},
                     {"y_size1", sizeExpression("w_size0")},
                     {extent, sizeExpression(equals)}};
  return signature;
}

const char *const convolution = R"(
__codelet void f(const Array<4, float> x, const Array<4, float> w, Array<4, float> y) {
  require(x.size(1) % 3 == 0);
  for (unsigned i = 0; i < y.size(3); ++i) {
    float sum = 0;
    for (unsigned q = 0; q < w.size(3); ++q)
      sum += x[0][0][0][i + q] * w[0][0][0][q];
    y[0][0][0][i] = sum;
  }
}
)";

} // namespace

TEST(TypicalSizes, FiltersAreSmall) {
  const std::pair<const char *, const char *> contracts[] = {
      {"x_size3", "y_size3 + w_size3 - 1"},
      {"y_size3", "x_size3 - w_size3 + 1"},
      {"y_size3", "(x_size3 - 4 * (w_size3 - 1) - 1) / 3 + 1"},
      {"y_size3", "x_size3 + 8 - 3 * (w_size3 - 1)"},
      {"y_size3", "x_size3 + w_size3 - 1"},
      {"y_size3", "(x_size3 - 1) * 2 + w_size3"}};
  for (const auto &[extent, equals] : contracts) {
    const auto sizes = sizesOf(imagesAndKernels(extent, equals), convolution);
    EXPECT_EQ(sizes.at("w_size3"), 5U) << equals;
    for (const auto &[name, size] : sizes) {
      const bool isFilter = name.starts_with("w_size3");
      EXPECT_TRUE(isFilter || (size >= 15 && size <= 128)) << name << " " << size;
    }
  }
}

TEST(TypicalSizes, WhatSlidesOverItselfIsNoFilter) {
  runtime::Signature signature;
  signature.parameters = {container("x"), container("w"), container("y")};
  signature.parameters.back().access = runtime::Access::InOut;
  const auto sizes = [&](const std::string &loop) {
    return sizesOf(signature, "__codelet void f(const Array<1, float> x, const Array<1, float> w, "
                              "Array<1, float> y) {\n"
                              "  for (unsigned i = 0; i < y.size(); ++i) {\n"
                              "    float sum = w[0];\n    " +
                                  loop + "\n    y[i] = sum;\n  }\n}\n");
  };
  const auto correlation =
      sizes("for (unsigned k = 0; k + i < x.size(); ++k) sum += x[k] * x[k + i];");
  EXPECT_GT(correlation.at("x_size"), 1000U);
  const auto circular =
      sizes("for (unsigned k = 0; k < x.size(); ++k) sum += x[k] * x[(k + i) % x.size()];");
  EXPECT_GT(circular.at("x_size"), 1000U);
  const auto filter =
      sizes("for (unsigned k = 0; k < w.size() && k <= i; ++k) sum += w[k] * x[i - k];");
  EXPECT_EQ(filter.at("w_size"), 5U);
  EXPECT_GT(filter.at("x_size"), 1000U);
  signature.shape = {{"w_size", sizeExpression("x_size")}};
  const auto product =
      sizes("for (unsigned k = 0; k < w.size(); ++k) sum += w[k] * x[(k + i) % x.size()];");
  EXPECT_GT(product.at("x_size"), 1000U);
}

/// The signature of a spectrum with three containers of three dimensions: signals, filters, results.
runtime::Signature signalsAndFilters() {
  runtime::Signature signature;
  signature.parameters = {container("x", 3), container("w", 3), container("y", 3)};
  signature.parameters.back().access = runtime::Access::InOut;
  signature.shape = {{"w_size1", sizeExpression("x_size1")},
                     {"y_size0", sizeExpression("x_size0")},
                     {"y_size1", sizeExpression("w_size0")},
                     {"y_size2", sizeExpression("x_size2 - w_size2 + 1")}};
  return signature;
}

const char *const filteredSignals = R"(
__codelet void f(const Array<3, float> x, const Array<3, float> w, Array<3, float> y) {
  for (unsigned i = 0; i < y.size(2); ++i) {
    float sum = 0;
    for (unsigned q = 0; q < w.size(2); ++q)
      sum += x[0][0][i + q] * w[0][0][q];
    y[0][0][i] = sum;
  }
}
)";

TEST(TypicalSizes, SignalsBesideFiltersAreLong) {
  const auto sizes = sizesOf(signalsAndFilters(), filteredSignals);
  EXPECT_EQ(sizes.at("x_size0"), 16U);
  EXPECT_EQ(sizes.at("x_size1"), 64U);
  EXPECT_EQ(sizes.at("x_size2"), 16384U);
}

TEST(TypicalSizes, ASingleSignalIsOneOfThem) {
  const runtime::Signature signature = signalsAndFilters();
  const auto typical = typicalSizes(signature, saidBy(filteredSignals, signature));
  EXPECT_EQ(typical.front().named.at("x_size0"), std::vector<std::uint64_t>{16});
  EXPECT_EQ(typical.back().named.at("x_size0"), std::vector<std::uint64_t>{1});
}

TEST(TypicalSizes, PartsOfAWholeAreNoFilters) {
  runtime::Signature signature;
  signature.parameters = {container("a"), container("b"), container("all")};
  signature.parameters.back().access = runtime::Access::InOut;
  for (const char *equals : {"a_size + b_size", "a_size * b_size", "2 * a_size + b_size"}) {
    signature.shape = {{"all_size", sizeExpression(equals)}};
    const auto sizes = sizesOf(signature, R"(
__codelet void f(const Array<1, float> a, const Array<1, float> b, Array<1, float> all) {
  all[0] = a[0] + b[0];
}
)");
    EXPECT_EQ(sizes.at("a_size"), sizes.at("b_size")) << equals;
  }
}

TEST(TypicalSizes, AreMultiplesWhereCodeletsNeedThem) {
  const auto sizes = sizesOf(imagesAndKernels("x_size3", "y_size3 + w_size3 - 1"), convolution);
  EXPECT_EQ(sizes.at("x_size1"), 96U); // 3 parts of a power of two
}

TEST(TypicalSizes, ASingleImageIsOneOfThem) {
  const runtime::Signature signature = imagesAndKernels("x_size3", "y_size3 + w_size3 - 1");
  const auto typical = typicalSizes(signature, saidBy(convolution, signature));
  EXPECT_EQ(typical.front().named.at("x_size0"), std::vector<std::uint64_t>{16});
  EXPECT_EQ(typical.back().named.at("x_size0"), std::vector<std::uint64_t>{1});
  EXPECT_EQ(typical.back().named.at("x_size1"), typical.front().named.at("x_size1"));
}

TEST(TypicalSizes, OfTwoDimensionsInOneAreTheirProducts) {
  const auto sizes = sizesOf(imagesAndKernels("x_size3", "y_size3 + w_size3 - 1"), R"(
__codelet void f(const Array<4, float> x, const Array<4, float> w, Array<4, float> y) {
  require(x.size(0) % 32 == 0);
  require(w.size(0) % 32 == 0);
  for (unsigned i = 0; i < y.size(3); ++i) {
    float sum = 0;
    for (unsigned q = 0; q < w.size(3); ++q)
      sum += x[0][0][0][i + q] * w[0][0][0][q];
    y[0][0][0][i] = sum;
  }
}
)");
  EXPECT_EQ(sizes.at("x_size0"), 4 * 32U);
  EXPECT_EQ(sizes.at("w_size0"), 64 * 32U);
}

} // namespace tangram::driver
