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

// PoCL needs a barrier at the end of loops around loops with barriers, and between a branch and one.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define POCL_BARRIER()
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void jacobi_float_kernel(__global const float *restrict in,
                                  __global float *restrict out,
                                  ulong in_size0,
                                  ulong in_size1) {
  __local float in_tile[(JACOBI_TILES_T + 2) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1)];
  const ulong thread = get_local_id(0);

  // S_G, regroup(jacobi_tiles, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < (in_size0 + JACOBI_TILES_T - 1) / JACOBI_TILES_T
      * ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U); block += get_num_groups(0)) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong tile_row = block / ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U);
    const ulong in0_start = tile_row * JACOBI_TILES_T;
    const ulong in0_len =
        min((ulong)(JACOBI_TILES_T + 2), in_size0 + 2 - min(in0_start, in_size0 + 2));
    const ulong tile_column = block % ((in_size1 + JACOBI_TILES_U - 1) / JACOBI_TILES_U);
    const ulong in1_start = tile_column * JACOBI_TILES_U;
    const ulong in1_len =
        min((ulong)(JACOBI_TILES_U + 2), in_size1 + 2 - min(in1_start, in_size1 + 2));
    const ulong out0_len = min((ulong)JACOBI_TILES_T, in_size0 - min(in0_start, in_size0));
    const bool inside = 1 <= in1_start && in1_start + (JACOBI_TILES_U + 1) < in_size1 + 1
        && 1 <= in0_start && in0_start + ((JACOBI_TILES_T + 2) * (JACOBI_TILES_U + 2) - 1)
        / (JACOBI_TILES_U + 2) < in_size0 + 1;
    for (ulong element = thread; element < (JACOBI_TILES_T + 2) * (JACOBI_TILES_U + 2); element +=
        NUM_THREADS) {
      if (inside) {
        const ulong column = element % (JACOBI_TILES_U + 2);
        const ulong row = element / (JACOBI_TILES_U + 2);
        in_tile[row * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + column] =
            in[(in0_start + row - 1) * in_size1 + (in1_start + column - 1)];
      } else {
        const ulong column_2 = element % (JACOBI_TILES_U + 2);
        const ulong row_2 = element / (JACOBI_TILES_U + 2);
        in_tile[row_2 * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + column_2] = 1 <= in1_start + column_2
            && in1_start + column_2 < in_size1 + 1
            && (1 <= in0_start + row_2 && in0_start + row_2 < in_size0 + 1)
            ? in[(in0_start + row_2 - 1) * in_size1 + (in1_start + column_2 - 1)] : 0.0f;
      }
    }

    // S_B, regroup(jacobi_parts, B)
    const ulong in_tile_2 = (max(in0_len, (ulong)2) + NUM_THREADS - 3) / NUM_THREADS;
    const ulong out_tile = (out0_len + NUM_THREADS - 1) / NUM_THREADS;

    // distribute(T)
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong in_start = thread * in_tile_2;
    const ulong in_len = min(in_tile_2 + 2, in0_len - min(in_start, in0_len));
    const ulong out_start = thread * out_tile;

    // compute(jacobi_inside#1, SE_T)
    for (ulong i = 0; i + 2 < in_len; ++i) {
      for (ulong j = 0; j + 2 < in1_len; ++j) {
        out[(in0_start + out_start + i) * in_size1 + (in1_start + j)] =
            (in_tile[(in_start + i) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + (j + 1)]
            + in_tile[(in_start + i + 1) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + j]
            + in_tile[(in_start + i + 1) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + (j + 2)]
            + in_tile[(in_start + i + 2) * ((JACOBI_TILES_U + 2) / 2 * 2 + 1) + (j + 1)]) / 4.0f;
      }
    }
    POCL_BARRIER();
  }
}
