// Whole runs of the hand-written OpenMP bundles in testdata.
#include "runtime/session/session.h"

#include "runtime/data/npy.h"
#include "runtime/data/text_file.h"
#include "runtime/session/report.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace tangram::runtime {
namespace {

const std::filesystem::path testdata =
    std::filesystem::path(TANGRAM_SOURCE_DIR) / "runtime/testdata";

SizeChoice size(std::uint64_t n) { return {n, {}}; }

class SessionTest : public testing::Test {
protected:
  void SetUp() override {
    // Two threads, so that defaults are the same on every machine.
    setenv("OMP_NUM_THREADS", "2", 1);
    std::string pattern = testing::TempDir() + "session-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  static SessionOptions optionsFor(const std::vector<std::string> &bundles) {
    SessionOptions options;
    for (const std::string &bundle : bundles)
      options.bundles.push_back((testdata / bundle).string());
    return options;
  }

  std::vector<Record> run(const SessionOptions &options) {
    std::vector<Record> records;
    Status status = runSession(
        options, [&](const Record &r) { records.push_back(r); },
        [](std::size_t, std::size_t, const std::string &) {});
    error = status ? "" : status.error().message;
    return records;
  }

  /// A copy of a bundle, with `from` in `file` replaced.
  std::string changed(const std::string &bundle, const std::string &file, const std::string &from,
                      const std::string &to) {
    std::filesystem::path copy = folder / (bundle + std::to_string(copies++));
    std::filesystem::copy(testdata / bundle, copy, std::filesystem::copy_options::recursive);
    std::string text = *readTextFile(copy / file);
    std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(copy / file) << text;
    return copy.string();
  }

  std::filesystem::path folder;
  std::string error;
  int copies = 0;
};

TEST_F(SessionTest, EverySizeAndSetting) {
  SessionOptions options = optionsFor({"openmp_sum", "openmp_float_sum"});
  options.sizes = {size(0), size(1), size(2), size(3), size(1000), size(65537)};
  options.settings = {{{"p", 1}, {"P", 3}}, {{"p", 7}, {"P", 3}}};
  std::vector<Record> records = run(options);
  ASSERT_EQ(error, "");
  ASSERT_EQ(records.size(), 18U); // p and P concern one bundle each, and P has one value
  for (const Record &record : records)
    EXPECT_EQ(record.outcome, Outcome::Verified) << record.bundle << ": " << record.reason;
  EXPECT_EQ(records[1].tunables, (TunableValues{{"p", 7}}));
  EXPECT_EQ(records[1].extents.at("in_size"), 0U);
  EXPECT_EQ(records[1].device, "host (2 threads)");
  EXPECT_EQ(exitStatus(records), 0);
}

TEST_F(SessionTest, WrongAnswersAreFoundAndLeaveOthersAlone) {
  SessionOptions options = optionsFor({"openmp_wrong", "openmp_sum"});
  options.sizes = {size(10)};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].outcome, Outcome::Wrong);
  EXPECT_EQ(records[0].reason, "result: got 822, expected 821");
  EXPECT_EQ(records[1].outcome, Outcome::Verified);
  EXPECT_EQ(exitStatus(records), 3);
}

TEST_F(SessionTest, AnElementNobodyWritesIsWrong) {
  SessionOptions options;
  options.bundles = {changed("openmp_sum", "sum.c", "*result = accum;", "")};
  options.sizes = {size(0)};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Wrong);
  EXPECT_EQ(records[0].reason, "result: got -1515870811, expected 0");
}

TEST_F(SessionTest, ReadWriteContainersStartAfreshInEveryRun) {
  SessionOptions options = optionsFor({"openmp_scale"});
  options.sizes = {{std::nullopt, {{"x", {30, 40}}}}};
  options.task = Task::VerifyAndTime;
  options.timing = {1, 3};
  options.inputs = {{"factor", "3"}};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified) << records[0].reason;
  ASSERT_TRUE(records[0].timing);
  EXPECT_EQ(records[0].timing->repeat, 3U);
  EXPECT_EQ(records[0].bytes, 30U * 40 * 24);
  ASSERT_TRUE(records[0].memory);
  EXPECT_EQ(records[0].memory->arguments, 30U * 40 * 2 * 8);
  EXPECT_EQ(records[0].memory->temporaries, 0U);
}

