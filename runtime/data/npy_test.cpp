#include "runtime/data/npy.h"

#include "runtime/data/npy_header.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tangram::runtime {
namespace {

class Npy : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "npy-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    file = folder / "a.npy";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void write(const std::string &bytes) { std::ofstream(file, std::ios::binary) << bytes; }

  /// A file of format `version` with this header dictionary and data.
  void writeFile(const std::string &header, const std::string &data, int version = 1) {
    std::string text = header + "\n", length;
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
      length += static_cast<char>(text.size() >> (8 * i) & 0xFF);
    write("\x93NUMPY" + std::string(1, static_cast<char>(version)) + std::string(1, '\0') + length +
          text + data);
  }

  template <class T> std::vector<T> values(const HostArray &array) {
    const auto *data = reinterpret_cast<const T *>(array.memory.data());
    return {data, data + array.count()};
  }

  /// The message without the file's name.
  std::string error() {
    Result<HostArray> array = readNpy(file);
    if (array)
      return "fine";
    EXPECT_EQ(array.error().fault, Fault::Input);
    std::string prefix = file.string() + ": ";
    EXPECT_TRUE(array.error().message.starts_with(prefix)) << array.error().message;
    return array.error().message.substr(prefix.size());
  }

  std::filesystem::path folder, file;
};

const std::string int32Header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }";
const std::string oneAndTwo{"\1\0\0\0\2\0\0\0", 8};

TEST_F(Npy, ReadsAllVersions) {
  for (int version : {1, 2, 3}) {
    writeFile(int32Header, oneAndTwo, version);
    Result<HostArray> array = readNpy(file);
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(array->element, ir::Scalar::I32);
    EXPECT_EQ(array->shape, std::vector<std::uint64_t>{2});
    EXPECT_EQ(values<std::int32_t>(*array), (std::vector<std::int32_t>{1, 2}));
  }
  writeFile(int32Header, oneAndTwo, 4);
  EXPECT_EQ(error(), "expected .npy format version 1, 2 or 3, found 4.0");
}

TEST_F(Npy, ReadsTheOtherByteOrder) {
  writeFile("{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }",
            std::string("\0\1\0\2\xFF\xFE", 6));
  Result<HostArray> array = readNpy(file);
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(values<std::int16_t>(*array), (std::vector<std::int16_t>{1, 2, -2}));
}

