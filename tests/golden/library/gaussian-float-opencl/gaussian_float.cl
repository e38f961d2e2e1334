// OpenCL kernels of gaussian_float, composed for h200:
//   select(gaussian_padded, G), S_G, regroup(gaussian_tiles, G), distribute(B),
//   compute(gaussian_lanes, VE_B)

// free parameter of gaussian_tiles
#ifndef GAUSSIAN_TILES_T
#define GAUSSIAN_TILES_T 16
#endif
// free parameter of gaussian_tiles
#ifndef GAUSSIAN_TILES_U
#define GAUSSIAN_TILES_U 256
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

float weigh5(float a, float b, float c, float d, float e) {
  return (a + 4.0f * b + 6.0f * c + 4.0f * d + e) / 16.0f;
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void gaussian_float_kernel(__global const float *restrict in,
                                    __global float *restrict out,
                                    ulong in_size0,
                                    ulong in_size1) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(gaussian_tiles, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < (in_size0 + GAUSSIAN_TILES_T - 1) / GAUSSIAN_TILES_T
      * ((in_size1 + GAUSSIAN_TILES_U - 1) / GAUSSIAN_TILES_U); block += get_num_groups(0)) {
    const ulong tile_row = block / ((in_size1 + GAUSSIAN_TILES_U - 1) / GAUSSIAN_TILES_U);
    const ulong in0_start = tile_row * GAUSSIAN_TILES_T;
    const ulong tile_column = block % ((in_size1 + GAUSSIAN_TILES_U - 1) / GAUSSIAN_TILES_U);
    const ulong in1_start = tile_column * GAUSSIAN_TILES_U;
    const ulong out0_len = min((ulong)GAUSSIAN_TILES_T, in_size0 - min(in0_start, in_size0));
    const ulong out1_len = min((ulong)GAUSSIAN_TILES_U, in_size1 - min(in1_start, in_size1));

    // compute(gaussian_lanes, VE_B)
    const bool inside = 2 <= in0_start && in0_start + max(out0_len, (ulong)1) + 1 < in_size0
        && 2 <= in1_start && in1_start + max(out1_len, (ulong)1) - 3 < in_size1 && in1_start
        + max(out1_len, (ulong)1) - 2 < in_size1 && in1_start + max(out1_len, (ulong)1)
        + 1 < in_size1;
    if (inside) {
      for (ulong j = thread; j < GAUSSIAN_TILES_U; j += NUM_THREADS) {
        float lines[5];
        #pragma unroll 4
        for (ulong k = 0; k < 4; ++k) {
          lines[k] =
              weigh5(in[(in0_start + k - 2) * in_size1 + (in1_start + j - 2)],
              in[(in0_start + k - 2) * in_size1 + (in1_start + j - 1)],
              in[(in0_start + k - 2) * in_size1 + (in1_start + j)],
              in[(in0_start + k - 2) * in_size1 + (in1_start + j + 1)],
              in[(in0_start + k - 2) * in_size1 + (in1_start + j + 2)]);
        }
        for (ulong i = 0; i < GAUSSIAN_TILES_T; ++i) {
          lines[4] =
              weigh5(in[(in0_start + i + 2) * in_size1 + (in1_start + j - 2)],
              in[(in0_start + i + 2) * in_size1 + (in1_start + j - 1)],
              in[(in0_start + i + 2) * in_size1 + (in1_start + j)],
              in[(in0_start + i + 2) * in_size1 + (in1_start + j + 1)],
              in[(in0_start + i + 2) * in_size1 + (in1_start + j + 2)]);
          out[(in0_start + i) * in_size1 + (in1_start + j)] =
              weigh5(lines[0], lines[1], lines[2], lines[3], lines[4]);
          #pragma unroll 4
          for (ulong k = 0; k < 4; ++k) {
            lines[k] = lines[k + 1];
          }
        }
      }
    } else {
      for (ulong j = thread; j < out1_len; j += NUM_THREADS) {
        float lines[5];
        if (0 < out0_len) {
          #pragma unroll 4
          for (ulong k = 0; k < 4; ++k) {
            lines[k] =
                weigh5(in[min(max(in0_start + k, (ulong)2) - 2, in_size0 - 1) * in_size1
                + min(max(in1_start + j, (ulong)2) - 2, in_size1 - 1)],
                in[min(max(in0_start + k, (ulong)2) - 2, in_size0 - 1) * in_size1
                + min(max(in1_start + j, (ulong)1) - 1, in_size1 - 1)],
                in[min(max(in0_start + k, (ulong)2) - 2, in_size0 - 1) * in_size1
                + (in1_start + j)],
                in[min(max(in0_start + k, (ulong)2) - 2, in_size0 - 1) * in_size1
                + min(in1_start + j + 1, in_size1 - 1)],
                in[min(max(in0_start + k, (ulong)2) - 2, in_size0 - 1) * in_size1
                + min(in1_start + j + 2, in_size1 - 1)]);
          }
        }
        for (ulong i = 0; i < out0_len; ++i) {
          lines[4] =
              weigh5(in[min(in0_start + i + 2, in_size0 - 1) * in_size1
              + min(max(in1_start + j, (ulong)2) - 2, in_size1 - 1)],
              in[min(in0_start + i + 2, in_size0 - 1) * in_size1
              + min(max(in1_start + j, (ulong)1) - 1, in_size1 - 1)],
              in[min(in0_start + i + 2, in_size0 - 1) * in_size1 + (in1_start + j)],
              in[min(in0_start + i + 2, in_size0 - 1) * in_size1
              + min(in1_start + j + 1, in_size1 - 1)],
              in[min(in0_start + i + 2, in_size0 - 1) * in_size1
              + min(in1_start + j + 2, in_size1 - 1)]);
          out[(in0_start + i) * in_size1 + (in1_start + j)] =
              weigh5(lines[0], lines[1], lines[2], lines[3], lines[4]);
          #pragma unroll 4
          for (ulong k = 0; k < 4; ++k) {
            lines[k] = lines[k + 1];
          }
        }
      }
    }
  }
}
