// Times ours and others' in one process on the same arrays: repetitions of all variants are
// interleaved in random order, so that whatever the machine does meanwhile happens to all of them.
// Right before each call that is timed stands one of the same variant that is not, so that the threads
// of either side are awake.
//
//   peers ROW SIZE[,SIZE...] REPEATS SEED peers|alone[,SECONDS] [NAME=LIBRARY.so[,LAUNCH_TUNABLE]...]...
//
// A library holds `int tangram_call(void *const *)` of a bundle of the row's spectrum. Results are
// judged before anything is timed. `alone` leaves the peers out: a quick look, or after so many seconds no
// repetition but the first three is begun. Prints JSON.
#include "row.h"

#include <dlfcn.h>
#include <malloc.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>
#include <thread>

namespace {

[[noreturn]] void fail(int status, const std::string &message) {
  std::fprintf(stderr, "peers: %s\n", message.c_str());
  std::exit(status);
}

Words split(const std::string &text) {
  Words words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');)
    words.push_back(word);
  return words;
}

struct Variant {
  std::string name;
  bool ours;
  std::function<void()> run;
  std::vector<double> seconds;
  double fastest = std::numeric_limits<double>::infinity(); ///< of all calls, in seconds
};

void judge(const Row &row, const Variant &variant) {
  row.forget();
  if (row.restore)
    row.restore();
  variant.run();
  if (const std::string wrong = row.wrong(); !wrong.empty())
    fail(3, variant.name + ": " + wrong);
}

/// Calls before the one that is timed come for so long; for up to the latter while they take longer than they can.
constexpr std::chrono::milliseconds settling(25);
constexpr std::chrono::milliseconds patience(200);
constexpr double disturbed = 1.5; ///< times the fastest call so far

double timed(const Row &row, Variant &variant, std::chrono::milliseconds pause) {
  if (row.restore)
    row.restore();
  std::this_thread::sleep_for(pause);
  // Wakes its threads, which the pause put to sleep. Two that wake up on one processor share it until the system moves
  // one of them, which takes a few of its turns.
  using Clock = std::chrono::steady_clock;
  const auto call = [&] {
    const auto start = Clock::now();
    variant.run();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    variant.fastest = std::min(variant.fastest, seconds);
    return seconds;
  };
  const auto begin = Clock::now();
  for (bool isDisturbed = true; Clock::now() < begin + (isDisturbed ? patience : settling);) {
    isDisturbed = call() > disturbed * variant.fastest;
    if (row.restore)
      row.restore();
  }
  return call();
}

/// After `enough` no repetition is begun but the `least` first ones.
struct Patience {
  unsigned least;
  double enough; ///< seconds
};

void measure(const Row &row, std::vector<Variant> &variants, unsigned repeats, unsigned seed,
             Patience limit) {
  // Threads of the variant before spin for a while in case there is more to do (those of OpenBLAS for
  // 2^26 ticks of the processor's clock); they must not take cores away from the next one. Ours share
  // theirs.
  const bool alone = std::all_of(variants.begin(), variants.end(),
                                 [](const Variant &variant) { return variant.ours; });
  const std::chrono::milliseconds pause(alone ? 2 : 40);
  for (const Variant &variant : variants)
    judge(row, variant);
  std::vector<std::size_t> order(variants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(seed);
  const std::chrono::duration<double> enough(limit.enough);
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned repeat = 0; repeat < repeats; ++repeat) {
    if (repeat >= limit.least && std::chrono::steady_clock::now() - begin > enough)
      break;
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order)
      variants[i].seconds.push_back(timed(row, variants[i], pause));
  }
}

void print(const Row &row, const std::vector<Variant> &variants) {
  std::printf("{\"threads\": %d, \"bytes\": %.0f, \"operations\": %.0f, \"variants\": [",
              omp_get_max_threads(), row.bytes, row.operations);
  const char *separator = "";
  for (const Variant &variant : variants) {
    std::printf("%s\n  {\"name\": \"%s\", \"ours\": %s, \"seconds\": [", separator,
                variant.name.c_str(), variant.ours ? "true" : "false");
    separator = "";
    for (const double seconds : variant.seconds) {
      std::printf("%s%.9f", separator, seconds);
      separator = ", ";
    }
    std::printf("]}");
    separator = ",";
  }
  std::printf("\n]}\n");
}

} // namespace

Library::Library(const std::string &text) {
  const Words words = split(text);
  file_ = words.empty() ? "" : words[0];
  for (std::size_t i = 1; i < words.size(); ++i)
    tunables_.push_back(sizeAt(words, i));
  void *library = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fail(1, dlerror());
  entry_ = reinterpret_cast<int (*)(void *const *)>(dlsym(library, "tangram_call"));
  if (!entry_)
    fail(1, file_ + " has no tangram_call");
}

void Library::call(Arguments arguments) const {
  for (const std::size_t tunable : tunables_)
    arguments.number(tunable);
  if (const int status = entry_(arguments.data()); status != 0)
    fail(1, file_ + (status == 1 ? " refuses this size" : " returned " + std::to_string(status)));
}

int main(int argc, char **argv) {
  // Memory that is freed stays: temporaries of a call cost as much as a caller's workspace, and as those of the peers,
  // which are made once.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  if (argc < 6)
    fail(2, "expected ROW SIZE[,SIZE...] REPEATS SEED peers|alone[,SECONDS] "
            "[NAME=LIBRARY.so[,TUNABLE]...]...");
  const auto maker = makers.find(argv[1]);
  if (maker == makers.end())
    fail(2, std::string("no row '") + argv[1] + "'");
  const Row row = maker->second(split(argv[2]));
  std::vector<Variant> variants;
  const Words beside = split(argv[5]);
  // Calls that take long need no more rounds than tell them apart.
  const Patience limit = beside.size() > 1      ? Patience{3, std::atof(beside[1].c_str())}
                         : beside[0] == "peers" ? Patience{5, 10}
                                                : Patience{1, 3};
  if (beside[0] == "peers") {
    for (const Peer &peer : row.peers)
      variants.push_back({peer.name, false, peer.run, {}});
  }
  for (int i = 6; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    auto library = std::make_shared<Library>(argument.substr(equals + 1));
    variants.push_back(
        {argument.substr(0, equals), true, [&row, library] { row.ours(*library); }, {}});
  }
  measure(row, variants, static_cast<unsigned>(std::atoi(argv[3])),
          static_cast<unsigned>(std::atoi(argv[4])), limit);
  print(row, variants);
  return 0;
}
