/* Micro-benchmarks of a processor: tangram_measure(bytes) gives the figures of `enum figure`. `bytes`:
   of memory that caches do not hold. */
#define _POSIX_C_SOURCE 200809L
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum figure {
  CYCLES_PER_SECOND,
  INSTRUCTIONS_PER_CYCLE,
  LANES,
  OPERATIONS_PER_CYCLE,
  OPERATION_CYCLES,
  LOCAL_CYCLES,
  ACCESS_BYTES_PER_CYCLE,
  BYTES_PER_SECOND,
  UNIT_BYTES_PER_SECOND,
  MEMORY_SECONDS,
  ATOMIC_SECONDS,
  BARRIER_SECONDS,
  LAUNCH_SECONDS,
  THREADS,
  FIGURES
};

#if defined(__AVX512F__)
enum { VECTOR = 64 };
#elif defined(__AVX__)
enum { VECTOR = 32 };
#else
enum { VECTOR = 16 };
#endif
typedef float vector __attribute__((vector_size(VECTOR)));

enum { REPEATS = 9, CHASED = 64 };
/* An addition that the compiler leaves where it is. */
#define ADD(x, y)                                                                                  \
  do {                                                                                             \
    (x) += (y);                                                                                    \
    __asm__ volatile("" : "+r"(x));                                                                \
  } while (0)
/* Somebody may look at it. */
#define SEEN(x) __asm__ volatile("" : : "r"(&(x)) : "memory")
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void) { return seconds(CLOCK_MONOTONIC); }

/* Of this thread alone, without what others do on the machine. */
static double own(void) { return seconds(CLOCK_THREAD_CPUTIME_ID); }

/* An addition waits for the one before, and takes a cycle. */
static double cycles_per_second(void) {
  const size_t rounds = 500000;
  double best = 0;
  for (int r = 0; r < REPEATS; ++r) {
    uint64_t x = 0;
    const double start = own();
    for (size_t i = 0; i < rounds; ++i) {
      ADD(x, i);
      ADD(x, i);
      ADD(x, i);
      ADD(x, i);
      ADD(x, i);
      ADD(x, i);
      ADD(x, i);
      ADD(x, i);
    }
    best = MOST(best, 8.0 * (double)rounds / (own() - start));
  }
  return best;
}

/* Additions that wait for nobody, with the loop's own. */
static double instructions_per_second(void) {
  const size_t rounds = 500000;
  double best = 0;
  for (int r = 0; r < REPEATS; ++r) {
    uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
    const double start = own();
    for (size_t i = 0; i < rounds; ++i) {
      ADD(a, 1);
      ADD(b, 1);
      ADD(c, 1);
      ADD(d, 1);
      ADD(e, 1);
      ADD(f, 1);
      ADD(g, 1);
      ADD(h, 1);
    }
    best = MOST(best, 8.0 * (double)rounds / (own() - start));
  }
  return best;
}

/* Sums of vectors, as many at a time as hide how long one takes. */
static double operations_per_second(float by) {
  enum { SUMS = 12 };
  const size_t rounds = 200000;
  double best = 0;
  for (int r = 0; r < REPEATS; ++r) {
    vector sums[SUMS] = {{0}};
    const vector added = by - (vector){0};
    const double start = own();
    for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
      for (int k = 0; k < SUMS; ++k)
        sums[k] += added;
    }
    best = MOST(best, (double)rounds * SUMS * (VECTOR / sizeof(float)) / (own() - start));
    SEEN(sums);
  }
  return best;
}

static double seconds_of_operation(float by) {
  const size_t rounds = 500000;
  double best = 1;
  for (int r = 0; r < REPEATS; ++r) {
    float sum = 0;
    const double start = own();
    for (size_t i = 0; i < rounds; ++i)
      sum += by;
    best = LEAST(best, (own() - start) / (double)rounds);
    SEEN(sum);
  }
  return best;
}

