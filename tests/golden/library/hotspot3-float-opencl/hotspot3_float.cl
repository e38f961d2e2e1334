// OpenCL kernels of hotspot3_float, composed for h200:
//   select(hotspot3_padded, G), S_G, regroup(hotspot3_tiles, G), distribute(B),
//   compute(hotspot3_lanes, VE_B)

// free parameter of hotspot3_tiles
#ifndef HOTSPOT3_TILES_T
#define HOTSPOT3_TILES_T 8
#endif
// free parameter of hotspot3_tiles
#ifndef HOTSPOT3_TILES_U
#define HOTSPOT3_TILES_U 4
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void hotspot3_float_kernel(__global const float *restrict power,
                                    __global const float *restrict in,
                                    __global float *restrict out,
                                    ulong in_size0,
                                    ulong in_size1,
                                    ulong in_size2,
                                    float cc,
                                    float cx,
                                    float cy,
                                    float cz,
                                    float step,
                                    float ambient) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(hotspot3_tiles, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < (in_size0 + HOTSPOT3_TILES_T - 1) / HOTSPOT3_TILES_T
      * ((in_size1 + HOTSPOT3_TILES_U - 1) / HOTSPOT3_TILES_U); block += get_num_groups(0)) {
    const ulong power0_part = block / ((in_size1 + HOTSPOT3_TILES_U - 1) / HOTSPOT3_TILES_U);
    const ulong power0_start = power0_part * HOTSPOT3_TILES_T;
    const ulong power0_len = min((ulong)HOTSPOT3_TILES_T, in_size0 - min(power0_start, in_size0));
    const ulong power1_part = block % ((in_size1 + HOTSPOT3_TILES_U - 1) / HOTSPOT3_TILES_U);
    const ulong power1_start = power1_part * HOTSPOT3_TILES_U;
    const ulong power1_len = min((ulong)HOTSPOT3_TILES_U, in_size1 - min(power1_start, in_size1));

    // compute(hotspot3_lanes, VE_B)
    const bool inside = 1 <= power1_start && power1_start + max(power1_len, (ulong)1)
        - 2 <= in_size1 - 1 && power1_start + max(power1_len, (ulong)1) <= in_size1 - 1
        && 1 <= power0_start && power0_start + max(power0_len, (ulong)1) - 2 <= in_size0 - 1
        && power0_start + max(power0_len, (ulong)1) <= in_size0 - 1;
    const bool full = power0_len == HOTSPOT3_TILES_T && power1_len == HOTSPOT3_TILES_U;
    if (inside && full) {
      for (ulong k = thread; k < in_size2; k += NUM_THREADS) {
        float in_0[HOTSPOT3_TILES_U];
        #pragma unroll 64
        for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {
          in_0[c] =
              in[(power0_start - 1) * (in_size1 * in_size2) + (power1_start + c) * in_size2 + k];
        }
        float in_1[HOTSPOT3_TILES_U + 2];
        #pragma unroll 64
        for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {
          in_1[c + 1] =
              in[power0_start * (in_size1 * in_size2) + (power1_start + c) * in_size2 + k];
        }
        #pragma unroll 2
        for (ulong i = 0; i < HOTSPOT3_TILES_T; ++i) {
          in_1[0] =
              in[(power0_start + i) * (in_size1 * in_size2) + (power1_start - 1) * in_size2 + k];
          in_1[HOTSPOT3_TILES_U + 1] =
              in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + HOTSPOT3_TILES_U)
              * in_size2 + k];
          float in_2[HOTSPOT3_TILES_U];
          #pragma unroll 64
          for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {
            in_2[c] =
                in[(power0_start + i + 1) * (in_size1 * in_size2) + (power1_start + c) * in_size2
                + k];
          }
          #pragma unroll 64
          for (ulong j = 0; j < HOTSPOT3_TILES_U; ++j) {
            out[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2 + k] =
                cc * in_1[j + 1] + cx
                * (in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                + min(max(k, (ulong)1) - 1, in_size2 - 1)]
                + in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                + min(k + 1, in_size2 - 1)]) + cy * (in_1[j] + in_1[j + 2]) + cz
                * (in_0[j] + in_2[j] + ambient) + step
                * power[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                + k];
          }
          #pragma unroll 64
          for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {
            in_0[c] = in_1[c + 1];
          }
          #pragma unroll 64
          for (ulong c = 0; c < HOTSPOT3_TILES_U; ++c) {
            in_1[c + 1] = in_2[c];
          }
        }
      }
    } else {
      if (inside) {
        for (ulong k = thread; k < in_size2; k += NUM_THREADS) {
          for (ulong i = 0; i < power0_len; ++i) {
            #pragma unroll 2
            for (ulong j = 0; j < power1_len; ++j) {
              out[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2 + k] =
                  cc
                  * in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                  + k] + cx
                  * (in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                  + min(max(k, (ulong)1) - 1, in_size2 - 1)]
                  + in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                  + min(k + 1, in_size2 - 1)]) + cy
                  * (in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j - 1)
                  * in_size2 + k]
                  + in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j + 1)
                  * in_size2 + k]) + cz
                  * (in[(power0_start + i - 1) * (in_size1 * in_size2) + (power1_start + j)
                  * in_size2 + k]
                  + in[(power0_start + i + 1) * (in_size1 * in_size2) + (power1_start + j)
                  * in_size2 + k] + ambient) + step
                  * power[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j)
                  * in_size2 + k];
            }
          }
        }
      } else {
        for (ulong k = thread; k < in_size2; k += NUM_THREADS) {
          for (ulong i = 0; i < power0_len; ++i) {
            #pragma unroll 2
            for (ulong j = 0; j < power1_len; ++j) {
              out[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2 + k] =
                  cc
                  * in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                  + k] + cx
                  * (in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                  + min(max(k, (ulong)1) - 1, in_size2 - 1)]
                  + in[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j) * in_size2
                  + min(k + 1, in_size2 - 1)]) + cy
                  * (in[(power0_start + i) * (in_size1 * in_size2)
                  + min(max(power1_start + j, (ulong)1) - 1, in_size1 - 1) * in_size2 + k]
                  + in[(power0_start + i) * (in_size1 * in_size2)
                  + min(power1_start + j + 1, in_size1 - 1) * in_size2 + k]) + cz
                  * (in[min(max(power0_start + i, (ulong)1) - 1, in_size0 - 1)
                  * (in_size1 * in_size2) + (power1_start + j) * in_size2 + k]
                  + in[min(power0_start + i + 1, in_size0 - 1) * (in_size1 * in_size2)
                  + (power1_start + j) * in_size2 + k] + ambient) + step
                  * power[(power0_start + i) * (in_size1 * in_size2) + (power1_start + j)
                  * in_size2 + k];
            }
          }
        }
      }
    }
  }
}