TEST_F(SessionTest, ColdCachesLeaveResultsAlone) {
  SessionOptions options = optionsFor({"openmp_scale"});
  options.sizes = {{std::nullopt, {{"x", {30, 40}}}}};
  options.task = Task::VerifyAndTime;
  options.timing = {0, 2, Caches::Cold};
  options.inputs = {{"factor", "3"}};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified) << records[0].reason;
  ASSERT_TRUE(records[0].timing);
  EXPECT_EQ(records[0].timing->repeat, 2U);
  EXPECT_EQ(records[0].timing->caches, Caches::Cold);
}

TEST_F(SessionTest, NoBytesAreCountedWhereTheyDependOnData) {
  SessionOptions options = optionsFor({"openmp_spmv"});
  options.bundles.push_back(
      changed("openmp_sum", "manifest.json", R"({"read": "in_size * 4", "written": "4"})", "null"));
  options.sizes = {size(50)};
  options.task = Task::VerifyAndTime;
  options.timing = {0, 1};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 2U) << error;
  for (const Record &record : records) {
    EXPECT_EQ(record.outcome, Outcome::Verified) << record.reason;
    EXPECT_TRUE(record.bytesDependOnData);
    EXPECT_EQ(record.bytes, 0U);
  }
}

TEST_F(SessionTest, GeneratedInputsObeyTheContracts) {
  SessionOptions options = optionsFor({"openmp_spmv"});
  for (std::uint64_t rows : {0, 1, 2, 33, 1000}) {
    for (std::uint64_t entries : {0, 1, 500})
      options.sizes.push_back(
          {std::nullopt, {{"y", {rows}}, {"values", {entries}}, {"x", {entries + 1}}}});
  }
  options.sizes.erase(options.sizes.begin());
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 15U);
  for (std::size_t i = 0; i < records.size(); ++i) {
    // No rows hold no entries.
    const bool possible = i != 1 && i != 2;
    EXPECT_EQ(records[i].outcome, possible ? Outcome::Verified : Outcome::Refused)
        << records[i].reason;
  }
  EXPECT_EQ(records[1].reason, "offsets: 1 element ascending from 0 to values_size = 0 to 1: there "
                               "are no such numbers");
}

TEST_F(SessionTest, SeveralOutputsOfSeveralDimensions) {
  SessionOptions options = optionsFor({"openmp_outputs"});
  options.sizes = {
      size(0), size(1), {7, {{"a", {2, 3, 5}}}}, {std::nullopt, {{"turned", {9, 1, 4}}}}};
  options.task = Task::VerifyAndTime;
  options.timing = {1, 2};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 4U) << error;
  for (const Record &record : records)
    EXPECT_EQ(record.outcome, Outcome::Verified) << record.reason;
  EXPECT_EQ(records[2].extents.at("turned_size0"), 5U);
  EXPECT_EQ(records[3].extents.at("a_size2"), 9U);
  EXPECT_EQ(records[3].extents.at("counts_size"), 4U);
}

TEST_F(SessionTest, WrongElementsAreCountedAndPlaced) {
  SessionOptions options;
  options.sizes = {{std::nullopt, {{"a", {2, 3, 5}}}}};
  const char *file = "turn_and_add.c";
  for (auto [from, to] :
       {std::pair{"counts[i] += m * l", "counts[i] = m * l"},
        {"turned[(k * m + j) * n + i] =", "turned[(k * m + j) * n + i] = k > 2 ? 0 :"},
        {"k < l; ++k", "k < l - (i + j == 3); ++k"}})
    options.bundles.push_back(changed("openmp_outputs", file, from, to));
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 3U);
  for (const Record &record : records)
    EXPECT_EQ(record.outcome, Outcome::Wrong);
  // What an inout container held counts, and obeys its contract.
  const std::string differ = "from the plan's own wide result by more than rounding explains, "
                             "the first at ";
  EXPECT_EQ(records[0].reason,
            "counts: 2 of 2 elements differ " + differ + "0: got 15, in wider numbers 21");
  EXPECT_TRUE(records[1].reason.starts_with("turned: 12 of 30 elements differ " + differ +
                                            "(3, 0, 0): got 0, in wider numbers "))
      << records[1].reason;
  EXPECT_TRUE(records[2].reason.starts_with("turned: 1 of 30 elements differs " + differ +
                                            "(4, 2, 1): got -23131, in wider numbers "))
      << records[2].reason;
  EXPECT_NE(records[2].reason.find("; sums: 1 of 6 elements differs " + differ + "(1, 2): got "),
            std::string::npos)
      << records[2].reason;
}

