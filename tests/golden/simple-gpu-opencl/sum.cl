// OpenCL kernels of sum, composed for simple-gpu:
//   S_G, regroup(asso_tiled, G), distribute(B), S_B, regroup(stride_tiled, B), distribute(T),
//   compute(sum#1, SE_T), compute(kog, VE_B), S_G, devolve(B), S_B, regroup(stride_tiled, B),
//   distribute(T), compute(sum#1, SE_T), compute(kog, VE_B)

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
__kernel void sum_1(__global const int *restrict in,
                    __global int *restrict sum_of_block,
                    ulong in_size) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, regroup(asso_tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * tile;
  const ulong in_len = min(tile, in_size - min(in_start, in_size));

  // S_B, regroup(stride_tiled, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(sum#1, SE_T)
  int accum = 0;
  UNROLL(16)
  for (ulong i = 0; i < in_len_2; ++i) {
    accum += in[in_start + thread + i * NUM_THREADS];
  }
  const int sum_of_thread = accum;

  // compute(kog, VE_B)
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
  if (thread == 0) {
    sum_of_block[block] = tmp[NUM_THREADS - 1];
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void sum_2(__global int *restrict result,
                    __global const int *restrict sum_of_block,
                    ulong p) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, devolve(B)
  // S_B, regroup(stride_tiled, B)
  // distribute(T)
  const ulong in_len = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(sum#1, SE_T)
  int accum = 0;
  UNROLL(16)
  for (ulong i = 0; i < in_len; ++i) {
    accum += sum_of_block[thread + i * NUM_THREADS];
  }
  const int sum_of_thread = accum;

  // compute(kog, VE_B)
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
  if (thread == 0) {
    result[0] = tmp[NUM_THREADS - 1];
  }
}
