// OpenCL kernels of jacobi_float, composed for simple-gpu:
//   select(jacobi_padded, G), S_G, regroup(jacobi_tiles, G), distribute(B), S_B,
//   regroup(jacobi_parts, B), distribute(T), compute(jacobi_inside#1, SE_T)

// free parameter of jacobi_tiles
#ifndef JACOBI_TILES_T
#define JACOBI_TILES_T 16
#endif
// free parameter of jacobi_tiles
#ifndef JACOBI_TILES_U
#define JACOBI_TILES_U 256
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void jacobi_float_kernel(__global const float *restrict in,
                                  __global float *restrict out,
                                  ulong in_size0,
                                  ulong in_size1) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(jacobi_tiles, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < (in_size0 + JACOBI_TILES_T - 1) / JACOBI_TILES_T
      * ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U); block += get_num_groups(0)) {
    const ulong in0_part = block / ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U);
    const ulong in0_start = in0_part * JACOBI_TILES_T;
    const ulong in0_len =
        min((ulong)(JACOBI_TILES_T + 2), in_size0 + 2 - min(in0_start, in_size0 + 2));
    const ulong in1_part = block % ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U);
    const ulong in1_start = in1_part * JACOBI_TILES_U;
    const ulong in1_len =
        min((ulong)(JACOBI_TILES_U + 2), in_size1 + 2 - min(in1_start, in_size1 + 2));
    const ulong out0_len = min((ulong)JACOBI_TILES_T, in_size0 - min(in0_start, in_size0));

    // S_B, regroup(jacobi_parts, B)
    const ulong in_tile = (max(in0_len, (ulong)2) + NUM_THREADS - 3) / NUM_THREADS;
    const ulong out_tile = (out0_len + NUM_THREADS - 1) / NUM_THREADS;

    // distribute(T)
    const bool inside = 1 <= in0_start && 1 <= in1_start && in1_start
        + max(max(in1_len, (ulong)2) - 2, (ulong)1) < in_size1 && in0_start + (NUM_THREADS - 1)
        * in_tile + max(in_tile, (ulong)1) < in_size0;
    if (inside) {
      const ulong in_start = thread * in_tile;
      const ulong in_len = min(in_tile + 2, in0_len - min(in_start, in0_len));
      const ulong out_start = thread * out_tile;

      // compute(jacobi_inside#1, SE_T)
      for (ulong i = 0; i + 2 < in_len; ++i) {
        #pragma unroll 4
        for (ulong j = 0; j + 2 < in1_len; ++j) {
          out[(in0_start + out_start + i) * in_size1 + (in1_start + j)] =
              (in[(in0_start + in_start + i - 1) * in_size1 + (in1_start + j)]
              + in[(in0_start + in_start + i) * in_size1 + (in1_start + j - 1)]
              + in[(in0_start + in_start + i) * in_size1 + (in1_start + j + 1)]
              + in[(in0_start + in_start + i + 1) * in_size1 + (in1_start + j)]) / 4.0f;
        }
      }
    } else {
      const ulong in_start_2 = thread * in_tile;
      const ulong in_len_2 = min(in_tile + 2, in0_len - min(in_start_2, in0_len));
      const ulong out_start_2 = thread * out_tile;

      // compute(jacobi_inside#1, SE_T)
      for (ulong i = 0; i + 2 < in_len_2; ++i) {
        #pragma unroll 4
        for (ulong j = 0; j + 2 < in1_len; ++j) {
          out[(in0_start + out_start_2 + i) * in_size1 + (in1_start + j)] =
              ((1 <= in0_start + in_start_2 + i
              ? in[(in0_start + in_start_2 + i - 1) * in_size1 + (in1_start + j)] : 0.0f)
              + (1 <= in1_start + j
              ? in[(in0_start + in_start_2 + i) * in_size1 + (in1_start + j - 1)] : 0.0f)
              + (in1_start + j + 1 < in_size1
              ? in[(in0_start + in_start_2 + i) * in_size1 + (in1_start + j + 1)] : 0.0f)
              + (in0_start + in_start_2 + i + 1 < in_size0
              ? in[(in0_start + in_start_2 + i + 1) * in_size1 + (in1_start + j)] : 0.0f)) / 4.0f;
        }
      }
    }
  }
}
