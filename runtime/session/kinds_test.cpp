// Combinations tried with several kinds of data, and runs from a list.
#include "runtime/data/text_file.h"
#include "runtime/session/report.h"
#include "runtime/session/session.h"

#include <gtest/gtest.h>

#include <fstream>

namespace tangram::runtime {
namespace {

class KindsTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("OMP_NUM_THREADS", "2", 1);
    std::string pattern = testing::TempDir() + "kinds-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// The sum, where `from` of file `file` is replaced.
  SessionOptions changed(const std::string &file, const std::string &from, const std::string &to) {
    std::filesystem::copy(std::filesystem::path(TANGRAM_SOURCE_DIR) / "runtime/testdata/openmp_sum",
                          folder / "sum");
    std::string text = *readTextFile(folder / "sum" / file);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(folder / "sum" / file) << text;
    SessionOptions options;
    options.bundles = {(folder / "sum").string()};
    options.sizes = {SizeChoice{100, {}}};
    return options;
  }

  static std::vector<Record> run(const SessionOptions &options) {
    std::vector<Record> records;
    Status status = runSession(
        options, [&](const Record &r) { records.push_back(r); },
        [](std::size_t, std::size_t, const std::string &) {});
    EXPECT_TRUE(status);
    return records;
  }

  std::filesystem::path folder;
};

TEST_F(KindsTest, OneRecordOfAllKindsWhereNoneShowsAMistake) {
  SessionOptions options = changed("sum.c", "int accum = 0;", "int accum = 0;");
  options.kinds = usualKinds();
  const std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified) << records[0].reason;
  // The source names no number, so that data of the kind `constants` would be the same as `full`.
  std::vector<DataKind> kinds = usualKinds();
  std::erase(kinds, DataKind::Constants);
  EXPECT_EQ(records[0].data, kinds);
}

TEST_F(KindsTest, TheKindThatShowsAMistakeIsTold) {
  SessionOptions options = changed("sum.c", "accum += in[i]", "accum += (short)in[i]");
  EXPECT_EQ(run(options)[0].outcome, Outcome::Verified); // 16 bits hold ordinary numbers
  options.kinds = usualKinds();
  const std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Wrong);
  EXPECT_EQ(records[0].data, std::vector{DataKind::Full});
  EXPECT_TRUE(recordLine(records[0]).ends_with(" (--data full)")) << recordLine(records[0]);
}

TEST_F(KindsTest, DataForWhichTheReferenceFailsDoNotCount) {
  SessionOptions options =
      changed("reference.c", "accum += in[i];", "accum += in[i] > 1000 ? *(int *)0 : in[i];");
  options.kinds = {DataKind::Ordinary, DataKind::Full};
  const std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified) << records[0].reason;
  EXPECT_EQ(records[0].data, std::vector{DataKind::Ordinary});
}

TEST_F(KindsTest, AListOfRunsWithinABudget) {
  SessionOptions options = changed("sum.c", "accum += in[i]", "accum += (short)in[i]");
  const auto at = [](std::uint64_t size, DataKind kind, std::uint64_t seed) {
    SizeChoice sizes;
    sizes.named["in_size"] = {size};
    sizes.data = kind;
    sizes.seed = seed;
    return Case{sizes, {{"p", 3}}};
  };
  options.cases.cases = {at(10, DataKind::Ordinary, 0), at(10, DataKind::Full, 4)};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified);
  EXPECT_EQ(records[0].tunables, (TunableValues{{"p", 3}}));
  EXPECT_EQ(records[1].outcome, Outcome::Wrong);
  EXPECT_EQ(records[1].seed, 5U);
  options.cases.budget = -1;
  records = run(options);
  EXPECT_EQ(records[1].outcome, Outcome::Refused);
  EXPECT_EQ(records[1].reason, "left out: it would take too long");
}

TEST_F(KindsTest, AListIsWrittenAndRead) {
  CaseList list;
  list.budget = 2.5;
  list.referenceTimeLimit = 1;
  Case one;
  one.sizes.all = 7;
  one.sizes.named["a"] = {3, 4};
  one.sizes.data = DataKind::Few;
  one.sizes.seed = 9;
  one.setting["p"] = 2;
  list.cases = {one};
  const std::filesystem::path file = folder / "cases.json";
  std::ofstream(file) << casesText(list);
  const Result<CaseList> read = readCases(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(casesText(*read), casesText(list));
  std::ofstream(file) << R"({"cases": 3})";
  EXPECT_TRUE(readCases(file).error().message.starts_with(file.string() +
                                                          ": expected a list of cases, found "));
}

} // namespace
} // namespace tangram::runtime
