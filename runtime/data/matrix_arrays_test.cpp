#include "runtime/data/matrix_arrays.h"

#include "runtime/data/inputs.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tangram::runtime {
namespace {

Parameter parameter(const std::string &name, ir::Scalar element, std::size_t rank = 1) {
  Parameter p{name, true, element, Access::In, {}};
  for (std::size_t d = 0; d < rank; ++d)
    p.extents.push_back(name + "_size" + (rank == 1 ? "" : std::to_string(d)));
  return p;
}

Matrix matrix(const std::string &kind, const std::string &rest) {
  Result<Matrix> m = parseMatrixMarket("%%MatrixMarket matrix " + kind + "\n" + rest, "a.mtx");
  EXPECT_TRUE(m) << m.error().message;
  return std::move(*m);
}

template <class T> std::vector<T> valuesOf(const HostArray &array) {
  const auto *data = reinterpret_cast<const T *>(array.memory.data());
  return {data, data + array.count()};
}

const Parameter values = parameter("values", ir::Scalar::F32),
                columns = parameter("columns", ir::Scalar::U32),
                offsets = parameter("offsets", ir::Scalar::I64),
                rows = parameter("rows", ir::Scalar::U16);

TEST(SparseArrays, CsrSortsRowsAndKeepsDuplicatesInOrder) {
  Matrix m =
      matrix("coordinate real general", "4 3 6\n3 2 1\n1 3 2\n3 1 3\n1 1 4.5\n3 2 5\n3 2 0\n");
  auto arrays = sparseArrays(m, SparseForm::Csr, {&values, &columns, &offsets});
  ASSERT_TRUE(arrays) << arrays.error().message;
  EXPECT_EQ(valuesOf<float>((*arrays)[0]), (std::vector<float>{4.5F, 2, 3, 1, 5, 0}));
  EXPECT_EQ(valuesOf<std::uint32_t>((*arrays)[1]), (std::vector<std::uint32_t>{0, 2, 0, 1, 1, 1}));
  EXPECT_EQ(valuesOf<std::int64_t>((*arrays)[2]), (std::vector<std::int64_t>{0, 2, 2, 6, 6}));
  arrays = sparseArrays(m, SparseForm::Csr, {&columns, &offsets});
  ASSERT_TRUE(arrays);
  EXPECT_EQ(valuesOf<std::int64_t>((*arrays)[1]), (std::vector<std::int64_t>{0, 2, 2, 6, 6}));
}

TEST(SparseArrays, CooIsInTheOrderOfTheFile) {
  Matrix m = matrix("coordinate integer symmetric", "3 3 2\n3 1 7\n2 2 -1\n");
  auto arrays = sparseArrays(m, SparseForm::Coo, {&rows, &columns, &values});
  ASSERT_TRUE(arrays) << arrays.error().message;
  EXPECT_EQ(valuesOf<std::uint16_t>((*arrays)[0]), (std::vector<std::uint16_t>{2, 0, 1}));
  EXPECT_EQ(valuesOf<std::uint32_t>((*arrays)[1]), (std::vector<std::uint32_t>{0, 2, 1}));
  EXPECT_EQ(valuesOf<float>((*arrays)[2]), (std::vector<float>{7, 7, -1}));
}

TEST(SparseArrays, ZerosOfAnArrayFileAreLeftOut) {
  Matrix m = matrix("array real general", "2 2\n0\n1\n2\n0\n");
  auto arrays = sparseArrays(m, SparseForm::Csr, {&values, &columns, &offsets});
  ASSERT_TRUE(arrays);
  EXPECT_EQ(valuesOf<float>((*arrays)[0]), (std::vector<float>{2, 1}));
  EXPECT_EQ(valuesOf<std::uint32_t>((*arrays)[1]), (std::vector<std::uint32_t>{1, 0}));
}

TEST(SparseArrays, ElementTypesHoldTheirNumbers) {
  auto error = [](const Matrix &m, const Parameter &v, const Parameter &c, const Parameter &o) {
    auto arrays = sparseArrays(m, SparseForm::Csr, {&v, &c, &o});
    return arrays ? "fine" : arrays.error().message;
  };
  Matrix halves = matrix("coordinate real general", "300 300 2\n1 1 3\n1 300 0.5\n");
  Parameter ints = parameter("values", ir::Scalar::I32),
            bytes = parameter("columns", ir::Scalar::U8);
  EXPECT_EQ(error(halves, values, columns, offsets), "fine");
  EXPECT_EQ(error(halves, ints, columns, offsets),
            "values: int32 cannot hold 0.5, a.mtx has it at row 1, column 300");
  EXPECT_EQ(error(halves, values, bytes, offsets),
            "columns: uint8 cannot hold 299, columns of a.mtx");
  EXPECT_EQ(error(halves, values, values, offsets),
            "values: expected integers for columns of a.mtx, found float32");
  Matrix large = matrix("coordinate real general", "1 1 1\n1 1 1e300\n");
  EXPECT_EQ(error(large, values, columns, offsets),
            "values: float32 cannot hold 1e+300, a.mtx has it at row 1, column 1");
  for (auto [text, element, good] : {std::tuple{"9223372036854775807", ir::Scalar::I64, true},
                                     {"9223372036854775807", ir::Scalar::I32, false},
                                     {"-1", ir::Scalar::U64, false},
                                     {"-128", ir::Scalar::I8, true},
                                     {"128", ir::Scalar::I8, false}}) {
    Matrix m = matrix("coordinate integer general", std::string("1 1 1\n1 1 ") + text + "\n");
    EXPECT_EQ(error(m, parameter("values", element), columns, offsets) == "fine", good) << text;
  }
  // 2^63 is a double, and no int64.
  Matrix edge = matrix("coordinate real general", "1 1 1\n1 1 9223372036854775808\n");
  EXPECT_NE(error(edge, parameter("values", ir::Scalar::I64), columns, offsets), "fine");
  EXPECT_EQ(error(edge, parameter("values", ir::Scalar::U64), columns, offsets), "fine");
  EXPECT_EQ(error(halves, parameter("values", ir::Scalar::F32, 2), columns, offsets),
            "values: expected 2 dimensions, values of a.mtx have 1");
  Matrix huge = matrix("coordinate real general", "18446744073709551615 1 0\n");
  EXPECT_EQ(error(huge, values, columns, offsets), "a.mtx: does not fit in memory");
}

TEST(DenseArray, RowByRow) {
  Matrix m = matrix("coordinate real general", "2 3 4\n1 3 1\n2 1 2\n2 1 2.5\n1 1 -1\n");
  Result<HostArray> array = denseArray(m, parameter("a", ir::Scalar::F64, 2));
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(array->shape, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(valuesOf<double>(*array), (std::vector<double>{-1, 0, 1, 4.5, 0, 0}));
  array = denseArray(m, parameter("a", ir::Scalar::F64, 1));
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().message, "a: expected 1 dimension, a.mtx has 2 rows and 3 columns");
  array = denseArray(matrix("array integer general", "3 1\n1\n2\n3\n"),
                     parameter("x", ir::Scalar::I16, 1));
  ASSERT_TRUE(array);
  EXPECT_EQ(array->shape, std::vector<std::uint64_t>{3});
  EXPECT_EQ(valuesOf<std::int16_t>(*array), (std::vector<std::int16_t>{1, 2, 3}));
  array = denseArray(matrix("coordinate integer general", "1 1 2\n1 1 100\n1 1 100\n"),
                     parameter("a", ir::Scalar::I8, 2));
  EXPECT_FALSE(array); // 200
  array = denseArray(matrix("coordinate integer general", "10000000000 10000000000 0\n"),
                     parameter("a", ir::Scalar::I8, 2));
  ASSERT_FALSE(array);
  EXPECT_EQ(array.error().fault, Fault::Refused);
  EXPECT_EQ(array.error().message, "a: does not fit in memory");
}

class MatrixInputs : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "matrix-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    file = (folder / "a.mtx").string();
    std::ofstream(file) << "%%MatrixMarket matrix coordinate real general\n3 5 4\n1 1 1\n1 5 2\n"
                           "3 2 3\n3 4 4\n";
    spmv.parameters = {values, columns, offsets, parameter("x", ir::Scalar::F32),
                       parameter("y", ir::Scalar::F32)};
    spmv.parameters[4].access = Access::Out;
    auto e = [](const char *text) { return *Expression::parse(text); };
    spmv.shape = {{"columns_size", e("values_size")}, {"offsets_size", e("y_size + 1")}};
    spmv.data = {{"columns", DataContract::Kind::Within, e("0"), e("x_size"), {}},
                 {"offsets", DataContract::Kind::Ascending, e("0"), e("values_size"), {}}};
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  Result<Problem> make(const std::map<std::string, std::string> &texts,
                       const SizeChoice &sizes = {}) {
    Result<GivenInputs> given = readInputs(texts);
    if (!given)
      return given.error();
    return makeProblem(spmv, *given, sizes, 1);
  }
  std::string error(const std::map<std::string, std::string> &texts, const SizeChoice &sizes = {}) {
    Result<Problem> problem = make(texts, sizes);
    std::string text = problem ? "fine" : problem.error().message;
    for (std::size_t at = text.find(folder.string()); at != std::string::npos;
         at = text.find(folder.string()))
      text.replace(at, folder.string().size(), "{}");
    return text;
  }

