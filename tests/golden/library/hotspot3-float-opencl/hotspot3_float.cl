// OpenCL kernels of hotspot3_float, composed for h200:
//   select(hotspot3_padded, G), S_G, regroup(hotspot3_parts, G), distribute(B), S_B,
//   regroup(hotspot3_parts, B), distribute(T), S_T, regroup(hotspot3_parts, T), distribute(I),
//   compute(hotspot3_inside#1, SE_I)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif
// chains in a thread
#ifndef NUM_CHAINS
#define NUM_CHAINS 4
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

  // S_G, regroup(hotspot3_parts, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong power_tile = (in_size0 + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong power_start = block * power_tile;
  const ulong power_len = min(power_tile, in_size0 - min(power_start, in_size0));
  const ulong in_len = min(power_tile + 2, in_size0 + 2 - min(power_start, in_size0 + 2));

  // S_B, regroup(hotspot3_parts, B)
  const ulong power_tile_2 = (power_len + NUM_THREADS - 1) / NUM_THREADS;
  const ulong in_tile = (max(in_len, (ulong)2) + NUM_THREADS - 3) / NUM_THREADS;

  // distribute(T)
  const ulong power_start_2 = thread * power_tile_2;
  const ulong power_len_2 = min(power_tile_2, power_len - min(power_start_2, power_len));
  const ulong in_start = thread * in_tile;
  const ulong in_len_2 = min(in_tile + 2, in_len - min(in_start, in_len));

  // S_T, regroup(hotspot3_parts, T)
  const ulong power_tile_3 = (power_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;
  const ulong in_tile_2 = (max(in_len_2, (ulong)2) + NUM_CHAINS - 3) / NUM_CHAINS;

  // distribute(I)
  // compute(hotspot3_inside#1, SE_I)
  const ulong common =
      min(power_tile_3, power_len_2 - min((NUM_CHAINS - 1) * power_tile_3, power_len_2));
  for (ulong i = 0; i < common; ++i) {
    #pragma unroll
    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
      for (ulong j = 0; j < in_size1; ++j) {
        #pragma unroll 2
        for (ulong k = 0; k < in_size2; ++k) {
          out[(power_start + power_start_2 + chain * power_tile_3 + i) * (in_size1 * in_size2) + j
              * in_size2 + k] = cc
              * (0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f) + cx
              * ((0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + j * in_size2 + min(max(k, (ulong)1) - 1, in_size2 - 1)]
              : 0.0f)
              + (0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + j * in_size2 + min(k + 1, in_size2 - 1)] : 0.0f)) + cy
              * ((0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + min(max(j, (ulong)1) - 1, in_size1 - 1) * in_size2 + k]
              : 0.0f)
              + (0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + min(j + 1, in_size1 - 1) * in_size2 + k] : 0.0f)) + cz
              * ((0 < in_size0
              ? in[min(max(power_start + in_start + chain * in_tile_2 + i, (ulong)1) - 1, in_size0
              - 1) * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f)
              + (0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i + 1, in_size0 - 1)
              * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f) + ambient) + step
              * power[(power_start + power_start_2 + chain * power_tile_3 + i)
              * (in_size1 * in_size2) + j * in_size2 + k];
        }
      }
    }
  }
  #pragma unroll
  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
    for (ulong i = common;
        i < min(power_tile_3, power_len_2 - min(chain * power_tile_3, power_len_2)); ++i) {
      for (ulong j = 0; j < in_size1; ++j) {
        #pragma unroll 2
        for (ulong k = 0; k < in_size2; ++k) {
          out[(power_start + power_start_2 + chain * power_tile_3 + i) * (in_size1 * in_size2) + j
              * in_size2 + k] = cc
              * (0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f) + cx
              * ((0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + j * in_size2 + min(max(k, (ulong)1) - 1, in_size2 - 1)]
              : 0.0f)
              + (0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + j * in_size2 + min(k + 1, in_size2 - 1)] : 0.0f)) + cy
              * ((0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + min(max(j, (ulong)1) - 1, in_size1 - 1) * in_size2 + k]
              : 0.0f)
              + (0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i, in_size0 - 1)
              * (in_size1 * in_size2) + min(j + 1, in_size1 - 1) * in_size2 + k] : 0.0f)) + cz
              * ((0 < in_size0
              ? in[min(max(power_start + in_start + chain * in_tile_2 + i, (ulong)1) - 1, in_size0
              - 1) * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f)
              + (0 < in_size0
              ? in[min(power_start + in_start + chain * in_tile_2 + i + 1, in_size0 - 1)
              * (in_size1 * in_size2) + j * in_size2 + k] : 0.0f) + ambient) + step
              * power[(power_start + power_start_2 + chain * power_tile_3 + i)
              * (in_size1 * in_size2) + j * in_size2 + k];
        }
      }
    }
  }
}
