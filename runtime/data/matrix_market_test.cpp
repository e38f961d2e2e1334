#include "runtime/data/matrix_market.h"

#include <gtest/gtest.h>

namespace tangram::runtime {
namespace {

using Entries = std::vector<std::tuple<std::uint64_t, std::uint64_t, double>>;

Entries entriesOf(const Matrix &m) {
  Entries entries;
  for (std::uint64_t e = 0; e < m.entries(); ++e)
    entries.emplace_back(m.row[e], m.column[e],
                         m.integer ? static_cast<double>(m.integers[e]) : m.reals[e]);
  return entries;
}

Entries read(const std::string &text) {
  Result<Matrix> m = parseMatrixMarket(text, "a.mtx");
  EXPECT_TRUE(m) << m.error().message;
  return m ? entriesOf(*m) : Entries{};
}

std::string error(const std::string &text) {
  Result<Matrix> m = parseMatrixMarket(text, "a.mtx");
  if (m)
    return "fine";
  EXPECT_EQ(m.error().fault, Fault::Input);
  return m.error().message;
}

std::string coordinate(const std::string &kind, const std::string &rest) {
  return "%%MatrixMarket matrix coordinate " + kind + "\n" + rest;
}

TEST(MatrixMarket, GeneralReal) {
  EXPECT_EQ(read(coordinate("real general", "% a comment\n\n3 4 3\n1 1 1.5\n3 4 -2e-3\n2 1 +7\n")),
            (Entries{{0, 0, 1.5}, {2, 3, -2e-3}, {1, 0, 7}}));
}

TEST(MatrixMarket, FormOfTheText) {
  // CR LF, blanks around, upper case, comments and blank lines between entries, no last newline.
  EXPECT_EQ(read("%%matrixmarket MATRIX Coordinate Integer General\r\n%\r\n  2\t2  2 \r\n\r\n 1 2 "
                 "3\r\n%x\r\n2 2 -4"),
            (Entries{{0, 1, 3}, {1, 1, -4}}));
  EXPECT_EQ(read(coordinate("real general", "0 0 0\n")), Entries{});
}

TEST(MatrixMarket, SymmetricFilesAreExpanded) {
  EXPECT_EQ(read(coordinate("real symmetric", "3 3 3\n1 1 1\n3 1 2\n3 2 4\n")),
            (Entries{{0, 0, 1}, {2, 0, 2}, {0, 2, 2}, {2, 1, 4}, {1, 2, 4}}));
  EXPECT_EQ(read(coordinate("integer skew-symmetric", "3 3 2\n3 1 2\n2 1 -4\n")),
            (Entries{{2, 0, 2}, {0, 2, -2}, {1, 0, -4}, {0, 1, 4}}));
  EXPECT_EQ(read(coordinate("pattern symmetric", "2 2 2\n1 1\n2 1\n")),
            (Entries{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}));
}

TEST(MatrixMarket, DuplicatesStay) {
  EXPECT_EQ(read(coordinate("integer general", "1 1 2\n1 1 2\n1 1 3\n")),
            (Entries{{0, 0, 2}, {0, 0, 3}}));
}

TEST(MatrixMarket, ArraysStandColumnByColumn) {
  const std::string banner = "%%MatrixMarket matrix array real ";
  EXPECT_EQ(read(banner + "general\n2 3\n1\n2\n3\n4\n5\n6\n"),
            (Entries{{0, 0, 1}, {1, 0, 2}, {0, 1, 3}, {1, 1, 4}, {0, 2, 5}, {1, 2, 6}}));
  EXPECT_EQ(read(banner + "symmetric\n2 2\n1\n2\n3\n"),
            (Entries{{0, 0, 1}, {1, 0, 2}, {0, 1, 2}, {1, 1, 3}}));
  EXPECT_EQ(read(banner + "skew-symmetric\n3 3\n1\n2\n3\n"),
            (Entries{{1, 0, 1}, {0, 1, -1}, {2, 0, 2}, {0, 2, -2}, {2, 1, 3}, {1, 2, -3}}));
  EXPECT_EQ(read(banner + "general\n0 3\n"), Entries{});
  EXPECT_EQ(error(banner + "general\n2 2\n1\n2\n3\n"), "a.mtx: expected 4 entries, found 3");
  EXPECT_EQ(error(banner + "general\n1 1\n1 2\n"), "a.mtx:3: expected one value a line, found 2");
  EXPECT_EQ(error(banner + "general\n5000000000 5000000000\n"),
            "a.mtx:2: a matrix of 5000000000 rows and 5000000000 columns has more entries than fit "
            "in 64 bits");
}

TEST(MatrixMarket, BadBanners) {
  EXPECT_EQ(error(""), "a.mtx:1: expected %%MatrixMarket, found nothing");
  EXPECT_EQ(error("1 1 1\n"), "a.mtx:1: expected %%MatrixMarket, found 1");
  EXPECT_EQ(error("%%MatrixMarkt matrix coordinate real general\n"),
            "a.mtx:1: expected %%MatrixMarket, found %%MatrixMarkt");
  EXPECT_EQ(error("%%MatrixMarket vector coordinate real general\n"),
            "a.mtx:1: expected matrix after %%MatrixMarket, found vector");
  EXPECT_EQ(error("%%MatrixMarket matrix sparse real general\n"),
            "a.mtx:1: expected coordinate or array, found sparse");
  EXPECT_EQ(error(coordinate("float general", "")),
            "a.mtx:1: expected real, integer or pattern, found float");
  EXPECT_EQ(error(coordinate("complex general", "")),
            "a.mtx:1: complex matrices are not supported, expected real, integer or pattern");
  EXPECT_EQ(error(coordinate("real hermitian", "")),
            "a.mtx:1: Hermitian matrices are not supported, expected general, symmetric or "
            "skew-symmetric");
  EXPECT_EQ(error(coordinate("real", "")),
            "a.mtx:1: expected general, symmetric or skew-symmetric, found nothing");
  EXPECT_EQ(error(coordinate("real general dense", "")),
            "a.mtx:1: expected the end of the line, found dense");
  EXPECT_EQ(error("%%MatrixMarket matrix array pattern general\n"),
            "a.mtx:1: an array has values, expected real or integer, found pattern");
  EXPECT_EQ(error(coordinate("pattern skew-symmetric", "")),
            "a.mtx:1: a pattern has no signs, expected general or symmetric, found skew-symmetric");
}

TEST(MatrixMarket, BadSizes) {
  EXPECT_EQ(error(coordinate("real general", "% only comments\n")),
            "a.mtx: expected a line with rows, columns and entries, found the end");
  EXPECT_EQ(error(coordinate("real general", "2 2\n")),
            "a.mtx:2: expected 3 integers, rows, columns and entries, found 2");
  EXPECT_EQ(error(coordinate("real general", "2 -2 1\n")),
            "a.mtx:2: expected rows, columns and entries, integers of at most 64 bits, found -2");
  EXPECT_EQ(error(coordinate("real general", "2 2 99999999999999999999\n")),
            "a.mtx:2: expected rows, columns and entries, integers of at most 64 bits, found "
            "99999999999999999999");
  EXPECT_EQ(error(coordinate("real symmetric", "2 3 1\n")),
            "a.mtx:2: a symmetric matrix is square, found 2 rows and 3 columns");
  // A number of entries that is a lie costs no memory.
  EXPECT_EQ(error(coordinate("real general", "2 2 18446744073709551615\n")),
            "a.mtx: expected 18446744073709551615 entries, found 0");
}

TEST(MatrixMarket, BadEntries) {
  auto at = [](const std::string &entry) {
    return error(coordinate("real general", "2 3 1\n" + entry + "\n"));
  };
  EXPECT_EQ(at("0 1 1"), "a.mtx:3: expected a row from 1 to 2, found 0");
  EXPECT_EQ(at("3 1 1"), "a.mtx:3: expected a row from 1 to 2, found 3");
  EXPECT_EQ(at("1 4 1"), "a.mtx:3: expected a column from 1 to 3, found 4");
  EXPECT_EQ(at("1.5 1 1"), "a.mtx:3: expected a row from 1 to 2, found 1.5");
  EXPECT_EQ(at("1 1"), "a.mtx:3: expected row, column and value, found 2 words");
  EXPECT_EQ(at("1"), "a.mtx:3: expected row, column and value, found 1 word");
  EXPECT_EQ(at("1 1 1 x"), "a.mtx:3: expected the end of the line, found x");
  for (const std::string word : {"one", "1e999", "nan", "inf", "1,5", "1.0x", "+-1", "--1"})
    EXPECT_EQ(at("1 1 " + word), "a.mtx:3: expected a number that float64 holds, found " + word);
  EXPECT_EQ(at("1 1 1e-999"), "fine"); // it rounds to 0
  EXPECT_EQ(error(coordinate("integer general", "1 1 1\n1 1 1.0\n")),
            "a.mtx:3: expected an integer of at most 64 bits, found 1.0");
  EXPECT_EQ(error(coordinate("integer general", "1 1 1\n1 1 9223372036854775808\n")),
            "a.mtx:3: expected an integer of at most 64 bits, found 9223372036854775808");
  EXPECT_EQ(error(coordinate("pattern general", "1 1 1\n1 1 1\n")),
            "a.mtx:3: expected the end of the line, found 1");
  EXPECT_EQ(error(coordinate("pattern general", "1 1 1\n1\n")),
            "a.mtx:3: expected row and column, found 1 word");
}

TEST(MatrixMarket, TooFewAndTooMany) {
  EXPECT_EQ(error(coordinate("real general", "2 2 2\n1 1 1\n")),
            "a.mtx: expected 2 entries, found 1");
  EXPECT_EQ(error(coordinate("real general", "2 2 1\n1 1 1\n\n1 2 1\n")),
            "a.mtx:5: expected the end after 1 entries, found 1");
  EXPECT_EQ(error(coordinate("real general", "2 2 1\n1 1 1\nthe end\n")),
            "a.mtx:4: expected the end after 1 entries, found the");
}

TEST(MatrixMarket, OnlyHalfOfASymmetricMatrixIsThere) {
  EXPECT_EQ(error(coordinate("real symmetric", "2 2 1\n1 2 1\n")),
            "a.mtx:3: a symmetric file has entries on and below the diagonal, found row 1, column "
            "2");
  EXPECT_EQ(error(coordinate("real skew-symmetric", "2 2 1\n2 2 1\n")),
            "a.mtx:3: a skew-symmetric file has no entries on the diagonal, found row 2, column 2");
}

TEST(MatrixMarket, FilesOfTheWorld) {
  const std::filesystem::path data =
      std::filesystem::path(TANGRAM_SOURCE_DIR).parent_path() / "shared/data";
  if (!std::filesystem::exists(data))
    GTEST_SKIP() << data << " is not there";
  struct Known {
    const char *file;
    std::uint64_t rows, entries, diagonal;
  };
  for (const Known &known :
       {Known{"bcsstk13.mtx", 2003, 83883, 2003}, Known{"cryg2500.mtx", 2500, 12349, 2500},
        Known{"jagmesh7.mtx", 1138, 7450, 1138}}) {
    Result<Matrix> m = readMatrixMarket(data / known.file);
    ASSERT_TRUE(m) << m.error().message;
    EXPECT_EQ(m->rows, known.rows);
    EXPECT_EQ(m->columns, known.rows);
    EXPECT_EQ(m->entries(), known.entries) << known.file;
    std::uint64_t diagonal = 0;
    for (std::uint64_t e = 0; e < m->entries(); ++e)
      diagonal += m->row[e] == m->column[e];
    EXPECT_EQ(diagonal, known.diagonal) << known.file;
  }
}

TEST(MatrixMarket, CannotBeRead) {
  Result<Matrix> m = readMatrixMarket("/nowhere/a.mtx");
  ASSERT_FALSE(m);
  EXPECT_EQ(m.error().message, "/nowhere/a.mtx: cannot be read: No such file or directory");
}

} // namespace
} // namespace tangram::runtime
