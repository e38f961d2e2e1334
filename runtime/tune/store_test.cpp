#include "runtime/tune/store.h"
#include "runtime/tune/store_json.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace tangram::runtime {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "store-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  Store made(const std::string &name) {
    Result<Store> store = Store::open(folder / name);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }

  /// What opening says, without the folder.
  std::string refused(const std::string &name, bool toRead = false) {
    Result<Store> store = toRead ? Store::openToRead(folder / name) : Store::open(folder / name);
    if (store)
      return "opened";
    EXPECT_EQ(store.error().fault, Fault::Input);
    return store.error().message.substr(folder.string().size() + 1);
  }

  fs::path folder;
};

TuningCase someCase() {
  return {"sum",    "1a2b3c4d",         "openmp",
          "cpu",    "0123456789abcdef", "fedcba9876543210",
          "host",   "gcc 12",           {{"in_size", 1000}},
          "seed=1", Caches::Warm};
}

Measurement timed(std::uint64_t p, double median, std::size_t repeat = 5, std::int64_t when = 7) {
  return {someCase(), {{"p", p}},
          p == 1,     Verdict::Measured,
          "",         {median, median * 0.9, median * 1.1, median * 0.8, repeat},
          when};
}

Measurement bad(std::uint64_t p, Verdict verdict, std::int64_t when = 7) {
  return {someCase(), {{"p", p}}, false, verdict, "why", {}, when};
}

TEST_F(StoreTest, KeepsWhatItIsGiven) {
  {
    Store store = made("a.db");
    ASSERT_TRUE(store.put(timed(2, 0.5)));
    ASSERT_TRUE(store.put(timed(1, 0.25)));
    ASSERT_TRUE(store.put(bad(3, Verdict::TimedOut)));
    ASSERT_TRUE(store.put(Choice{someCase(), {{"p", 1}}, 0.25, 0.5, 3, true, 9}));
  }
  Result<Store> store = Store::openToRead(folder / "a.db");
  ASSERT_TRUE(store) << store.error().message;
  auto all = store->measurementsOf(someCase());
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->size(), 3U);
  EXPECT_EQ((*all)[0].tunables, (TunableValues{{"p", 1}})); // fastest first
  EXPECT_TRUE((*all)[0].standard);
  EXPECT_EQ((*all)[0].of, someCase());
  EXPECT_EQ((*all)[1].times.median, 0.5);
  EXPECT_EQ((*all)[1].times.upperQuartile, 0.5 * 1.1);
  EXPECT_EQ((*all)[1].times.repeat, 5U);
  EXPECT_EQ((*all)[2].verdict, Verdict::TimedOut);
  EXPECT_EQ((*all)[2].reason, "why");
  EXPECT_EQ((*all)[2].when, 7);
  auto choices = store->choices({.plan = "1a2b3c4d", .target = "openmp"});
  ASSERT_TRUE(choices && choices->size() == 1U);
  EXPECT_EQ(choices->front().standardSeconds, 0.5);
  EXPECT_TRUE(choices->front().exhaustive);
  EXPECT_TRUE(store->choices({.device = "another"})->empty());
  EXPECT_EQ(store->measurements({.spectrum = "sum"})->size(), 3U);
}

TEST_F(StoreTest, EveryPartOfTheKeyCounts) {
  Store store = made("a.db");
  ASSERT_TRUE(store.put(timed(1, 1)));
  ASSERT_TRUE(store.put(timed(1, 2))); // the same again
  std::vector<TuningCase> others(9, someCase());
  others[0].plan = others[1].target = others[2].source = others[3].code = others[4].device =
      others[5].driver = others[6].inputs = "x";
  others[7].extents["in_size"] = 1001;
  others[8].caches = Caches::Cold;
  for (const TuningCase &other : others) {
    Measurement m = timed(1, 3);
    m.of = other;
    ASSERT_TRUE(store.put(m));
    auto found = store.measurementsOf(other);
    ASSERT_TRUE(found && found->size() == 1U);
    EXPECT_EQ(found->front().of, other);
  }
  EXPECT_EQ(store.measurements()->size(), 10U);
  EXPECT_EQ(store.measurementsOf(someCase())->front().times.median, 2);
}

