// OpenCL kernels of ordered_gemv_float, composed for simple-gpu:
//   S_G, regroup(ordered_blocks, G), distribute(B), S_B, regroup(ordered_blocks, B),
//   distribute(T), compute(ordered_gemv#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void ordered_gemv_float_kernel(__global const float *restrict a,
                                        __global const float *restrict x,
                                        __global float *restrict y,
                                        ulong a_size0,
                                        ulong a_size1) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(ordered_blocks, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong a_tile = (a_size0 + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong a_start = block * a_tile;
  const ulong a_len = min(a_tile, a_size0 - min(a_start, a_size0));

  // S_B, regroup(ordered_blocks, B)
  const ulong a_tile_2 = (a_len + NUM_THREADS - 1) / NUM_THREADS;

  // distribute(T)
  const ulong a_start_2 = thread * a_tile_2;
  const ulong a_len_2 = min(a_tile_2, a_len - min(a_start_2, a_len));

  // compute(ordered_gemv#1, SE_T)
  for (ulong i = 0; i < a_len_2; ++i) {
    float accum = 0.0f;
    #pragma unroll 8
    for (ulong j = 0; j < a_size1; ++j) {
      accum += a[(a_start + a_start_2 + i) * a_size1 + j] * x[j];
    }
    y[a_start + a_start_2 + i] = accum;
  }
}