  std::filesystem::path folder;
  std::string file;
  Signature spmv;
};

TEST_F(MatrixInputs, OneFileGivesThreeParametersAndAllSizes) {
  Result<Problem> problem = make({{"csr:values,columns,offsets", file}});
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->extents, (std::map<std::string, std::uint64_t>{{"values_size", 4},
                                                                    {"columns_size", 4},
                                                                    {"offsets_size", 4},
                                                                    {"x_size", 5},
                                                                    {"y_size", 3}}));
  EXPECT_EQ(valuesOf<std::uint32_t>(problem->arguments[1]),
            (std::vector<std::uint32_t>{0, 4, 1, 3}));
  EXPECT_EQ(valuesOf<std::int64_t>(problem->arguments[2]), (std::vector<std::int64_t>{0, 2, 2, 4}));
}

TEST_F(MatrixInputs, ColumnsGiveWayToWhatIsFixed) {
  Result<Problem> problem =
      make({{"csr:values,columns,offsets", file}}, {std::nullopt, {{"x", {9}}}});
  ASSERT_TRUE(problem) << problem.error().message;
  EXPECT_EQ(problem->extents.at("x_size"), 9U);
  EXPECT_EQ(error({{"csr:values,columns,offsets", file}}, {std::nullopt, {{"x", {4}}}}),
            "columns ({}/a.mtx): expected elements within [0, x_size) = [0, 4), found 4 at 1");
}

