// OpenCL kernels of copy_float, composed for simple-gpu:
//   S_G, regroup(copy_tiled, G), distribute(B), S_B, regroup(copy_strided, B), distribute(T),
//   compute(copy#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void copy_float_kernel(__global const float *restrict in,
                                __global float *restrict out,
                                ulong in_size) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(copy_tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // S_B, regroup(copy_strided, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(copy#1, SE_T)
  #pragma unroll 16
  for (ulong i = 0; i < in_len_2; ++i) {
    out[in_start + thread + i * NUM_THREADS] = in[in_start + thread + i * NUM_THREADS];
  }
}
