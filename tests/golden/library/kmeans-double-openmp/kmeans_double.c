// C with OpenMP of kmeans_double, composed for cpu:
//   select(iteration, P), S_P, regroup(gather_parts, P), distribute(T), S_T,
//   regroup(gather_parts, T), distribute(V), S_V, regroup(gather_parts, V), distribute(I),
//   compute(gather#1, SE_I), distribute(I), compute(merge#1, SE_I), distribute(I),
//   compute(sum#1, SE_I), distribute(V), compute(merge#1, SE_V), distribute(V),
//   select(sum_reduce, V), S_V, regroup(strided, V), distribute(I), compute(reduce#1, SE_I),
//   compute(reduce#1, SE_V), distribute(T), compute(merge_lanes, VE_T), distribute(T),
//   select(sum_reduce, T), S_T, regroup(strided, T), distribute(V), S_V, regroup(strided, V),
//   distribute(I), compute(reduce#1, SE_I), compute(reduce#1, SE_V), compute(tree, VE_T),
//   distribute(T), S_T, devolve(V), compute(move#1, SE_V)
// Each operation is rounded by itself: what floating-point numbers decide is decided as the codelets do.
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "kmeans_double.h"

#include <omp.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif
// chains in a lane
#ifndef NUM_CHAINS
#define NUM_CHAINS 4
#endif

static inline size_t max_index(size_t a, size_t b) {
  return a < b ? b : a;
}

static inline size_t min_index(size_t a, size_t b) {
  return b < a ? b : a;
}

static inline int zero(void) {
  return 0;
}

static inline int plus(int a, int b) {
  return (int)((unsigned int)a + b);
}

/// Gives numbers of workers that are 0 what suits the sizes. 1: this plan cannot serve them.
static int tangram_settle(size_t threads, size_t points_size0, size_t points_size1,
    size_t centroids_size0, size_t centroids_size1, size_t labels_size, size_t *p_settled) {
  size_t p = *p_settled;
  // kmeans<double> requires labels.size() == points.size(0) (kmeans.cpp:308:3)
  if (!(labels_size == points_size0))
    return 1;
  // kmeans<double> requires centroids.size(1) == points.size(1) (kmeans.cpp:309:3)
  if (!(centroids_size1 == points_size1))
    return 1;
  // kmeans<double> requires centroids.size(0) > 0 (kmeans.cpp:310:3)
  if (!(centroids_size0 > 0))
    return 1;
  if (p > 4096)
    p = 4096;
  if (p == 0)
    p = threads < 4096 ? threads : 4096;
  *p_settled = p;
  return 0;
}

/// The bytes of an array in a workspace, in which each begins a cache line.
static size_t tangram_bytes(size_t count, size_t size) {
  return (count * size + 63) / 64 * 64;
}

static size_t tangram_workspace(size_t points_size1, size_t centroids_size0, size_t p) {
  if ((double)p * (double)centroids_size0 * (double)points_size1 * 8 + (double)p
      * (double)centroids_size0 * 4
      + ((double)p * ((double)NUM_LANES * (double)centroids_size0 * (double)points_size1)
      + (double)centroids_size0 * (double)points_size1) * 8
      + ((double)p * ((double)NUM_LANES * (double)centroids_size0) + (double)centroids_size0) * 4
      + (double)p * (double)NUM_LANES
      * ((double)NUM_CHAINS * (double)centroids_size0 * (double)points_size1) * 8 + (double)p
      * (double)NUM_LANES * ((double)NUM_CHAINS * (double)centroids_size0) * 4 > 9e18) // for which the sum of whole numbers may wrap around
    return SIZE_MAX;
  return tangram_bytes(p * centroids_size0 * points_size1 + 1, sizeof(double))
      + tangram_bytes(p * centroids_size0 + 1, sizeof(int))
      + tangram_bytes(max_index(p * (NUM_LANES * centroids_size0 * points_size1), centroids_size0
      * points_size1) + 1, sizeof(double))
      + tangram_bytes(max_index(p * (NUM_LANES * centroids_size0), centroids_size0) + 1,
      sizeof(int))
      + tangram_bytes(p * NUM_LANES * (NUM_CHAINS * centroids_size0 * points_size1) + 1,
      sizeof(double))
      + tangram_bytes(p * NUM_LANES * (NUM_CHAINS * centroids_size0) + 1, sizeof(int));
}

