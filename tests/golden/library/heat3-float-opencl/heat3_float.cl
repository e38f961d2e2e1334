// OpenCL kernels of heat3_float, composed for simple-gpu:
//   select(heat3_padded, G), S_G, regroup(heat3_tiles, G), distribute(B), S_B,
//   regroup(heat3_tiles, B), distribute(T), compute(heat3_inside#1, SE_T)

// free parameter of heat3_tiles
#ifndef HEAT3_TILES_T
#define HEAT3_TILES_T 4
#endif
// free parameter of heat3_tiles
#ifndef HEAT3_TILES_U
#define HEAT3_TILES_U 4
#endif
// free parameter of heat3_tiles
#ifndef HEAT3_TILES_T_2
#define HEAT3_TILES_T_2 4
#endif
// free parameter of heat3_tiles
#ifndef HEAT3_TILES_U_2
#define HEAT3_TILES_U_2 4
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void heat3_float_kernel(__global const float *restrict in,
                                 __global float *restrict out,
                                 ulong in_size0,
                                 ulong in_size1,
                                 ulong in_size2,
                                 float c) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(heat3_tiles, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < (in_size0 + HEAT3_TILES_T - 1) / HEAT3_TILES_T
      * ((in_size1 + HEAT3_TILES_U - 1) / HEAT3_TILES_U); block += get_num_groups(0)) {
    const ulong tile_row = block / ((in_size1 + HEAT3_TILES_U - 1) / HEAT3_TILES_U);
    const ulong in0_start = tile_row * HEAT3_TILES_T;
    const ulong in0_len =
        min((ulong)(HEAT3_TILES_T + 2), in_size0 + 2 - min(in0_start, in_size0 + 2));
    const ulong tile_column = block % ((in_size1 + HEAT3_TILES_U - 1) / HEAT3_TILES_U);
    const ulong in1_start = tile_column * HEAT3_TILES_U;
    const ulong in1_len =
        min((ulong)(HEAT3_TILES_U + 2), in_size1 + 2 - min(in1_start, in_size1 + 2));
    const ulong out1_len = min((ulong)HEAT3_TILES_U, in_size1 - min(in1_start, in_size1));

    // S_B, regroup(heat3_tiles, B)
    // distribute(T)
    const bool inside = 1 <= in0_start && 3 <= max(in1_len, (ulong)2) + HEAT3_TILES_U_2
        && 1 <= in1_start && in1_start
        + (max((max(in1_len, (ulong)2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2, (ulong)1) - 1)
        * HEAT3_TILES_U_2 + max((ulong)HEAT3_TILES_U_2, (ulong)1) < in_size1 && in0_start
        + (max((max(in0_len, (ulong)2) + HEAT3_TILES_T_2 - 3) / HEAT3_TILES_T_2
        * ((max(in1_len, (ulong)2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2), (ulong)1) - 1)
        / max((max(in1_len, (ulong)2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2, (ulong)1)
        * HEAT3_TILES_T_2 + max((ulong)HEAT3_TILES_T_2, (ulong)1) < in_size0
        && 3 <= max(in0_len, (ulong)2) + HEAT3_TILES_T_2;
    for (ulong thread_2 = thread; thread_2 < (max(in0_len, (ulong)2) + HEAT3_TILES_T_2 - 3)
        / HEAT3_TILES_T_2 * ((max(in1_len, (ulong)2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2);
        thread_2 += NUM_THREADS) {
      if (inside) {
        const ulong tile_row_2 = thread_2
            / ((max(in1_len, (ulong)2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2);
        const ulong in0_start_2 = tile_row_2 * HEAT3_TILES_T_2;
        const ulong in0_len_2 =
            min((ulong)(HEAT3_TILES_T_2 + 2), in0_len - min(in0_start_2, in0_len));
        const ulong tile_column_2 =
            thread_2 % ((max(in1_len, (ulong)2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2);
        const ulong in1_start_2 = tile_column_2 * HEAT3_TILES_U_2;
        const ulong in1_len_2 =
            min((ulong)(HEAT3_TILES_U_2 + 2), in1_len - min(in1_start_2, in1_len));
        const ulong tile_row_3 = thread_2 / ((out1_len + HEAT3_TILES_U_2 - 1) / HEAT3_TILES_U_2);
        const ulong out0_start = tile_row_3 * HEAT3_TILES_T_2;
        const ulong tile_column_3 = thread_2 % ((out1_len + HEAT3_TILES_U_2 - 1) / HEAT3_TILES_U_2);
        const ulong out1_start = tile_column_3 * HEAT3_TILES_U_2;

        // compute(heat3_inside#1, SE_T)
        for (ulong i = 0; i + 2 < in0_len_2; ++i) {
          for (ulong j = 0; j + 2 < in1_len_2; ++j) {
            #pragma unroll 4
            for (ulong k = 0; k + 2 < in_size2 + 2; ++k) {
              const float around =
                  in[(in0_start + in0_start_2 + i - 1) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + j) * in_size2 + k]
                  + in[(in0_start + in0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + j - 1) * in_size2 + k]
                  + in[(in0_start + in0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + j) * in_size2 + (k < 1 ? in_size2 - 1 : k - 1)]
                  + in[(in0_start + in0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + j) * in_size2 + (k + 1 < in_size2 ? k + 1 : 0)]
                  + in[(in0_start + in0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + j + 1) * in_size2 + k]
                  + in[(in0_start + in0_start_2 + i + 1) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + j) * in_size2 + k];
              out[(in0_start + out0_start + i) * (in_size1 * in_size2)
                  + (in1_start + out1_start + j) * in_size2 + k] =
                  in[(in0_start + in0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + j) * in_size2 + k] + c
                  * (around - 6.0f
                  * in[(in0_start + in0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_2 + j) * in_size2 + k]);
            }
          }
        }
      } else {
        const ulong tile_row_4 = thread_2
            / ((max(in1_len, (ulong)2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2);
        const ulong in0_start_3 = tile_row_4 * HEAT3_TILES_T_2;
        const ulong in0_len_3 =
            min((ulong)(HEAT3_TILES_T_2 + 2), in0_len - min(in0_start_3, in0_len));
        const ulong tile_column_4 =
            thread_2 % ((max(in1_len, (ulong)2) + HEAT3_TILES_U_2 - 3) / HEAT3_TILES_U_2);
        const ulong in1_start_3 = tile_column_4 * HEAT3_TILES_U_2;
        const ulong in1_len_3 =
            min((ulong)(HEAT3_TILES_U_2 + 2), in1_len - min(in1_start_3, in1_len));
        const ulong tile_row_5 = thread_2 / ((out1_len + HEAT3_TILES_U_2 - 1) / HEAT3_TILES_U_2);
        const ulong out0_start_2 = tile_row_5 * HEAT3_TILES_T_2;
        const ulong tile_column_5 = thread_2 % ((out1_len + HEAT3_TILES_U_2 - 1) / HEAT3_TILES_U_2);
        const ulong out1_start_2 = tile_column_5 * HEAT3_TILES_U_2;

        // compute(heat3_inside#1, SE_T)
        for (ulong i = 0; i + 2 < in0_len_3; ++i) {
          for (ulong j = 0; j + 2 < in1_len_3; ++j) {
            #pragma unroll 4
            for (ulong k = 0; k + 2 < in_size2 + 2; ++k) {
              const float around =
                  (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_3 + i < 1 ? in_size0 - 1 : in0_start + in0_start_3
                  + i - 1) * (in_size1 * in_size2) + (in1_start + in1_start_3 + j) * in_size2 + k]
                  : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_3 + j < 1 ? in_size1 - 1 : in1_start + in1_start_3 + j
                  - 1) * in_size2 + k] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_3 + j) * in_size2 + (k < 1 ? in_size2 - 1 : k - 1)]
                  : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_3 + j) * in_size2 + (k + 1 < in_size2 ? k + 1 : 0)]
                  : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_3 + j + 1 < in_size1 ? in1_start + in1_start_3 + j + 1
                  : 0) * in_size2 + k] : 0.0f)
                  + (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_3 + i + 1 < in_size0 ? in0_start + in0_start_3 + i
                  + 1 : 0) * (in_size1 * in_size2) + (in1_start + in1_start_3 + j) * in_size2 + k]
                  : 0.0f);
              out[(in0_start + out0_start_2 + i) * (in_size1 * in_size2)
                  + (in1_start + out1_start_2 + j) * in_size2 + k] =
                  (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_3 + j) * in_size2 + k] : 0.0f) + c
                  * (around - 6.0f
                  * (0 < in_size1 && 0 < in_size0
                  ? in[(in0_start + in0_start_3 + i) * (in_size1 * in_size2)
                  + (in1_start + in1_start_3 + j) * in_size2 + k] : 0.0f));
            }
          }
        }
      }
    }
  }
}