TEST_F(SessionTest, EveryOutputCanBeSaved) {
  SessionOptions options = optionsFor({"openmp_outputs"});
  options.sizes = {{std::nullopt, {{"a", {2, 3, 5}}}}};
  for (const char *name : {"turned", "sums", "counts"})
    options.outputs[name] = (folder / (std::string(name) + ".npy")).string();
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified) << records[0].reason;
  EXPECT_EQ(readNpy(folder / "turned.npy")->shape, (std::vector<std::uint64_t>{5, 3, 2}));
  EXPECT_EQ(readNpy(folder / "sums.npy")->element, ir::Scalar::F64);
  EXPECT_EQ(readNpy(folder / "counts.npy")->shape, std::vector<std::uint64_t>{2});
}

TEST_F(SessionTest, AMatrixOfTheWorld) {
  const std::filesystem::path data =
      std::filesystem::path(TANGRAM_SOURCE_DIR).parent_path() / "shared/data";
  if (!std::filesystem::exists(data))
    GTEST_SKIP() << data << " is not there";
  for (const char *file : {"bcsstk13.mtx", "cryg2500.mtx", "jagmesh7.mtx"}) {
    SessionOptions options = optionsFor({"openmp_spmv"});
    options.inputs = {{"csr:values,columns,offsets", (data / file).string()}};
    std::vector<Record> records = run(options);
    ASSERT_EQ(records.size(), 1U) << error;
    EXPECT_EQ(records[0].outcome, Outcome::Verified) << records[0].reason;
    EXPECT_EQ(records[0].extents.at("x_size"), records[0].extents.at("y_size"));
  }
}

TEST_F(SessionTest, WritesPastTheEndAreFound) {
  SessionOptions options;
  options.bundles = {changed("openmp_scale", "scale.c", "i < count", "i < count + 1")};
  options.sizes = {size(8)};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Failed);
  EXPECT_EQ(records[0].reason, "y: written past its end");
}

TEST_F(SessionTest, CrashesLeaveOthersAlone) {
  // A null pointer, an endless loop; in a bundle, and in its reference.
  SessionOptions options;
  options.sizes = {size(8)};
  options.timeLimit = 2;
  const char *crash = "*(volatile int *)0 = 0; ", *loop = "for (volatile int i = 0;; ++i) {} ";
  for (const char *what : {crash, loop})
    options.bundles.push_back(
        changed("openmp_sum", "entry.c", "return sum(", std::string(what) + "return sum("));
  options.bundles.push_back(
      changed("openmp_sum", "reference.c", "return 0;", std::string(crash) + "return 0;"));
  options.bundles.push_back((testdata / "openmp_sum").string());
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0].outcome, Outcome::Failed);
  EXPECT_EQ(records[0].reason, "ended by signal 11 (Segmentation fault); a codelet may index "
                               "outside a container");
  EXPECT_EQ(records[1].reason, "ended after 2 s without a result; it may loop for ever, "
                               "--time-limit gives it longer");
  EXPECT_EQ(records[2].reason, "tangram_reference: ended by signal 11 (Segmentation fault); a "
                               "codelet may index outside a container");
  EXPECT_EQ(records[3].outcome, Outcome::Verified) << records[3].reason;
  EXPECT_EQ(exitStatus(records), 3);
}