TEST_F(StoreTest, FilesThatAreNoStore) {
  std::ofstream(folder / "text") << "not a database, though long enough to have a header of one: "
                                 << std::string(200, 'x');
  EXPECT_EQ(refused("text"), "text: is no SQLite database: file is not a database");
  EXPECT_EQ(refused("text", true), "text: is no SQLite database: file is not a database");
  auto other = Database::open(folder / "other.db", Database::Mode::Create);
  ASSERT_TRUE(other && other->execute("CREATE TABLE t (x)"));
  EXPECT_EQ(refused("other.db"), "other.db: is a SQLite database, but no store of measurements");
  EXPECT_EQ(refused("none.db", true), "none.db: cannot be opened: No such file or directory");
  EXPECT_FALSE(fs::exists(folder / "none.db"));
  EXPECT_EQ(refused("none/a.db"), "none/a.db: cannot be opened: No such file or directory");
}

TEST_F(StoreTest, NewerVersions) {
  made("a.db");
  auto database = Database::open(folder / "a.db", Database::Mode::Write);
  ASSERT_TRUE(database && database->execute("PRAGMA user_version = 2"));
  EXPECT_EQ(refused("a.db"), "a.db: expected format version 1, found 2: this store was made by a "
                             "newer tangram-run");
}

TEST_F(StoreTest, TruncatedFiles) {
  {
    Store store = made("a.db");
    for (std::uint64_t p = 1; p < 200; ++p)
      ASSERT_TRUE(store.put(timed(p, 1)));
  }
  const auto whole = fs::file_size(folder / "a.db");
  for (std::uintmax_t part : {whole - 4096, whole / 2, std::uintmax_t{5000}, std::uintmax_t{600}}) {
    fs::copy_file(folder / "a.db", folder / "cut.db", fs::copy_options::overwrite_existing);
    fs::resize_file(folder / "cut.db", part);
    for (bool toRead : {false, true}) {
      const std::string said = refused("cut.db", toRead);
      EXPECT_TRUE(said.starts_with("cut.db: is damaged: ") ||
                  said.starts_with("cut.db: is no SQLite database: "))
          << part << ": " << said;
    }
  }
  // A file of which nothing has been written yet is a new one.
  fs::resize_file(folder / "cut.db", 0);
  EXPECT_EQ(refused("cut.db", true), "cut.db: is empty: nothing has been measured yet");
  EXPECT_EQ(refused("cut.db"), "opened");
}

TEST_F(StoreTest, DamagedRows) {
  Store store = made("a.db");
  ASSERT_TRUE(store.put(timed(1, 1)));
  auto database = Database::open(folder / "a.db", Database::Mode::Write);
  ASSERT_TRUE(database && database->execute("UPDATE measurements SET verdict = 'fine'"));
  auto read = store.measurements();
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().message.ends_with("a.db: is damaged: expected a verdict, found fine"));
  ASSERT_TRUE(database->execute("UPDATE measurements SET tunables = '{\"p\": -1}'"));
  EXPECT_TRUE(store.measurements().error().message.ends_with(
      "a.db: is damaged: expected names with numbers, found {\"p\": -1}"));
}

