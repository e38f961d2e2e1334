// OpenCL kernels of exclusive_scan_int, composed for simple-gpu:
//   select(exclusive_from_zero, G), S_G, regroup(exclusive_reduce_scan_scan, G), distribute(B),
//   select(sum_reduce, B), S_B, regroup(strided, B), distribute(T), compute(reduce#1, SE_T),
//   compute(tree, VE_B), S_G, devolve(B), compute(starts_lanes, VE_B), S_G,
//   regroup(exclusive_reduce_scan_scan, G), distribute(B), S_B,
//   regroup(exclusive_reduce_scan_scan, B), distribute(T), compute(sum#1, SE_T),
//   compute(starts_lanes, VE_B), S_B, regroup(exclusive_reduce_scan_scan, B), distribute(T),
//   compute(exclusive_from#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
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
  return a + b;
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void exclusive_scan_int_1(__global const int *restrict in,
                                   __global int *restrict sum_of_block,
                                   ulong in_size) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, regroup(exclusive_reduce_scan_scan, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // S_B, regroup(strided, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(reduce#1, SE_T)
  int accum = zero();
  UNROLL(16)
  for (ulong i = 0; i < in_len_2; ++i) {
    accum = plus(accum, in[in_start + thread + i * NUM_THREADS]);
  }
  const int reduce_of_thread = accum;

  // compute(tree, VE_B)
  tmp[thread] = reduce_of_thread;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
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
    sum_of_block[block] = tmp[NUM_THREADS - 1];
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void exclusive_scan_int_2(__global int *restrict sum_of_block,
                                   ulong p) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, devolve(B)
  // compute(starts_lanes, VE_B)
  tmp[thread] = thread < p ? sum_of_block[thread] : 0;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
    int tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    tmp_read = thread >= s ? tmp[thread - s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (thread >= s) {
      tmp[thread] += tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (thread < p) {
    sum_of_block[thread] = thread > 0 ? tmp[thread - 1] : 0;
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void exclusive_scan_int_3(__global const int *restrict in,
                                   __global int *restrict out,
                                   __global const int *restrict sum_of_block,
                                   ulong in_size) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, regroup(exclusive_reduce_scan_scan, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  int sum_of_thread;
  const int start = sum_of_block[block];
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // S_B, regroup(exclusive_reduce_scan_scan, B)
  const ulong in_tile_2 = (in_len + NUM_THREADS - 1) / NUM_THREADS;

  // distribute(T)
  const ulong in_start_2 = thread * in_tile_2;
  const ulong in_len_2 = min(in_tile_2, in_len - min(in_start_2, in_len));

  // compute(sum#1, SE_T)
  int accum = 0;
  UNROLL(16)
  for (ulong i = 0; i < in_len_2; ++i) {
    accum += in[in_start + in_start_2 + i];
  }
  sum_of_thread = accum;

  // compute(starts_lanes, VE_B)
  tmp[thread] = sum_of_thread;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
    int tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp_read = thread >= s ? tmp[thread - s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread >= s) {
      tmp[thread] += tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum_of_thread = start + (thread > 0 ? tmp[thread - 1] : 0);

  // S_B, regroup(exclusive_reduce_scan_scan, B)
  // distribute(T)
  const int start_2 = sum_of_thread;
  const ulong in_start_3 = thread * in_tile_2;
  const ulong in_len_3 = min(in_tile_2, in_len - min(in_start_3, in_len));

  // compute(exclusive_from#1, SE_T)
  int accum_2 = start_2;
  UNROLL(16)
  for (ulong i = 0; i < in_len_3; ++i) {
    out[in_start + in_start_3 + i] = accum_2;
    accum_2 += in[in_start + in_start_3 + i];
  }
}
