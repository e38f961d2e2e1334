// OpenCL kernels of jacobi13_float, composed for h200:
//   select(jacobi13_padded, G), S_G, regroup(jacobi13_tiles, G), distribute(B),
//   compute(jacobi13_lanes, VE_B)

// free parameter of jacobi13_tiles
#ifndef JACOBI13_TILES_T
#define JACOBI13_TILES_T 8
#endif
// free parameter of jacobi13_tiles
#ifndef JACOBI13_TILES_U
#define JACOBI13_TILES_U 4
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void jacobi13_float_kernel(__global const float *restrict in,
                                    __global float *restrict out,
                                    ulong in_size0,
                                    ulong in_size1,
                                    ulong in_size2) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(jacobi13_tiles, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < (in_size0 + JACOBI13_TILES_T - 1) / JACOBI13_TILES_T
      * ((in_size1 + JACOBI13_TILES_U - 1) / JACOBI13_TILES_U); block += get_num_groups(0)) {
    const ulong tile_row = block / ((in_size1 + JACOBI13_TILES_U - 1) / JACOBI13_TILES_U);
    const ulong in0_start = tile_row * JACOBI13_TILES_T;
    const ulong tile_column = block % ((in_size1 + JACOBI13_TILES_U - 1) / JACOBI13_TILES_U);
    const ulong in1_start = tile_column * JACOBI13_TILES_U;
    const ulong out0_len = min((ulong)JACOBI13_TILES_T, in_size0 - min(in0_start, in_size0));
    const ulong out1_len = min((ulong)JACOBI13_TILES_U, in_size1 - min(in1_start, in_size1));

    // compute(jacobi13_lanes, VE_B)
    const bool inside = 2 <= in0_start && 2 <= in1_start && in1_start + max(out1_len, (ulong)1)
        + 1 < in_size1 && in0_start + max(out0_len, (ulong)1) + 1 < in_size0;
    if (inside) {
      for (ulong k = thread; k < in_size2; k += NUM_THREADS) {
        float in_0[JACOBI13_TILES_U];
        #pragma unroll 64
        for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
          in_0[c] = in[(in0_start - 2) * (in_size1 * in_size2) + (in1_start + c) * in_size2 + k];
        }
        float in_1[JACOBI13_TILES_U];
        #pragma unroll 64
        for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
          in_1[c] = in[(in0_start - 1) * (in_size1 * in_size2) + (in1_start + c) * in_size2 + k];
        }
        float in_2[JACOBI13_TILES_U + 4];
        #pragma unroll 64
        for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
          in_2[c + 2] = in[in0_start * (in_size1 * in_size2) + (in1_start + c) * in_size2 + k];
        }
        float in_3[JACOBI13_TILES_U];
        #pragma unroll 64
        for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
          in_3[c] = in[(in0_start + 1) * (in_size1 * in_size2) + (in1_start + c) * in_size2 + k];
        }
        for (ulong i = 0; i < JACOBI13_TILES_T; ++i) {
          in_2[0] = in[(in0_start + i) * (in_size1 * in_size2) + (in1_start - 2) * in_size2 + k];
          in_2[1] = in[(in0_start + i) * (in_size1 * in_size2) + (in1_start - 1) * in_size2 + k];
          in_2[JACOBI13_TILES_U + 2] =
              in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + JACOBI13_TILES_U)
              * in_size2 + k];
          in_2[JACOBI13_TILES_U + 3] =
              in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + JACOBI13_TILES_U + 1)
              * in_size2 + k];
          float in_4[JACOBI13_TILES_U];
          #pragma unroll 64
          for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
            in_4[c] =
                in[(in0_start + i + 2) * (in_size1 * in_size2) + (in1_start + c) * in_size2 + k];
          }
          #pragma unroll 64
          for (ulong j = 0; j < JACOBI13_TILES_U; ++j) {
            out[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2 + k] =
                (in_0[j] + in_1[j] + in_2[j] + in_2[j + 1]
                + (2 <= k
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2
                + (k - 2)] : 0.0f)
                + (1 <= k
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2
                + (k - 1)] : 0.0f) + in_2[j + 2]
                + (k + 1 < in_size2
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2
                + (k + 1)] : 0.0f)
                + (k + 2 < in_size2
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2
                + (k + 2)] : 0.0f) + in_2[j + 3] + in_2[j + 4] + in_3[j] + in_4[j]) / 13.0f;
          }
          #pragma unroll 64
          for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
            in_0[c] = in_1[c];
          }
          #pragma unroll 64
          for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
            in_1[c] = in_2[c + 2];
          }
          #pragma unroll 64
          for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
            in_2[c + 2] = in_3[c];
          }
          #pragma unroll 64
          for (ulong c = 0; c < JACOBI13_TILES_U; ++c) {
            in_3[c] = in_4[c];
          }
        }
      }
    } else {
      for (ulong k = thread; k < in_size2; k += NUM_THREADS) {
        for (ulong i = 0; i < out0_len; ++i) {
          #pragma unroll 2
          for (ulong j = 0; j < out1_len; ++j) {
            out[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2 + k] =
                ((2 <= in0_start + i
                ? in[(in0_start + i - 2) * (in_size1 * in_size2) + (in1_start + j) * in_size2 + k]
                : 0.0f)
                + (1 <= in0_start + i
                ? in[(in0_start + i - 1) * (in_size1 * in_size2) + (in1_start + j) * in_size2 + k]
                : 0.0f)
                + (2 <= in1_start + j
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j - 2) * in_size2 + k]
                : 0.0f)
                + (1 <= in1_start + j
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j - 1) * in_size2 + k]
                : 0.0f)
                + (2 <= k
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2
                + (k - 2)] : 0.0f)
                + (1 <= k
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2
                + (k - 1)] : 0.0f)
                + in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2 + k]
                + (k + 1 < in_size2
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2
                + (k + 1)] : 0.0f)
                + (k + 2 < in_size2
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j) * in_size2
                + (k + 2)] : 0.0f)
                + (in1_start + j + 1 < in_size1
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j + 1) * in_size2 + k]
                : 0.0f)
                + (in1_start + j + 2 < in_size1
                ? in[(in0_start + i) * (in_size1 * in_size2) + (in1_start + j + 2) * in_size2 + k]
                : 0.0f)
                + (in0_start + i + 1 < in_size0
                ? in[(in0_start + i + 1) * (in_size1 * in_size2) + (in1_start + j) * in_size2 + k]
                : 0.0f)
                + (in0_start + i + 2 < in_size0
                ? in[(in0_start + i + 2) * (in_size1 * in_size2) + (in1_start + j) * in_size2 + k]
                : 0.0f)) / 13.0f;
          }
        }
      }
    }
  }
}
