// Times C += A B: a synthesized library beside OpenBLAS, in one process, taking turns.
//
//   cpu_gemm float|double N REPEATS LIBRARY
//
// LIBRARY is a bundle's source as a shared object. Both sides start from the same C in every
// repetition; results are compared before anything is timed. Prints JSON.
#include <cblas.h>
#include <dlfcn.h>
#include <omp.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

template <class T>
using Library = int (*)(const T *, size_t, size_t, const T *, size_t, size_t, T *, size_t, size_t);

void openblas(const float *a, const float *b, float *c, int n) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 1, c, n);
}
void openblas(const double *a, const double *b, double *c, int n) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 1, c, n);
}

template <class Work> double secondsOf(const Work &work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void print(const char *name, const std::vector<double> &seconds, bool ours, bool last) {
  std::printf("{\"name\": \"%s\", \"ours\": %s, \"seconds\": [", name, ours ? "true" : "false");
  for (std::size_t i = 0; i < seconds.size(); ++i)
    std::printf("%s%.9g", i == 0 ? "" : ", ", seconds[i]);
  std::printf("]}%s\n", last ? "" : ",");
}

template <class T> int run(size_t n, int repeats, void *symbol) {
  const auto ours = reinterpret_cast<Library<T>>(symbol);
  std::vector<T> a(n * n), b(n * n), start(n * n), c(n * n), peer;
  unsigned state = 1;
  for (auto *matrix : {&a, &b, &start}) {
    for (T &each : *matrix) {
      state = state * 1664525U + 1013904223U;
      each = static_cast<T>(static_cast<int>(state >> 16) % 200 - 100) / 100;
    }
  }
  peer = c = start;
  if (ours(a.data(), n, n, b.data(), n, n, c.data(), n, n) != 0) {
    std::fprintf(stderr, "cpu_gemm: the library refuses %zu\n", n);
    return 1;
  }
  openblas(a.data(), b.data(), peer.data(), static_cast<int>(n));
  // Each element is a sum of n products of at most 1: so many roundings, on either side.
  const double bound =
      2.0 * static_cast<double>(n) * static_cast<double>(n) * (sizeof(T) == 4 ? 6e-8 : 1.2e-16);
  for (size_t i = 0; i < n * n; ++i) {
    if (std::fabs(static_cast<double>(c[i]) - static_cast<double>(peer[i])) > bound) {
      std::fprintf(stderr, "cpu_gemm: element %zu is %g, OpenBLAS says %g\n", i,
                   static_cast<double>(c[i]), static_cast<double>(peer[i]));
      return 1;
    }
  }
  std::vector<double> times[2];
  for (int r = 0; r < repeats; ++r) {
    for (int k = 0; k < 2; ++k) {
      const bool isOurs = (r + k) % 2 == 0;
      c = start;
      std::this_thread::sleep_for(std::chrono::milliseconds(200)); // threads stop spinning
      times[isOurs ? 0 : 1].push_back(secondsOf([&] {
        if (isOurs)
          ours(a.data(), n, n, b.data(), n, n, c.data(), n, n);
        else
          openblas(a.data(), b.data(), c.data(), static_cast<int>(n));
      }));
    }
  }
  std::printf("{\"threads\": %d, \"variants\": [\n", omp_get_max_threads());
  print("tangram", times[0], true, false);
  print("OpenBLAS", times[1], false, true);
  std::printf("]}\n");
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fprintf(stderr, "cpu_gemm float|double N REPEATS LIBRARY\n");
    return 2;
  }
  const std::string type = argv[1];
  void *library = dlopen(argv[4], RTLD_NOW);
  void *symbol = library ? dlsym(library, ("gemm_" + type).c_str()) : nullptr;
  if (!symbol) {
    std::fprintf(stderr, "cpu_gemm: %s\n", dlerror());
    return 1;
  }
  const size_t n = std::strtoul(argv[2], nullptr, 10);
  const int repeats = std::atoi(argv[3]);
  return type == "float" ? run<float>(n, repeats, symbol) : run<double>(n, repeats, symbol);
}
