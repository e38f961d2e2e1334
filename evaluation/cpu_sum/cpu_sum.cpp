// Times sums of ints on the CPU, ours and others', in one process on one array:
// repetitions of all variants are interleaved in random order, so that whatever
// the machine does meanwhile happens to all of them.
//
//   cpu_sum ELEMENTS REPEATS SEED [NAME=LIBRARY.so[,LAUNCH_TUNABLE]...]...
//
// A library holds `int tangram_call(void *const *)` of a bundle with one input
// container and a scalar result. Prints JSON.
#include <dlfcn.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

/// Ints that no one has touched yet, on huge pages where the system has them.
class Array {
public:
  explicit Array(std::size_t size)
      : size_(size),
        data_(static_cast<int *>(std::aligned_alloc(
            alignment, (size * sizeof(int) + alignment - 1) / alignment * alignment))) {}
  ~Array() { std::free(data_); }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;

  int *data() const { return data_; }
  std::size_t size() const { return size_; }

private:
  static constexpr std::size_t alignment = std::size_t{2} << 20;
  std::size_t size_;
  int *data_;
};

/// Values whose sum cannot overflow; each thread touches first what it will read.
void fill(const Array &array, std::uint64_t seed) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < array.size(); ++i) {
    std::uint64_t x = (i + seed) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    array.data()[i] = static_cast<int>((x >> 40) % 15) - 7;
  }
}

int reduceParUnseq(const Array &array) {
  return std::reduce(std::execution::par_unseq, array.data(), array.data() + array.size(), 0);
}

int openmpReduction(const Array &array) {
  const int *in = array.data();
  const std::size_t size = array.size();
  int total = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : total)
  for (std::size_t i = 0; i < size; ++i)
    total += in[i];
  return total;
}

/// Reads every byte with as little else as possible: the bandwidth there is.
int readLoop(const Array &array) {
  using Vector [[gnu::vector_size(64), gnu::may_alias]] = int;
  const auto *in = reinterpret_cast<const Vector *>(array.data());
  const std::size_t size = array.size() * sizeof(int) / sizeof(Vector) / 4 * 4;
  int total = 0;
#pragma omp parallel reduction(+ : total)
  {
    Vector sums[4] = {};
    const std::size_t share = size / 4 / static_cast<std::size_t>(omp_get_num_threads()) * 4;
    const std::size_t begin = share * static_cast<std::size_t>(omp_get_thread_num());
    const bool last = omp_get_thread_num() == omp_get_num_threads() - 1;
    const std::size_t end = last ? size : begin + share;
    for (std::size_t i = begin; i < end; i += 4)
      for (std::size_t k = 0; k < 4; ++k)
        sums[k] += in[i + k];
    const Vector sum = sums[0] + sums[1] + sums[2] + sums[3];
    for (std::size_t k = 0; k < sizeof(Vector) / sizeof(int); ++k)
      total += sum[k];
  }
  for (std::size_t i = size * (sizeof(Vector) / sizeof(int)); i < array.size(); ++i)
    total += array.data()[i];
  return total;
}

struct Variant {
  std::string name;
  std::function<int(const Array &)> sum;
  bool ours = false;
  std::vector<double> seconds;
};

/// "NAME=LIBRARY.so,8,16": a bundle's shared object and its launch tunables.
Variant openBundle(std::string_view argument) {
  const std::size_t equals = argument.find('=');
  std::string rest(argument.substr(equals + 1));
  std::vector<std::size_t> tunables;
  for (std::size_t comma; (comma = rest.rfind(',')) != std::string::npos; rest.resize(comma))
    tunables.insert(tunables.begin(), std::strtoull(rest.c_str() + comma + 1, nullptr, 10));

  void *library = dlopen(rest.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "cpu_sum: %s\n", dlerror());
    std::exit(1);
  }
  using Entry = int(void *const *);
  auto *entry = reinterpret_cast<Entry *>(dlsym(library, "tangram_call"));
  if (!entry) {
    std::fprintf(stderr, "cpu_sum: %s has no tangram_call\n", rest.c_str());
    std::exit(1);
  }
  auto call = [entry, tunables, rest](const Array &array) mutable {
    int *data = array.data();
    std::size_t size = array.size();
    int result = 0;
    int *cell = &result;
    std::vector<void *> arguments = {&data, &size, &cell};
    for (std::size_t &tunable : tunables)
      arguments.push_back(&tunable);
    if (const int status = entry(arguments.data()); status != 0) {
      std::fprintf(stderr, "cpu_sum: %s returned %d\n", rest.c_str(), status);
      std::exit(1);
    }
    return result;
  };
  return {std::string(argument.substr(0, equals)), call, true, {}};
}

double timed(Variant &variant, const Array &array, int expected) {
  const auto start = std::chrono::steady_clock::now();
  const int result = variant.sum(array);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (result != expected) {
    std::fprintf(stderr, "cpu_sum: %s gives %d, expected %d\n", variant.name.c_str(), result,
                 expected);
    std::exit(3);
  }
  return taken.count();
}

void measure(std::vector<Variant> &variants, const Array &array, unsigned repeats, unsigned seed) {
  const int expected = std::accumulate(array.data(), array.data() + array.size(), 0);
  std::vector<std::size_t> order(variants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(seed);
  for (unsigned repeat = 0; repeat < repeats + 2; ++repeat) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      // Threads of the variant before spin for a while in case there is more to
      // do; they must not take cores away from the next one.
      std::this_thread::sleep_for(std::chrono::milliseconds(4));
      const double seconds = timed(variants[i], array, expected);
      if (repeat >= 2)
        variants[i].seconds.push_back(seconds);
    }
  }
}

void print(const std::vector<Variant> &variants, const Array &array) {
  std::printf("{\"elements\": %zu, \"threads\": %d, \"variants\": [", array.size(),
              omp_get_max_threads());
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

int main(int argc, char **argv) {
  if (argc < 4) {
    std::fprintf(stderr,
                 "usage: cpu_sum ELEMENTS REPEATS SEED [NAME=LIBRARY.so[,TUNABLE]...]...\n");
    return 2;
  }
  const Array array(std::strtoull(argv[1], nullptr, 10));
  const auto repeats = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
  const auto seed = static_cast<unsigned>(std::strtoul(argv[3], nullptr, 10));
  fill(array, seed);

  std::vector<Variant> variants;
  variants.push_back({"std::reduce(par_unseq), TBB", reduceParUnseq, false, {}});
  variants.push_back({"OpenMP reduction clause", openmpReduction, false, {}});
  variants.push_back({"read loop (bandwidth)", readLoop, false, {}});
  for (int i = 4; i < argc; ++i)
    variants.push_back(openBundle(argv[i]));

  measure(variants, array, repeats, seed);
  print(variants, array);
  return 0;
}