/* From one element to the one it names, all `count` lines in one ring. */
static double seconds_of_access(size_t bytes, size_t steps) {
  const size_t apart = CHASED / sizeof(size_t), count = bytes / CHASED;
  size_t *next = aligned_alloc(4096, bytes);
  if (!next)
    return 0;
  for (size_t i = 0; i < count; ++i)
    next[i * apart] = i * apart;
  uint64_t state = 88172645463325252u;
  for (size_t i = count - 1; i > 0; --i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const size_t j = state % i;
    const size_t swapped = next[i * apart];
    next[i * apart] = next[j * apart];
    next[j * apart] = swapped;
  }
  double best = 1;
  size_t at = 0;
  for (int r = 0; r < REPEATS; ++r) {
    const double start = own();
    for (size_t i = 0; i < steps; ++i)
      at = next[at];
    best = LEAST(best, (own() - start) / (double)steps);
    SEEN(at);
  }
  free(next);
  return best;
}

/* Bytes a second that are read and summed: by one thread, of what its first cache holds or of more,
   or by all. */
static double bytes_per_second(size_t bytes, size_t rounds, int threads) {
  const size_t count = bytes / sizeof(vector) / 8 * 8;
  vector *data = aligned_alloc(4096, bytes);
  if (!data)
    return 0;
#pragma omp parallel for num_threads(threads)
  for (size_t i = 0; i < count; ++i)
    data[i] = (float)(i % 7) - (vector){0};
  double best = 0;
  for (int r = 0; r < REPEATS; ++r) {
    const double start = now();
#pragma omp parallel num_threads(threads)
    {
      vector sums[8] = {{0}};
      for (size_t round = 0; round < rounds; ++round) {
#pragma omp for nowait
        for (size_t i = 0; i < count; i += 8) {
#pragma GCC unroll 8
          for (int k = 0; k < 8; ++k)
            sums[k] += data[i + k];
        }
        __asm__ volatile("" : : : "memory");
      }
      SEEN(sums);
    }
    best = MOST(best, (double)(rounds * count) * sizeof(vector) / (now() - start));
  }
  free(data);
  return best;
}

static double seconds_of_atomic(void) {
  const size_t rounds = 20000;
  double best = 1;
  for (int r = 0; r < REPEATS; ++r) {
    size_t counter = 0;
    const double start = now();
#pragma omp parallel
    for (size_t i = 0; i < rounds; ++i) {
#pragma omp atomic
      counter += 1;
    }
    best = LEAST(best, (now() - start) / (double)counter);
  }
  return best;
}

/* Among the shortest: a thread that has been put aside takes a thousand times as long. */
static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double seconds_of_barriers(size_t barriers) {
  enum { TIMES = 201 };
  static double times[TIMES];
  for (int r = 0; r < TIMES; ++r) {
    const double start = now();
#pragma omp parallel
    for (size_t i = 0; i < barriers; ++i) {
#pragma omp barrier
    }
    times[r] = now() - start;
  }
  qsort(times, TIMES, sizeof *times, ascending);
  return times[TIMES / 10];
}

int tangram_measure(size_t bytes, double *figures) {
  const size_t in_cache = 16384;
  const double cycles = cycles_per_second();
  volatile float one = 1.0f;
  figures[CYCLES_PER_SECOND] = cycles;
  figures[INSTRUCTIONS_PER_CYCLE] = instructions_per_second() / cycles;
  figures[LANES] = VECTOR / sizeof(float);
  figures[OPERATIONS_PER_CYCLE] = operations_per_second(one) / cycles;
  figures[OPERATION_CYCLES] = seconds_of_operation(one) * cycles;
  figures[LOCAL_CYCLES] = seconds_of_access(in_cache, 200000) * cycles;
  figures[ACCESS_BYTES_PER_CYCLE] = bytes_per_second(in_cache, 1000, 1) / cycles;
  figures[BYTES_PER_SECOND] = bytes_per_second(bytes, 1, omp_get_max_threads());
  figures[UNIT_BYTES_PER_SECOND] = bytes_per_second(bytes, 1, 1);
  figures[MEMORY_SECONDS] = seconds_of_access(bytes, 50000);
  figures[ATOMIC_SECONDS] = seconds_of_atomic();
  figures[LAUNCH_SECONDS] = seconds_of_barriers(0);
  figures[BARRIER_SECONDS] = seconds_of_barriers(200) / 201; /* the region ends with one */
  figures[THREADS] = omp_get_max_threads();
  for (int i = 0; i < FIGURES; ++i) {
    if (!(figures[i] > 0))
      return 1 + i;
  }
  return 0;
}
