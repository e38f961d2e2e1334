// OpenCL kernels of histogram, composed for simple-gpu:
//   S_G, regroup(privatized, G), distribute(B), compute(count_lanes, VE_B), distribute(B),
//   select(plus_sum_reduce, B), select(sum_reduce, B), S_B, regroup(strided, B), distribute(T),
//   compute(reduce#1, SE_T), compute(tree, VE_B)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
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
__kernel void histogram_1(__global const int *restrict in,
                          __global int *restrict own,
                          ulong in_size,
                          ulong bins_size) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(privatized, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // compute(count_lanes, VE_B)
  for (ulong b = thread; b < bins_size; b += NUM_THREADS) {
    own[block * bins_size + b] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  ulong i = thread;
  for (; i + 7 * NUM_THREADS < in_len; i += 8 * NUM_THREADS) {
    int ahead[8];
    UNROLL(8)
    for (ulong u = 0; u < 8; ++u) {
      ahead[u] = in[in_start + (i + u * NUM_THREADS)];
    }
    UNROLL(8)
    for (ulong u = 0; u < 8; ++u) {
      atomic_add(&own[block * bins_size + (ulong)ahead[u]], 1);
    }
  }
  for (; i < in_len; i += NUM_THREADS) {
    atomic_add(&own[block * bins_size + (ulong)in[in_start + i]], 1);
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void histogram_2(__global int *restrict bins,
                          __global const int *restrict own,
                          ulong bins_size,
                          ulong p) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // distribute(B)
  for (ulong block = get_group_id(0); block < bins_size; block += get_num_groups(0)) {
    const int start = bins[block];

    // S_B, regroup(strided, B)
    // distribute(T)
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const ulong in_len = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;

    // compute(reduce#1, SE_T)
    int accum = zero();
    UNROLL(16)
    for (ulong i = 0; i < in_len; ++i) {
      accum = plus(accum, own[(thread + i * NUM_THREADS) * bins_size + block]);
    }
    const int reduce_of_thread = accum;

    // compute(tree, VE_B)
    tmp[thread] = reduce_of_thread;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      int tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      tmp_read = thread >= s ? plus(tmp[thread - s], tmp[thread]) : 0;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (thread >= s) {
        tmp[thread] = tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const int sum_result = tmp[NUM_THREADS - 1];
    if (thread == 0) {
      bins[block] = (int)((uint)start + sum_result);
    }
    POCL_BARRIER();
  }
}