static void kmeans_double_run(const double *points, size_t points_size0, size_t points_size1,
    double *centroids, size_t centroids_size0, int *labels, size_t p, void *workspace) {
  double *own = workspace;
  int *own_counts =
      (void *)((char *)own + tangram_bytes(p * centroids_size0 * points_size1 + 1, sizeof *own));
  double *own_2 =
      (void *)((char *)own_counts + tangram_bytes(p * centroids_size0 + 1, sizeof *own_counts));
  int *own_counts_2 =
      (void *)((char *)own_2
      + tangram_bytes(max_index(p * (NUM_LANES * centroids_size0 * points_size1), centroids_size0
      * points_size1) + 1, sizeof *own_2));
  double *own_3 =
      (void *)((char *)own_counts_2
      + tangram_bytes(max_index(p * (NUM_LANES * centroids_size0), centroids_size0) + 1,
      sizeof *own_counts_2));
  int *own_counts_3 =
      (void *)((char *)own_3
      + tangram_bytes(p * NUM_LANES * (NUM_CHAINS * centroids_size0 * points_size1) + 1,
      sizeof *own_3));

  // S_P, regroup(gather_parts, P)
  const size_t points_tile = (points_size0 + p - 1) / p;

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < p; ++thread) {
    double *own_of_thread = own + thread * (centroids_size0 * points_size1);
    double *own_2_of_thread = own_2 + thread * (NUM_LANES * centroids_size0 * points_size1);
    int *own_counts_2_of_thread = own_counts_2 + thread * (NUM_LANES * centroids_size0);
    const size_t points_start = thread * points_tile;
    const size_t points_len =
        min_index(points_tile, points_size0 - min_index(points_start, points_size0));

    // S_T, regroup(gather_parts, T)
    const size_t points_tile_2 = (points_len + NUM_LANES - 1) / NUM_LANES;

    // distribute(V)
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      const size_t points_start_2 = lane * points_tile_2;
      const size_t points_len_2 =
          min_index(points_tile_2, points_len - min_index(points_start_2, points_len));

      // S_V, regroup(gather_parts, V)
      const size_t points_tile_3 = (points_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

      // distribute(I)
      // compute(gather#1, SE_I)
      for (size_t c = 0; c < centroids_size0; ++c) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          own_counts_3[(thread * NUM_LANES + lane) * (NUM_CHAINS * centroids_size0) + chain
              * centroids_size0 + c] = 0;
          for (size_t d = 0; d < points_size1; ++d) {
            own_3[(thread * NUM_LANES + lane) * (NUM_CHAINS * centroids_size0 * points_size1)
                + chain * (centroids_size0 * points_size1) + c * points_size1 + d] = 0.0;
          }
        }
      }
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        const size_t points_start_3 = chain * points_tile_3;
        for (size_t i = 0;
            i < min_index(points_tile_3, points_len_2 - min_index(points_start_3, points_len_2));
            ++i) {
          size_t best = 0;
          double least = 0.0;
          for (size_t c = 0; c < centroids_size0; ++c) {
            double distance = 0.0;
            for (size_t d = 0; d < points_size1; ++d) {
              const double difference =
                  points[(points_start + points_start_2 + points_start_3 + i) * points_size1 + d]
                  - centroids[c * points_size1 + d];
              distance += difference * difference;
            }
            if (c == 0 || distance < least) {
              least = distance;
              best = c;
            }
          }
          labels[points_start + points_start_2 + points_start_3 + i] = (unsigned int)best;
          own_counts_3[(thread * NUM_LANES + lane) * (NUM_CHAINS * centroids_size0) + chain
              * centroids_size0 + best] += 1U;
          for (size_t d = 0; d < points_size1; ++d) {
            own_3[(thread * NUM_LANES + lane) * (NUM_CHAINS * centroids_size0 * points_size1)
                + chain * (centroids_size0 * points_size1) + best * points_size1 + d] +=
                points[(points_start + points_start_2 + points_start_3 + i) * points_size1 + d];
          }
        }
      }

      // distribute(I)
      for (size_t chain = 0; chain < centroids_size0; ++chain) {
        // compute(merge#1, SE_I)
        const size_t blocks = points_size1 < 8 ? 0 : (points_size1 + 7) / 8;
        for (size_t block = 0; block < blocks; ++block) {
          const size_t first = min_index(block * 8, points_size1 - 8);
          double accum[8];
          #pragma omp simd
          for (size_t lane_2 = 0; lane_2 < 8; ++lane_2) {
            accum[lane_2] = 0.0;
          }
          for (size_t i = 0; i < NUM_CHAINS; ++i) {
            #pragma omp simd
            for (size_t lane_2 = 0; lane_2 < 8; ++lane_2) {
              accum[lane_2] +=
                  own_3[(thread * NUM_LANES + lane) * (NUM_CHAINS * centroids_size0 * points_size1)
                  + i * (centroids_size0 * points_size1) + (size_t)(unsigned int)chain
                  * points_size1 + (first + lane_2)];
            }
          }
          #pragma omp simd
          for (size_t lane_2 = 0; lane_2 < 8; ++lane_2) {
            own_2_of_thread[lane * (centroids_size0 * points_size1) + chain * points_size1 + first
                + lane_2] = accum[lane_2];
          }
        }
        for (size_t d = points_size1 < 8 ? 0 : points_size1; d < points_size1; ++d) {
          double accum = 0.0;
          for (size_t i = 0; i < NUM_CHAINS; ++i) {
            accum +=
                own_3[(thread * NUM_LANES + lane) * (NUM_CHAINS * centroids_size0 * points_size1)
                + i * (centroids_size0 * points_size1) + (size_t)(unsigned int)chain * points_size1
                + d];
          }
          own_2_of_thread[lane * (centroids_size0 * points_size1) + chain * points_size1 + d] =
              accum;
        }
      }

      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < centroids_size0; ++chain) {
        // compute(sum#1, SE_I)
        unsigned int accum = 0;
        for (size_t i = 0; i < NUM_CHAINS; ++i) {
          accum +=
              own_counts_3[(thread * NUM_LANES + lane) * (NUM_CHAINS * centroids_size0) + i
              * centroids_size0 + chain];
        }
        own_counts_2_of_thread[lane * centroids_size0 + chain] = (int)accum;
      }
    }

    // distribute(V)
    for (size_t lane = 0; lane < centroids_size0; ++lane) {
      // compute(merge#1, SE_V)
      const size_t blocks = points_size1 < 8 ? 0 : (points_size1 + 7) / 8;
      for (size_t block = 0; block < blocks; ++block) {
        const size_t first = min_index(block * 8, points_size1 - 8);
        double accum[8];
        #pragma omp simd
        for (size_t lane_2 = 0; lane_2 < 8; ++lane_2) {
          accum[lane_2] = 0.0;
        }
        for (size_t i = 0; i < NUM_LANES; ++i) {
          #pragma omp simd
          for (size_t lane_2 = 0; lane_2 < 8; ++lane_2) {
            accum[lane_2] +=
                own_2_of_thread[i * (centroids_size0 * points_size1) + (size_t)(unsigned int)lane
                * points_size1 + first + lane_2];
          }
        }
        #pragma omp simd
        for (size_t lane_2 = 0; lane_2 < 8; ++lane_2) {
          own_of_thread[lane * points_size1 + first + lane_2] = accum[lane_2];
        }
      }
      for (size_t d = points_size1 < 8 ? 0 : points_size1; d < points_size1; ++d) {
        double accum = 0.0;
        for (size_t i = 0; i < NUM_LANES; ++i) {
          accum +=
              own_2_of_thread[i * (centroids_size0 * points_size1) + (size_t)(unsigned int)lane
              * points_size1 + d];
        }
        own_of_thread[lane * points_size1 + d] = accum;
      }
    }

    // distribute(V)
    #pragma omp simd
    for (size_t lane = 0; lane < centroids_size0; ++lane) {
      // S_V, regroup(strided, V)
      int reduce_of_chain[NUM_CHAINS];

      // distribute(I)
      int accum[NUM_CHAINS];
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(reduce#1, SE_I)
        accum[chain] = zero();
      }
      const size_t common = NUM_LANES / NUM_CHAINS;
      for (size_t i = 0; i < common; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain] =
              plus(accum[chain],
              own_counts_2_of_thread[(chain + i * NUM_CHAINS) * centroids_size0 + lane]);
        }
      }
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = common; i < (NUM_LANES + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
          accum[chain] =
              plus(accum[chain],
              own_counts_2_of_thread[(chain + i * NUM_CHAINS) * centroids_size0 + lane]);
        }
        reduce_of_chain[chain] = accum[chain];
      }

      // compute(reduce#1, SE_V)
      int accum_2 = zero();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = plus(accum_2, reduce_of_chain[i]);
      }
      own_counts[thread * centroids_size0 + lane] = accum_2;
    }
  }

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < centroids_size0; ++thread) {
    double partial[NUM_LANES];

    // compute(merge_lanes, VE_T)
    size_t row[NUM_LANES];
    size_t d[NUM_LANES];
    double accum[NUM_LANES];
    for (size_t first = 0; first < points_size1; first += NUM_LANES) {
      const size_t width = min_index(points_size1 - first, NUM_LANES);
      const size_t rows = NUM_LANES / width;
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        row[lane] = lane / width;
        d[lane] = first + lane % width;
        accum[lane] = 0.0;
        if (row[lane] < rows) {
          for (size_t i = row[lane]; i < p; i += rows) {
            accum[lane] +=
                own[i * (centroids_size0 * points_size1) + (size_t)(unsigned int)thread
                * points_size1 + d[lane]];
          }
        }
        partial[lane] = accum[lane];
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (row[lane] == 0) {
          for (size_t next = 1; next < rows; ++next) {
            accum[lane] += partial[next * width + lane];
          }
          own_2[thread * points_size1 + d[lane]] = accum[lane];
        }
      }
    }
  }

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < centroids_size0; ++thread) {
    int tmp[NUM_LANES];

    // S_T, regroup(strided, T)
    // distribute(V)
    int reduce_of_chain[NUM_CHAINS * NUM_LANES];
    int accum[NUM_CHAINS * NUM_LANES];
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      // S_V, regroup(strided, V)
      // distribute(I)
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        // compute(reduce#1, SE_I)
        accum[chain * NUM_LANES + lane] = zero();
      }
    }
    const size_t all_have = p / NUM_LANES / NUM_CHAINS;
    for (size_t i = 0; i < all_have; ++i) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              plus(accum[chain * NUM_LANES + lane],
              own_counts[(lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES))
              * centroids_size0 + thread]);
        }
      }
    }
    #pragma omp simd
    for (size_t lane = 0; lane < NUM_LANES; ++lane) {
      for (size_t i = all_have; i < (p + NUM_LANES - 1 - lane) / NUM_LANES / NUM_CHAINS; ++i) {
        #pragma GCC unroll 16
        for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
          accum[chain * NUM_LANES + lane] =
              plus(accum[chain * NUM_LANES + lane],
              own_counts[(lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES))
              * centroids_size0 + thread]);
        }
      }
      const size_t in_len = (p + NUM_LANES - 1 - lane) / NUM_LANES;
      #pragma GCC unroll 16
      for (size_t chain = 0; chain < NUM_CHAINS; ++chain) {
        for (size_t i = in_len / NUM_CHAINS; i < (in_len + NUM_CHAINS - 1 - chain) / NUM_CHAINS;
            ++i) {
          accum[chain * NUM_LANES + lane] =
              plus(accum[chain * NUM_LANES + lane],
              own_counts[(lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES))
              * centroids_size0 + thread]);
        }
        reduce_of_chain[chain * NUM_LANES + lane] = accum[chain * NUM_LANES + lane];
      }

      // compute(reduce#1, SE_V)
      int accum_2 = zero();
      for (size_t i = 0; i < NUM_CHAINS; ++i) {
        accum_2 = plus(accum_2, reduce_of_chain[i * NUM_LANES + lane]);
      }
      const int reduce_of_lane = accum_2;

      // compute(tree, VE_T)
      tmp[lane] = reduce_of_lane;
    }
    int tmp_read[NUM_LANES];
    for (size_t s = 1; s < NUM_LANES; s *= 2) {
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        tmp_read[lane] = lane >= s ? plus(tmp[lane - s], tmp[lane]) : 0;
      }
      #pragma omp simd
      for (size_t lane = 0; lane < NUM_LANES; ++lane) {
        if (lane >= s) {
          tmp[lane] = tmp_read[lane];
        }
      }
    }
    own_counts_2[thread] = tmp[NUM_LANES - 1];
  }

  // distribute(T)
  #pragma omp parallel for schedule(static)
  for (size_t thread = 0; thread < centroids_size0; ++thread) {
    const int count = own_counts_2[thread];

    // S_T, devolve(V)
    // compute(move#1, SE_V)
    if (count > 0) {
      for (size_t d = 0; d < points_size1; ++d) {
        centroids[thread * points_size1 + d] = own_2[thread * points_size1 + d] / (double)count;
      }
    }
  }
}