// The work of this reference grows with the square of the length.
TEST_F(SessionTest, UsualSizesAreSmallerWhereTheReferenceWouldTakeTooLong) {
  SessionOptions options;
  options.referenceTimeLimit = 8;
  options.bundles = {changed("openmp_sum", "reference.c", "  for (size_t i = 0;",
                             "  for (volatile size_t k = 0; k < in_size * in_size; k += 8) {}\n"
                             "  for (size_t i = 0;")};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified) << records[0].reason;
  EXPECT_GE(records[0].extents.at("in_size"), 3907U);
  EXPECT_LE(records[0].extents.at("in_size"), 250007U);

  options.bundles = {(testdata / "openmp_sum").string()};
  EXPECT_EQ(run(options).front().extents.at("in_size"), defaultSize);
}

TEST_F(SessionTest, TemporaryBundlesAreCalledByTheirPlans) {
  SessionOptions options;
  options.bundles = {changed("openmp_sum", "sum.c", "int accum = 0;", "int accum = ;")};
  options.sizes = {size(8)};
  options.temporary = true;
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].bundle, "00000001");
  EXPECT_TRUE(records[0].reason.starts_with("00000001/sum.c: cc failed (exit status 1):\n"))
      << records[0].reason;
  EXPECT_EQ(records[0].reason.find(folder.string()), std::string::npos) << records[0].reason;
  options.settings = {{{"p", 0}}};
  run(options);
  EXPECT_EQ(error, "00000001: --set p=0: expected a value in [1, 65535]");
}

TEST_F(SessionTest, StatusesOfTheEntryPoint) {
  SessionOptions options;
  options.sizes = {size(8)};
  for (const char *status : {"1", "2", "77"})
    options.bundles.push_back(changed("openmp_sum", "entry.c", "return sum(",
                                      std::string("return ") + status + "; (void)("));
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].outcome, Outcome::Refused);
  EXPECT_EQ(records[0].reason, "tangram_call refuses these sizes and tunables (status 1)");
  EXPECT_EQ(records[1].outcome, Outcome::Refused);
  EXPECT_EQ(records[1].reason, "tangram_call ran out of memory (status 2)");
  EXPECT_EQ(records[2].outcome, Outcome::Failed);
  EXPECT_EQ(records[2].reason, "tangram_call returned status 77, expected 0, 1 or 2");
  EXPECT_EQ(exitStatus(records), 3);
}

TEST_F(SessionTest, BrokenBundlesLeaveOthersAlone) {
  SessionOptions options = optionsFor({"openmp_sum"});
  options.bundles.push_back(changed("openmp_sum", "sum.c", "int accum = 0;", "int accum = ;"));
  options.bundles.push_back(changed("openmp_sum", "reference.c", "tangram_reference", "other"));
  options.bundles.push_back((folder / "none").string());
  options.sizes = {size(8)};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[0].outcome, Outcome::Verified);
  EXPECT_EQ(records[1].outcome, Outcome::Failed);
  EXPECT_NE(records[1].reason.find("cc failed (exit status 1):\n"), std::string::npos);
  EXPECT_EQ(records[2].reason, options.bundles[2] +
                                   "/reference.c: expected a function tangram_reference, found "
                                   "none");
  EXPECT_EQ(records[3].fault, Fault::Input);
  EXPECT_EQ(exitStatus({records[0], records[3]}), 1);
  EXPECT_EQ(exitStatus(records), 3);
}

TEST_F(SessionTest, OrdersOfASumAreComparedInWiderNumbers) {
  SessionOptions options = optionsFor({"openmp_float_sum"});
  options.sizes = {size(1000), size(1 << 20)};
  options.settings = {{{"P", 1}}, {{"P", 7}}};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 4U);
  for (const Record &record : records)
    EXPECT_EQ(record.outcome, Outcome::Verified) << record.reason;
  // One part is the order of the reference; its bytes are the same, and nothing else is asked.
  EXPECT_EQ(text(*records[0].verification), "bit for bit");
  const Verification &parts = *records[1].verification;
  EXPECT_FALSE(parts.bitForBit);
  EXPECT_LT(*parts.sameFunctionWithin, 1e-12);
  EXPECT_GT(*parts.roundingAtMost, 0);
  EXPECT_LT(*parts.roundingAtMost, 1e-4);
  options.sizes = {size(1000)};
  options.settings = {{{"P", 1}}};
  options.verifyWidened = true;
  records = run(options);
  EXPECT_TRUE(records.at(0).verification->bitForBit);
  EXPECT_EQ(records[0].verification->sameFunctionWithin, 0.0);
  EXPECT_NE(recordLine(records[0]).find(": bit for bit, same function within 0, rounding at most "),
            std::string::npos)
      << recordLine(records[0]);
}