TEST_F(MatrixInputs, Mistakes) {
  EXPECT_EQ(error({{"csr:values,columns,offsets", file}}, {7, {}}),
            "--size 7: expected values_size = 4 as {}/a.mtx has it, found 7");
  EXPECT_EQ(error({{"csr:values,columns,offsets", file}}, {std::nullopt, {{"y", {7}}}}),
            "expected offsets_size == y_size + 1, found offsets_size = 4 ({}/a.mtx) and y_size + 1 "
            "= 8 with y_size = 7 (--size y)");
  EXPECT_EQ(error({{"csr:values", file}}),
            "--input csr:values: expected csr:VALUES,COLUMNS,OFFSETS or csr:COLUMNS,OFFSETS");
  EXPECT_EQ(error({{"coo:rows,,values", file}}),
            "--input coo:rows,,values: expected coo:ROWS,COLUMNS or coo:ROWS,COLUMNS,VALUES");
  EXPECT_EQ(error({{"csr:values,colums,offsets", file}}),
            "--input csr:values,colums,offsets: expected a parameter, found colums (values, "
            "columns, offsets, x, y); did you mean columns?");
  EXPECT_EQ(error({{"csr:columns,offsets", file}, {"offsets", file}}),
            "--input csr:columns,offsets: offsets is given a second time");
  EXPECT_EQ(error({{"csr:columns,offsets", "a.npy"}}),
            "--input csr:columns,offsets: expected a .mtx file, found a.npy");
  EXPECT_EQ(error({{"csr:columns,y", file}}),
            "--input csr:columns,y: y is only written, it takes no input");
  EXPECT_EQ(error({{"x", file}}), "x: expected 1 dimension, {}/a.mtx has 3 rows and 5 columns");
  EXPECT_EQ(error({{"x", "/nowhere/a.mtx"}}),
            "/nowhere/a.mtx: cannot be read: No such file or directory");
}

} // namespace
} // namespace tangram::runtime