/// Memory that begins a cache line, since C11; in large pages, where there are any: each page costs time when it is touched first.
static void *tangram_allocate(size_t bytes) {
  if (bytes > (size_t)-1 / 2)
    return NULL;
#ifdef MADV_HUGEPAGE
  const size_t page = (size_t)1 << 21;
  if (bytes >= page) {
    const size_t whole = (bytes + page - 1) / page * page;
    void *memory = aligned_alloc(page, whole);
    if (memory)
      madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
  }
#endif
#if __STDC_VERSION__ >= 201112L
  return aligned_alloc(64, (bytes + 63) / 64 * 64);
#else
  return malloc(bytes);
#endif
}

/// The threads of a call: as many as OpenMP takes where it is told 0. More than 64 are no more than there are
/// elements, nor than four a processor or 256.
static size_t tangram_threads(size_t threads, size_t elements) {
  if (threads == 0)
    return (size_t)omp_get_max_threads();
  if (threads <= 64)
    return threads;
  size_t most = 4 * (size_t)omp_get_num_procs();
  most = most < 256 ? 256 : most;
  most = elements < most ? elements : most;
  most = most < 64 ? 64 : most;
  return threads < most ? threads : most;
}

/// Whether memory that is written is that of another container, too.
static bool tangram_overlaps(const void *written, size_t bytes, const void *other,
    size_t other_bytes) {
  const uintptr_t begin = (uintptr_t)written;
  const uintptr_t other_begin = (uintptr_t)other;
  return bytes > 0 && other_bytes > 0 && begin < other_begin + other_bytes &&
         other_begin < begin + bytes;
}