TEST_F(SessionTest, AnotherFunctionIsWrongInWiderNumbers) {
  SessionOptions options;
  options.bundles = {
      changed("openmp_float_sum", "sum.c", "*result = accum", "*result = accum * 1.001f"),
      changed("openmp_float_sum", "wide/sum.c", "*result = accum", "*result = accum * 1.001")};
  options.sizes = {size(1000)};
  options.settings = {{{"P", 3}}};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 2U);
  for (const Record &record : records)
    EXPECT_EQ(record.outcome, Outcome::Wrong) << record.reason;
  EXPECT_EQ(records[0].reason.rfind("result differs from the plan's own wide result by more than "
                                    "rounding explains: got ",
                                    0),
            0U)
      << records[0].reason;
  EXPECT_EQ(records[1].reason.rfind("result differs in wider numbers: got ", 0), 0U)
      << records[1].reason;
  EXPECT_EQ(exitStatus(records), 3);
}

TEST_F(SessionTest, WhatCannotBeJudgedIsNotComparable) {
  SessionOptions options;
  const std::string wide = ",\n    \"wide\": \"wide/manifest.json\"";
  std::string bundle = changed("openmp_float_sum", "manifest.json", wide, "");
  options.bundles = {bundle,
                     changed("openmp_float_sum", "wide/sum.c", "*result = accum;", "return 1;")};
  options.sizes = {size(1000)};
  options.settings = {{{"P", 3}}};
  options.task = Task::VerifyAndTime;
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 2U);
  for (const Record &record : records) {
    EXPECT_EQ(record.outcome, Outcome::NotComparable);
    EXPECT_FALSE(record.timing);
  }
  EXPECT_EQ(records[0].reason, "it cannot be compared in wider numbers: the bundle has no plan in "
                               "them; `tangram synth` makes it anew with one");
  EXPECT_EQ(records[1].reason, "it cannot be compared in wider numbers: tangram_call refuses these "
                               "sizes and tunables (status 1)");
  EXPECT_EQ(exitStatus(records), 3);
  EXPECT_EQ(summaryLine(records), "2 not comparable");
  EXPECT_EQ(recordsJson("run", records)["summary"]["not_comparable"], 2);
}

TEST_F(SessionTest, NaNIsNoAgreement) {
  const std::string nan = "accum / (accum - accum)";
  const std::string bundle =
      changed("openmp_float_sum", "sum.c", "*result = accum", "*result = " + nan);
  std::string text = *readTextFile(bundle + "/reference.c");
  const std::string from = "[2] = accum";
  text.replace(text.find(from), from.size(), "[2] = " + nan);
  std::ofstream(bundle + "/reference.c") << text;
  SessionOptions options;
  options.bundles = {bundle};
  options.sizes = {size(10)};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].outcome, Outcome::NotComparable);
  EXPECT_NE(records[0].reason.find("1 of 1 result is "), std::string::npos) << records[0].reason;
  EXPECT_NE(records[0].reason.find("--input"), std::string::npos) << records[0].reason;
  EXPECT_EQ(exitStatus(records), 3);
}