TEST_F(Npy, TransposesFortranOrder) {
  std::string columns{"\1\4\2\5\3\6", 6};
  writeFile("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", columns);
  Result<HostArray> array = readNpy(file);
  ASSERT_TRUE(array) << array.error().message;
  EXPECT_EQ(values<std::uint8_t>(*array), (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
  writeFile("{'descr': '|u1', 'fortran_order': True, 'shape': (6,), }", columns);
  array = readNpy(file);
  ASSERT_TRUE(array);
  EXPECT_EQ(values<std::uint8_t>(*array), (std::vector<std::uint8_t>{1, 4, 2, 5, 3, 6}));
  // (2, 2, 2): element [i][j][k] stands at i + 2j + 4k.
  writeFile("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2, 2), }",
            {"\0\1\2\3\4\5\6\7", 8});
  array = readNpy(file);
  ASSERT_TRUE(array);
  EXPECT_EQ(values<std::uint8_t>(*array), (std::vector<std::uint8_t>{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST_F(Npy, ReadsEmptyArraysAndScalars) {
  writeFile("{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }", "");
  Result<HostArray> empty = readNpy(file);
  ASSERT_TRUE(empty) << empty.error().message;
  EXPECT_EQ(empty->count(), 0U);
  writeFile("{\"shape\": (), 'fortran_order': False, 'descr': '|b1'}", "\1");
  Result<HostArray> scalar = readNpy(file);
  ASSERT_TRUE(scalar) << scalar.error().message;
  EXPECT_EQ(scalar->element, ir::Scalar::Bool);
  EXPECT_EQ(scalar->count(), 1U);
  writeFile("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 18446744073709551615), }", "");
  EXPECT_EQ(error(), "fine");
}

TEST_F(Npy, TruncatedAndTooLong) {
  writeFile(int32Header, oneAndTwo.substr(0, 7));
  EXPECT_EQ(error(), "truncated: shape (2,) of int32 needs 8 bytes of data, found 7");
  writeFile(int32Header, oneAndTwo + "x");
  EXPECT_EQ(error(), "too long: shape (2,) of int32 needs 8 bytes of data, found 9");
  write(std::string("\x93NUMPY\1\0\x76", 9));
  EXPECT_EQ(error(), "truncated: it ends inside its header");
  write(std::string("\x93NUMPY\1\0\x76\0{'descr'", 18));
  EXPECT_EQ(error(), "truncated: it ends inside its header");
  write("\x93NUM");
  EXPECT_EQ(error(), "not a .npy file (it does not start with \\x93NUMPY)");
  write("");
  EXPECT_EQ(error(), "not a .npy file (it does not start with \\x93NUMPY)");
}

TEST_F(Npy, HugeShapesAreNotAllocated) {
  writeFile("{'descr': '<i4', 'fortran_order': False, 'shape': (1000000000000,), }", oneAndTwo);
  EXPECT_EQ(error(), "truncated: shape (1000000000000,) of int32 needs 4000000000000 bytes of "
                     "data, found 8");
  writeFile("{'descr': '<i4', 'fortran_order': False, 'shape': (9223372036854775808, 2), }", "");
  EXPECT_EQ(error(),
            "an array of shape (9223372036854775808, 2) has more bytes than fit in 64 bits");
  writeFile("{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999999999,), }", "");
  EXPECT_EQ(error(), "an extent does not fit in 64 bits");
  write(std::string("\x93NUMPY\2\0\xFF\xFF\xFF\xFF", 12));
  EXPECT_EQ(error(), "the header is malformed: it claims 4294967295 bytes");
}

TEST_F(Npy, GarbageHeaders) {
  writeFile("hello", "");
  EXPECT_EQ(error(), "the header is malformed: expected '{' at column 1, found 'h'");
  writeFile("{'descr': '<i4', 'fortran_order': 0, 'shape': (2,), }", oneAndTwo);
  EXPECT_EQ(error(), "the header is malformed: expected True or False at column 35, found '0'");
  writeFile("{'descr': '<i4', 'fortran_order': False, }", oneAndTwo);
  EXPECT_EQ(error(), "the header has no 'shape'");
  writeFile("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), 'x': 1}", oneAndTwo);
  EXPECT_EQ(error(), "the header has an unknown key 'x'");
  writeFile("{'descr': '<i4', 'fortran_order': False, 'shape': (-2,), }", oneAndTwo);
  EXPECT_EQ(error(), "the header is malformed: expected an extent at column 52, found '-'");
  writeFile("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), ", oneAndTwo);
  EXPECT_EQ(error(), "the header is malformed: expected a key at column 58, found the end");
  writeFile(std::string("{\x01"), oneAndTwo);
  EXPECT_EQ(error(), "the header is malformed: expected a key at column 2, found byte 1");
}

TEST_F(Npy, ElementTypesWeDoNotHave) {
  for (const char *type : {"<f2", "<c8", "|O", "<U4", "<f16", "<i3", "", "<", "<i0"}) {
    writeFile(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': (1,), }",
              "");
    EXPECT_EQ(error(), std::string("it holds elements of type '") + type +
                           "', expected bool, integers of 8 to 64 bits, float32 or float64");
  }
  writeFile("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (1,), }", "");
  EXPECT_EQ(error(), "it holds records, expected numbers");
}

TEST_F(Npy, WritesWhatItReads) {
  HostArray array{ir::Scalar::F32, {2, 3}, HostMemory(24)};
  for (int i = 0; i < 6; ++i)
    reinterpret_cast<float *>(array.memory.data())[i] = static_cast<float>(i) / 4;
  ASSERT_TRUE(writeNpy(file, array));
  Result<HostArray> back = readNpy(file);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->element, ir::Scalar::F32);
  EXPECT_EQ(back->shape, array.shape);
  EXPECT_EQ(values<float>(*back), values<float>(array));
  EXPECT_EQ((std::filesystem::file_size(file) - 24) % 64, 0U);
  auto entries = std::filesystem::directory_iterator(folder);
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1); // no temporary is left
}

TEST_F(Npy, CannotBeReadOrWritten) {
  EXPECT_EQ(error(), "cannot be read: No such file or directory");
  Status status = writeNpy(folder / "no/such/a.npy", HostArray{ir::Scalar::I8, {0}, HostMemory(0)});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            (folder / "no/such/a.npy").string() + ": cannot be written: No such file or directory");
  status = writeNpy(folder, HostArray{ir::Scalar::I8, {0}, HostMemory(0)});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, folder.string() + ": cannot be written: it is a folder");
  status = writeNpy("/dev/full", HostArray{ir::Scalar::I8, {0}, HostMemory(0)});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(writeNpy("/dev/null", HostArray{ir::Scalar::I8, {0}, HostMemory(0)}));
}

TEST(NpyHeaderText, IsThatOfNumPy) {
  EXPECT_EQ(npyHeaderText(ir::Scalar::I32, {3}),
            "{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }");
  EXPECT_EQ(npyHeaderText(ir::Scalar::Bool, {}),
            "{'descr': '|b1', 'fortran_order': False, 'shape': (), }");
  EXPECT_EQ(npyHeaderText(ir::Scalar::U64, {2, 4}),
            "{'descr': '<u8', 'fortran_order': False, 'shape': (2, 4), }");
}

} // namespace
} // namespace tangram::runtime