static int tangram_check(const double *points, size_t points_size0, size_t points_size1,
    double *centroids, size_t centroids_size0, size_t centroids_size1, int *labels,
    size_t labels_size) {
  if ((centroids != points
      && tangram_overlaps(centroids, centroids_size0 * centroids_size1 * sizeof *centroids, points,
      points_size0 * points_size1 * sizeof *points)) ||
      tangram_overlaps(centroids, centroids_size0 * centroids_size1 * sizeof *centroids, labels,
          labels_size * sizeof *labels) ||
      tangram_overlaps(labels, labels_size * sizeof *labels, points, points_size0 * points_size1
          * sizeof *points))
    return kmeans_double_overlap;
  return kmeans_double_ok;
}

int kmeans_double_workspace(size_t points_size0, size_t points_size1, size_t centroids_size0,
    size_t centroids_size1, size_t labels_size, size_t threads, size_t *bytes) {
  threads =
      tangram_threads(threads, points_size0 * points_size1 + centroids_size0 * centroids_size1
      + labels_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, points_size0, points_size1, centroids_size0, centroids_size1,
      labels_size, &p) != 0)
    return kmeans_double_refused;
  *bytes = tangram_workspace(points_size1, centroids_size0, p);
  if (*bytes == SIZE_MAX)
    return kmeans_double_refused;
  return kmeans_double_ok;
}