TEST_F(SessionTest, FilesInAndOut) {
  HostArray values{ir::Scalar::I32, {4}, HostMemory(16)};
  for (int i = 0; i < 4; ++i)
    reinterpret_cast<int *>(values.memory.data())[i] = 1 << i;
  ASSERT_TRUE(writeNpy(folder / "values.npy", values));
  SessionOptions options = optionsFor({"openmp_sum"});
  options.inputs = {{"in", (folder / "values.npy").string()}};
  options.outputs = {{"result", (folder / "result.npy").string()}};
  ASSERT_EQ(run(options).size(), 1U);
  ASSERT_EQ(error, "");
  Result<HostArray> result = readNpy(folder / "result.npy");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->shape, std::vector<std::uint64_t>{});
  EXPECT_EQ(*reinterpret_cast<const int *>(result->memory.data()), 15);

  options.outputs = {{"out", "out.npy"}};
  std::vector<Record> records = run(options);
  EXPECT_EQ(records.at(0).reason, "--output out: expected an output (result)");
  EXPECT_EQ(exitStatus(records), 2);
  options.sizes = {size(1), size(2)};
  run(options);
  EXPECT_EQ(error, "--output: expected one bundle, size and setting of tunables, found 2 "
                   "combinations");
}

TEST_F(SessionTest, SettingsThatCannotBe) {
  SessionOptions options = optionsFor({"openmp_sum", "openmp_float_sum"});
  options.settings = {{{"p", 0}}};
  run(options);
  EXPECT_EQ(error, options.bundles[0] + ": --set p=0: expected a value in [1, 65535]");
  options.settings = {{{"q", 1}}};
  run(options);
  EXPECT_EQ(error, "--set q: expected a tunable (P); did you mean P?");
}

TEST_F(SessionTest, OneReferenceServesManyPlans) {
  // The reference is compiled once: a second bundle with the same text needs no compiler for it.
  SessionOptions options = optionsFor({"openmp_sum"});
  options.bundles.push_back(changed("openmp_sum", "manifest.json", "00000001", "0000000a"));
  options.sizes = {size(5), size(6)};
  std::vector<Record> records = run(options);
  ASSERT_EQ(records.size(), 4U);
  EXPECT_EQ(records[3].planId, "0000000a");
  EXPECT_EQ(summaryLine(records), "4 verified");
}

