// OpenCL kernels of axpy_float, composed for simple-gpu:
//   S_G, regroup(tiled, G), distribute(B), S_B, regroup(strided, B), distribute(T),
//   compute(axpy#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void axpy_float_kernel(__global const float *restrict x,
                                __global float *restrict y,
                                ulong x_size,
                                float a) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong x_tile = (x_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong x_start = block * x_tile;
  const ulong x_len = min(x_tile, x_size - min(x_start, x_size));

  // S_B, regroup(strided, B)
  // distribute(T)
  const ulong x_len_2 = (x_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(axpy#1, SE_T)
  #pragma unroll 8
  for (ulong i = 0; i < x_len_2; ++i) {
    y[x_start + thread + i * NUM_THREADS] += a * x[x_start + thread + i * NUM_THREADS];
  }
}