int kmeans_double_on_threads(const double *points, size_t points_size0, size_t points_size1,
    double *centroids, size_t centroids_size0, size_t centroids_size1, int *labels,
    size_t labels_size, size_t threads, void *workspace, size_t workspace_bytes) {
  const int before = omp_get_max_threads();
  threads =
      tangram_threads(threads, points_size0 * points_size1 + centroids_size0 * centroids_size1
      + labels_size + 1);
  size_t p = 0;
  if (tangram_settle(threads, points_size0, points_size1, centroids_size0, centroids_size1,
      labels_size, &p) != 0)
    return kmeans_double_refused;
  const int status =
      tangram_check(points, points_size0, points_size1, centroids, centroids_size0,
      centroids_size1, labels, labels_size);
  if (status != kmeans_double_ok)
    return status;
  if (!workspace || workspace_bytes < tangram_workspace(points_size1, centroids_size0, p))
    return kmeans_double_small_workspace;
  omp_set_num_threads((int)threads);
  kmeans_double_run(points, points_size0, points_size1, centroids, centroids_size0, labels, p,
      workspace);
  omp_set_num_threads(before);
  return kmeans_double_ok;
}

int kmeans_double_tuned(const double *points, size_t points_size0, size_t points_size1,
    double *centroids, size_t centroids_size0, size_t centroids_size1, int *labels,
    size_t labels_size, size_t p) {
  if (tangram_settle((size_t)omp_get_max_threads(), points_size0, points_size1, centroids_size0,
      centroids_size1, labels_size, &p) != 0)
    return kmeans_double_refused;
  const int status =
      tangram_check(points, points_size0, points_size1, centroids, centroids_size0,
      centroids_size1, labels, labels_size);
  if (status != kmeans_double_ok)
    return status;
  void *workspace = tangram_allocate(tangram_workspace(points_size1, centroids_size0, p));
  if (!workspace)
    return kmeans_double_no_memory;
  kmeans_double_run(points, points_size0, points_size1, centroids, centroids_size0, labels, p,
      workspace);
  free(workspace);
  return kmeans_double_ok;
}

int kmeans_double(const double *points, size_t points_size0, size_t points_size1,
    double *centroids, size_t centroids_size0, size_t centroids_size1, int *labels,
    size_t labels_size) {
  return kmeans_double_tuned(points, points_size0, points_size1, centroids, centroids_size0,
      centroids_size1, labels, labels_size, 0);
}

const char *kmeans_double_message(int status) {
  switch (status) {
  case kmeans_double_ok:
    return "success";
  case kmeans_double_refused:
    return "no call with these sizes or numbers of workers can be served";
  case kmeans_double_no_memory:
    return "there is no memory for temporaries";
  case kmeans_double_small_workspace:
    return "the workspace is missing or too small";
  case kmeans_double_overlap:
    return "a container that is written shares memory with another one";
  case kmeans_double_bad_data:
    return "elements are not what is required of them";
  default:
    return "an unknown status";
  }
}
