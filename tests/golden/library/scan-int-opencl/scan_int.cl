// OpenCL kernels of scan_int, composed for simple-gpu:
//   S_G, regroup(scan_scan_add, G), distribute(B), S_B, regroup(scan_scan_add, B),
//   distribute(T), compute(scan#1, SE_T), S_B, regroup(scan_scan_add, B), distribute(T),
//   compute(last#1, SE_T), compute(starts_lanes, VE_B), S_B, regroup(scan_scan_add, B),
//   distribute(T), compute(add_to#1, SE_T), S_G, regroup(scan_scan_add, G), distribute(B), S_B,
//   devolve(T), compute(last#1, SE_T), S_G, devolve(B), compute(starts_lanes, VE_B), S_G,
//   regroup(scan_scan_add, G), distribute(B), S_B, regroup(add_strided, B), distribute(T),
//   compute(add_to#1, SE_T)

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

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void scan_int_1(__global const int *restrict in,
                         __global int *restrict out,
                         ulong in_size) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, regroup(scan_scan_add, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  int last_of_thread;
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // S_B, regroup(scan_scan_add, B)
  const ulong in_tile_2 = (in_len + NUM_THREADS - 1) / NUM_THREADS;

  // distribute(T)
  const ulong in_start_2 = thread * in_tile_2;
  const ulong in_len_2 = min(in_tile_2, in_len - min(in_start_2, in_len));

  // compute(scan#1, SE_T)
  int accum = 0;
  UNROLL(16)
  for (ulong i = 0; i < in_len_2; ++i) {
    accum += in[in_start + in_start_2 + i];
    out[in_start + in_start_2 + i] = accum;
  }

  // S_B, regroup(scan_scan_add, B)
  // distribute(T)
  const ulong in_start_3 = thread * in_tile_2;
  const ulong in_len_3 = min(in_tile_2, in_len - min(in_start_3, in_len));

  // compute(last#1, SE_T)
  last_of_thread = in_len_3 == 0 ? 0 : out[in_start + in_start_3 + (in_len_3 - 1)];

  // compute(starts_lanes, VE_B)
  tmp[thread] = last_of_thread;
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
  last_of_thread = thread > 0 ? tmp[thread - 1] : 0;

  // S_B, regroup(scan_scan_add, B)
  // distribute(T)
  const int value = last_of_thread;
  const ulong a_start = thread * in_tile_2;
  const ulong a_len = min(in_tile_2, in_len - min(a_start, in_len));

  // compute(add_to#1, SE_T)
  UNROLL(16)
  for (ulong i = 0; i < a_len; ++i) {
    out[in_start + a_start + i] += value;
  }
}

__kernel void scan_int_2(__global const int *restrict out,
                         __global int *restrict last_of_block,
                         ulong in_size) {
  // S_G, regroup(scan_scan_add, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // S_B, devolve(T)
  // compute(last#1, SE_T)
  last_of_block[block] = in_len == 0 ? 0 : out[in_start + (in_len - 1)];
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void scan_int_3(__global int *restrict last_of_block,
                         ulong p) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, devolve(B)
  // compute(starts_lanes, VE_B)
  tmp[thread] = thread < p ? last_of_block[thread] : 0;
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
    last_of_block[thread] = thread > 0 ? tmp[thread - 1] : 0;
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void scan_int_4(__global int *restrict out,
                         __global const int *restrict last_of_block,
                         ulong in_size) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(scan_scan_add, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const int value = last_of_block[block];
  const ulong a_start = block * in_tile;
  const ulong a_len = min(in_tile, in_size - min(a_start, in_size));

  // S_B, regroup(add_strided, B)
  // distribute(T)
  const ulong a_len_2 = (a_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(add_to#1, SE_T)
  #pragma unroll 16
  for (ulong i = 0; i < a_len_2; ++i) {
    out[a_start + thread + i * NUM_THREADS] += value;
  }
}
