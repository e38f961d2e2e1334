#include "runtime/data/demo_inputs.h"

#include "runtime/data/matrix_market.h"
#include "runtime/data/text_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tangram::runtime {
namespace {

class DemoInputs : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "demo-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    file = folder / "a.mtx";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  Matrix read() {
    Result<Matrix> m = readMatrixMarket(file);
    EXPECT_TRUE(m) << m.error().message;
    return m ? std::move(*m) : Matrix{};
  }

  std::filesystem::path folder, file;
};

TEST_F(DemoInputs, PoissonAsText) {
  ASSERT_TRUE(writePoisson(2, file));
  EXPECT_EQ(*readTextFile(file), "%%MatrixMarket matrix coordinate real symmetric\n4 4 8\n"
                                 "1 1 4\n2 1 -1\n2 2 4\n3 1 -1\n3 3 4\n4 2 -1\n4 3 -1\n4 4 4\n");
}

TEST_F(DemoInputs, PoissonHasFiveEntriesInARow) {
  for (std::uint64_t size : {0, 1, 2, 3, 10}) {
    ASSERT_TRUE(writePoisson(size, file));
    Matrix m = read();
    EXPECT_EQ(m.rows, size * size);
    std::map<std::uint64_t, std::pair<int, double>> rows;
    for (std::uint64_t e = 0; e < m.entries(); ++e) {
      ++rows[m.row[e]].first;
      rows[m.row[e]].second += m.reals[e];
    }
    EXPECT_EQ(rows.size(), size * size);
    for (const auto &[row, row_] : rows) {
      const std::uint64_t x = row % size, y = row / size;
      const int neighbours = (x > 0) + (x + 1 < size) + (y > 0) + (y + 1 < size);
      EXPECT_EQ(row_.first, 1 + neighbours);
      EXPECT_EQ(row_.second, 4 - neighbours);
    }
  }
}

TEST_F(DemoInputs, GridGraph) {
  ASSERT_TRUE(writeGridGraph(3, file));
  Matrix m = read();
  EXPECT_EQ(m.rows, 9U);
  EXPECT_EQ(m.entries(), 24U); // 12 edges, both ways
  for (std::uint64_t e = 0; e < m.entries(); ++e) {
    const std::uint64_t far = std::max(m.row[e], m.column[e]),
                        near = std::min(m.row[e], m.column[e]);
    EXPECT_TRUE(far - near == 3 || (far - near == 1 && far % 3 != 0)) << far << " " << near;
  }
  ASSERT_TRUE(writeGridGraph(1, file));
  EXPECT_EQ(read().entries(), 0U);
}

TEST_F(DemoInputs, NothingIsLeftOfWhatCannotBeWritten) {
  EXPECT_EQ(writePoisson(2, folder / "none/a.mtx").error().message,
            (folder / "none/a.mtx").string() + ": cannot be written: No such file or directory");
  EXPECT_EQ(writePoisson(1ULL << 40, file).error().message,
            "expected a size of at most 1073741824, found 1099511627776");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(DemoInputs, PointsAreNearTheirCentres) {
  HostArray array = clusteredPoints({3000, 2, 3}, 4);
  EXPECT_EQ(array.element, ir::Scalar::F32);
  EXPECT_EQ(array.shape, (std::vector<std::uint64_t>{3000, 2}));
  const auto *point = reinterpret_cast<const float *>(array.memory.data());
  // Points nearer than the diameter of a cluster are of one cluster: three groups.
  std::vector<std::pair<float, float>> seen;
  std::vector<int> members;
  for (std::size_t i = 0; i < 3000; ++i) {
    auto found = std::find_if(seen.begin(), seen.end(), [&](auto p) {
      return std::hypot(p.first - point[2 * i], p.second - point[2 * i + 1]) < 0.18;
    });
    if (found == seen.end()) {
      seen.emplace_back(point[2 * i], point[2 * i + 1]);
      members.push_back(0);
      found = seen.end() - 1;
    }
    ++members[static_cast<std::size_t>(found - seen.begin())];
  }
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_GT(*std::min_element(members.begin(), members.end()), 800);
  EXPECT_EQ(clusteredPoints({0, 2, 3}, 1).count(), 0U);
  HostArray other = clusteredPoints({3000, 2, 3}, 2);
  EXPECT_NE(std::memcmp(array.memory.data(), other.memory.data(), 24000), 0);
}

TEST_F(DemoInputs, DiagonalsDominate) {
  constexpr std::uint64_t size = 50;
  HostArray matrix = dominantMatrix(size, ir::Scalar::F32, 1);
  EXPECT_EQ(matrix.element, ir::Scalar::F32);
  EXPECT_EQ(matrix.shape, (std::vector<std::uint64_t>{size, size}));
  const auto *number = reinterpret_cast<const float *>(matrix.memory.data());
  for (std::uint64_t i = 0; i < size; ++i) {
    double others = 0;
    for (std::uint64_t j = 0; j < size; ++j)
      others += i == j ? 0 : std::abs(static_cast<double>(number[i * size + j]));
    EXPECT_LT(others, static_cast<double>(number[i * size + i])) << "row " << i;
    EXPECT_GT(others, 10) << "row " << i;
  }
  EXPECT_EQ(dominantMatrix(0, ir::Scalar::F32, 1).count(), 0U);
  HostArray other = dominantMatrix(size, ir::Scalar::F32, 2);
  EXPECT_NE(std::memcmp(matrix.memory.data(), other.memory.data(), size * size * sizeof(float)), 0);
  HostArray wide = dominantMatrix(3, ir::Scalar::F64, 1);
  EXPECT_EQ(wide.element, ir::Scalar::F64);
  const auto *of_wide = reinterpret_cast<const double *>(wide.memory.data());
  EXPECT_EQ(of_wide[4], 3.0);
  EXPECT_LT(std::abs(of_wide[5]), 1.0);
}

} // namespace
} // namespace tangram::runtime