TEST_F(StoreTest, Merging) {
  Store mine = made("a.db"), theirs = made("b.db");
  ASSERT_TRUE(mine.put(timed(1, 1.0, 5, 10)) && theirs.put(timed(1, 2.0, 9, 5)));  // more runs
  ASSERT_TRUE(mine.put(timed(2, 1.0, 5, 10)) && theirs.put(timed(2, 2.0, 5, 11))); // newer
  ASSERT_TRUE(mine.put(timed(3, 1.0, 5, 10)) && theirs.put(timed(3, 2.0, 5, 9)));  // older
  ASSERT_TRUE(mine.put(timed(4, 1.0, 50, 10)) && theirs.put(bad(4, Verdict::Wrong, 1)));
  ASSERT_TRUE(mine.put(bad(5, Verdict::Crashed, 1)) && theirs.put(timed(5, 1.0, 50)));
  ASSERT_TRUE(theirs.put(timed(6, 1.0)));
  ASSERT_TRUE(mine.put(Choice{someCase(), {{"p", 1}}, 1, 1, 3, false, 10}));
  ASSERT_TRUE(theirs.put(Choice{someCase(), {{"p", 2}}, 1, 1, 3, false, 11}));
  auto merged = mine.merge(theirs);
  ASSERT_TRUE(merged) << merged.error().message;
  EXPECT_EQ(merged->added, 1U);
  EXPECT_EQ(merged->replaced, 4U);
  EXPECT_EQ(merged->kept, 2U);
  std::map<std::uint64_t, Measurement> now;
  const auto found = mine.measurements();
  for (const Measurement &m : *found)
    now[m.tunables.at("p")] = m;
  EXPECT_EQ(now.at(1).times.repeat, 9U);
  EXPECT_EQ(now.at(2).times.median, 2.0);
  EXPECT_EQ(now.at(3).times.median, 1.0);
  EXPECT_EQ(now.at(4).verdict, Verdict::Wrong);
  EXPECT_EQ(now.at(5).verdict, Verdict::Crashed);
  EXPECT_EQ(now.at(6).times.median, 1.0);
  EXPECT_EQ(mine.choices()->front().tunables, (TunableValues{{"p", 2}}));
  // Once more changes nothing.
  EXPECT_EQ(mine.merge(theirs)->kept, 7U);
}

TEST_F(StoreTest, Json) {
  Store store = made("a.db");
  ASSERT_TRUE(store.put(timed(1, 0.5)) && store.put(bad(2, Verdict::TimedOut)));
  ASSERT_TRUE(store.put(Choice{someCase(), {{"p", 1}}, 0.5, 0, 3, false, 10}));
  auto json = storeJson(store);
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["format"], "tangram-tuning");
  const auto &first = (*json)["measurements"][0], &second = (*json)["measurements"][1];
  EXPECT_EQ(first["status"], "measured");
  EXPECT_EQ(first["tunables"]["p"], 1);
  EXPECT_EQ(first["extents"]["in_size"], 1000);
  EXPECT_EQ(first["seconds"]["median"], 0.5);
  EXPECT_EQ(first["default"], true);
  EXPECT_FALSE(first.contains("reason"));
  EXPECT_EQ(second["status"], "timed out");
  EXPECT_EQ(second["reason"], "why");
  EXPECT_TRUE((*json)["choices"][0]["default_seconds"].is_null());
}

/// Writes until it is killed, and says after each measurement that it is kept.
[[noreturn]] void writeForEver(const fs::path &file, int said) {
  Result<Store> store = Store::open(file);
  for (std::uint64_t p = 1; store; ++p) {
    if (!store->put(timed(p, 1)) || write(said, &p, sizeof p) != sizeof p)
      break;
  }
  _exit(1);
}

TEST_F(StoreTest, WhoIsKilledLosesNothingThatWasKept) {
  for (int round = 0; round < 10; ++round) {
    const fs::path file = folder / ("killed" + std::to_string(round));
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t writer = fork();
    if (writer == 0)
      writeForEver(file, ends[1]);
    close(ends[1]);
    usleep(static_cast<useconds_t>(3000 + round * 4321));
    kill(writer, SIGKILL);
    int status = 0;
    waitpid(writer, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    std::uint64_t kept = 0;
    for (std::uint64_t p = 0; read(ends[0], &p, sizeof p) == sizeof p;)
      kept = p;
    close(ends[0]);
    Result<Store> store = Store::open(file);
    ASSERT_TRUE(store) << store.error().message;
    auto found = store->measurements();
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_GE(found->size(), kept);
    EXPECT_LE(found->size(), kept + 1);
  }
}

} // namespace
} // namespace tangram::runtime