TEST(Report, LinesTablesAndJson) {
  Record fast{"out/a",       "sum",      "openmp",
              "cpu",         "1a",       "host",
              {{"n", 10}},   {{"p", 2}}, Outcome::Verified,
              Fault::Failed, "",         Timing{1, 2e-3, 1e-3, 4e-3, 5},
              4000000};
  Record slow = fast;
  slow.planId = "2b";
  slow.timing = Timing{2, 3, 3, 3, 5};
  Record refused{"out/c",
                 "sum",
                 "opencl",
                 "gpu",
                 "3c",
                 "",
                 {{"n", 10}},
                 {},
                 Outcome::Refused,
                 Fault::Refused,
                 "too large\nreally",
                 std::nullopt,
                 0};
  EXPECT_EQ(recordLine(fast), "verified  out/a  n=10  p=2  median 2.000 ms, min 1.000 ms, max "
                              "4.000 ms, spread 150.0 %, 2.00 GB/s");
  Record holding = fast;
  holding.memory = MemoryNeeds{3 << 20, 1 << 20};
  EXPECT_EQ(recordLine(holding),
            recordLine(fast) + ", 4.0 MiB of memory, 1.0 MiB of it temporaries");
  EXPECT_EQ(recordsJson("run", {holding})["runs"][0]["memory"].dump(),
            R"({"high_water":4194304,"arguments":3145728,"temporaries":1048576})");
  holding.memory = MemoryNeeds{1000, 0};
  EXPECT_EQ(recordLine(holding), recordLine(fast) + ", 1000 bytes of memory");
  Record gathering = fast;
  gathering.bytesDependOnData = true;
  gathering.timing->caches = Caches::Cold;
  EXPECT_EQ(recordLine(gathering), "verified  out/a  n=10  p=2  cold caches  median 2.000 ms, min "
                                   "1.000 ms, max 4.000 ms, spread 150.0 %");
  EXPECT_EQ(timeTable({gathering}),
            "plan  target  median    min       spread   GB/s  sizes  tunables  bundle\n"
            "1a    openmp  2.000 ms  1.000 ms  150.0 %  -     n=10   p=2       out/a\n");
  Record empty = fast;
  empty.extents = {{"m", 4}, {"n", 0}};
  empty.timing = Timing{1, 2e-6, 1e-6, 2.5e-3, 5};
  EXPECT_EQ(recordLine(empty), "verified  out/a  m=4 n=0  p=2  median 2.000 us, min 1.000 us, max "
                               "2.500 ms = 1250 x median");
  EXPECT_EQ(
      timeTable({empty}),
      "plan  target  median    min       spread             GB/s  sizes    tunables  bundle\n"
      "1a    openmp  2.000 us  1.000 us  max 1250 x median  -     m=4 n=0  p=2       out/a\n");
  Record bimodal = fast;
  bimodal.timing = Timing{1, 8e-3, 12e-6, 9e-3, 20};
  EXPECT_EQ(recordLine(bimodal), "verified  out/a  n=10  p=2  median 8.000 ms, min 12.000 us, max "
                                 "9.000 ms, spread 112.3 %, 0.50 GB/s, disturbed: half of the runs "
                                 "took more than 666 times as long as the fastest");
  EXPECT_EQ(
      timeTable({bimodal}),
      "plan  target  median    min        spread              GB/s  sizes  tunables  bundle\n"
      "1a    openmp  8.000 ms  12.000 us  112.3 %, disturbed  0.50  n=10   p=2       out/a\n");
  EXPECT_EQ(recordsJson("run", {bimodal})["runs"][0]["disturbed"], true);
  EXPECT_FALSE(recordsJson("run", {fast})["runs"][0].contains("disturbed"));
  EXPECT_EQ(recordLine(refused), "refused   out/c  n=10: too large");
  EXPECT_EQ(summaryLine({slow, refused, fast}), "2 verified, 1 refused");
  EXPECT_EQ(timeTable({slow, refused, fast}),
            "plan  target  median    min       spread   GB/s  sizes  tunables  bundle\n"
            "1a    openmp  2.000 ms  1.000 ms  150.0 %  2.00  n=10   p=2       out/a\n"
            "2b    openmp  3.000 s   3.000 s   0.0 %    0.00  n=10   p=2       out/a\n");
  EXPECT_EQ(timeTable({refused}), "");
  EXPECT_EQ(detailsOf(refused), "really");
  EXPECT_EQ(detailsOf(fast), "");
  slow.bundle = "2b";
  EXPECT_EQ(timeTable({slow}), "plan  target  median   min      spread  GB/s  sizes  tunables\n"
                               "2b    openmp  3.000 s  3.000 s  0.0 %   0.00  n=10   p=2\n");
  nlohmann::ordered_json json = recordsJson("run", {fast, refused});
  EXPECT_EQ(json["runs"][0]["seconds"]["median"], 2e-3);
  EXPECT_EQ(json["runs"][0]["gb_per_s"], 2.0);
  EXPECT_EQ(json["runs"][0]["caches"], "warm");
  EXPECT_DOUBLE_EQ(recordsJson("time", {empty})["runs"][0]["gb_per_s"].get<double>(), 2000);
  nlohmann::ordered_json other = recordsJson("time", {gathering})["runs"][0];
  EXPECT_EQ(other["caches"], "cold");
  EXPECT_FALSE(other.contains("gb_per_s") || other.contains("bytes"));
  EXPECT_FALSE(json["runs"][0].contains("reason"));
  EXPECT_EQ(json["runs"][1]["reason"], "too large\nreally");
  EXPECT_FALSE(json["runs"][1].contains("seconds"));
  EXPECT_EQ(
      json["summary"].dump(),
      R"({"verified":1,"timed":1,"wrong":0,"inaccurate":0,"not_comparable":0,"refused":1,"failed":0})");
  EXPECT_EQ(secondsText(12e-6), "12.000 us");
}

TEST(Timing, Summary) {
  Timing odd = summarize({3, 1, 2});
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.max, 3);
  EXPECT_EQ(odd.spreadPercent(), 100);
  EXPECT_EQ(summarize({4, 1, 2, 3}).median, 2.5);
  Timing eight = summarize({8, 7, 6, 5, 4, 3, 2, 1});
  EXPECT_EQ(eight.lowerQuartile, 3);
  EXPECT_EQ(eight.upperQuartile, 6);
}

} // namespace
} // namespace tangram::runtime
