// OpenCL kernels of kmeans_double, composed for simple-gpu:
//   select(iteration, G), S_G, regroup(gather_parts, G), distribute(B), S_B,
//   regroup(gather_parts, B), distribute(T), compute(gather#1, SE_T), distribute(T),
//   compute(merge#1, SE_T), distribute(T), compute(sum#1, SE_T), distribute(B),
//   compute(merge_lanes, VE_B), distribute(B), select(sum_reduce, B), S_B, regroup(strided, B),
//   distribute(T), compute(reduce#1, SE_T), compute(tree, VE_B), distribute(B), S_B,
//   devolve(T), compute(move#1, SE_T)

// What is decided by sums of products is decided as the codelets do.
#pragma OPENCL FP_CONTRACT OFF

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

// Indexes take 32 bits where the sizes of a call allow it, says the host.
#ifdef NARROW_INDEXES
typedef uint index_t;
#else
typedef ulong index_t;
#endif

// PoCL needs a barrier at the end of loops around loops with barriers, and between a branch and one.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define POCL_BARRIER()
#endif

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

int zero(void) {
  return 0;
}

int plus(int a, int b) {
  return (int)((uint)a + b);
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void kmeans_double_1(__global const double *restrict points,
                              __global const double *restrict centroids,
                              __global int *restrict labels,
                              __global double *restrict own,
                              __global int *restrict own_counts,
                              __global double *restrict own_2,
                              __global int *restrict own_counts_2,
                              index_t points_size0,
                              index_t points_size1,
                              index_t centroids_size0) {
  const index_t thread = get_local_id(0);

  // S_G, regroup(gather_parts, G)
  // distribute(B)
  const index_t p = get_num_groups(0);
  const index_t points_tile = (points_size0 + p - 1) / p;
  const index_t block = get_group_id(0);
  const index_t points_start = block * points_tile;
  const index_t points_len = min(points_tile, points_size0 - min(points_start, points_size0));

  // S_B, regroup(gather_parts, B)
  const index_t points_tile_2 = (points_len + NUM_THREADS - 1) / NUM_THREADS;

  // distribute(T)
  const index_t points_start_2 = thread * points_tile_2;
  const index_t points_len_2 = min(points_tile_2, points_len - min(points_start_2, points_len));

  // compute(gather#1, SE_T)
  for (index_t c = 0; c < centroids_size0; ++c) {
    own_counts_2[block * (NUM_THREADS * centroids_size0) + thread * centroids_size0 + c] = 0;
    for (index_t d = 0; d < points_size1; ++d) {
      own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + thread
          * (centroids_size0 * points_size1) + c * points_size1 + d] = 0.0;
    }
  }
  for (index_t i = 0; i < points_len_2; ++i) {
    index_t best = 0;
    double least = 0.0;
    for (index_t c = 0; c < centroids_size0; ++c) {
      double distance = 0.0;
      UNROLL(8)
      for (index_t d = 0; d < points_size1; ++d) {
        const double difference = points[(points_start + points_start_2 + i) * points_size1 + d]
            - centroids[c * points_size1 + d];
        distance += difference * difference;
      }
      if (c == 0 || distance < least) {
        least = distance;
        best = c;
      }
    }
    labels[points_start + points_start_2 + i] = (uint)best;
    own_counts_2[block * (NUM_THREADS * centroids_size0) + thread * centroids_size0 + best] += 1U;
    UNROLL(8)
    for (index_t d = 0; d < points_size1; ++d) {
      own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + thread
          * (centroids_size0 * points_size1) + best * points_size1 + d] +=
          points[(points_start + points_start_2 + i) * points_size1 + d];
    }
  }

  // distribute(T)
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  for (index_t thread_2 = thread; thread_2 < centroids_size0; thread_2 += NUM_THREADS) {
    // compute(merge#1, SE_T)
    for (index_t d = 0; d < points_size1; ++d) {
      double accum = 0.0;
      UNROLL(16)
      for (index_t i = 0; i < NUM_THREADS; ++i) {
        accum +=
            own_2[block * (NUM_THREADS * centroids_size0 * points_size1) + i
            * (centroids_size0 * points_size1) + (index_t)(uint)thread_2 * points_size1 + d];
      }
      own[block * (centroids_size0 * points_size1) + thread_2 * points_size1 + d] = accum;
    }
  }

  // distribute(T)
  for (index_t thread_2 = thread; thread_2 < centroids_size0; thread_2 += NUM_THREADS) {
    // compute(sum#1, SE_T)
    int accum = 0;
    UNROLL(16)
    for (index_t i = 0; i < NUM_THREADS; ++i) {
      accum +=
          (uint)own_counts_2[block * (NUM_THREADS * centroids_size0) + i * centroids_size0
          + thread_2];
    }
    own_counts[block * centroids_size0 + thread_2] = accum;
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void kmeans_double_2(__global const double *restrict own,
                              __global double *restrict own_2,
                              index_t points_size1,
                              index_t centroids_size0,
                              index_t p) {
  __local double partial[NUM_THREADS];
  const index_t thread = get_local_id(0);

  // distribute(B)
  for (index_t block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {
    // compute(merge_lanes, VE_B)
    for (index_t first = 0; first < points_size1; first += NUM_THREADS) {
      double accum;
      index_t d;
      index_t row;
      const index_t width = min(points_size1 - first, (index_t)NUM_THREADS);
      const index_t rows = NUM_THREADS / width;
      barrier(CLK_LOCAL_MEM_FENCE);
      row = thread / width;
      d = first + thread % width;
      accum = 0.0;
      if (row < rows) {
        UNROLL(16)
        for (index_t i = row; i < p; i += rows) {
          accum +=
              own[i * (centroids_size0 * points_size1) + (index_t)(uint)block * points_size1 + d];
        }
      }
      partial[thread] = accum;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (row == 0) {
        for (index_t next = 1; next < rows; ++next) {
          accum += partial[next * width + thread];
        }
        own_2[block * points_size1 + d] = accum;
      }
    }
    POCL_BARRIER();
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void kmeans_double_3(__global const int *restrict own_counts,
                              __global int *restrict own_counts_2,
                              index_t centroids_size0,
                              index_t p) {
  __local int tmp[NUM_THREADS];
  const index_t thread = get_local_id(0);

  // distribute(B)
  for (index_t block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {
    barrier(CLK_LOCAL_MEM_FENCE);

    // S_B, regroup(strided, B)
    // distribute(T)
    const index_t in_len = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;

    // compute(reduce#1, SE_T)
    int accum = zero();
    UNROLL(16)
    for (index_t i = 0; i < in_len; ++i) {
      accum = plus(accum, own_counts[(thread + i * NUM_THREADS) * centroids_size0 + block]);
    }
    const int reduce_of_thread = accum;

    // compute(tree, VE_B)
    tmp[thread] = reduce_of_thread;
    for (index_t s = 1; s < NUM_THREADS; s *= 2) {
      int tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE);
      tmp_read = thread >= s ? plus(tmp[thread - s], tmp[thread]) : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (thread >= s) {
        tmp[thread] = tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread == 0) {
      own_counts_2[block] = tmp[NUM_THREADS - 1];
    }
    POCL_BARRIER();
  }
}

__kernel void kmeans_double_4(__global double *restrict centroids,
                              __global const double *restrict own_2,
                              __global const int *restrict own_counts_2,
                              index_t points_size1,
                              index_t centroids_size0) {
  // distribute(B)
  for (index_t block = get_group_id(0); block < centroids_size0; block += get_num_groups(0)) {
    const int count = own_counts_2[block];

    // S_B, devolve(T)
    // compute(move#1, SE_T)
    if (count > 0) {
      #pragma unroll 16
      for (index_t d = 0; d < points_size1; ++d) {
        centroids[block * points_size1 + d] = own_2[block * points_size1 + d] / (double)count;
      }
    }
  }
}
