// OpenCL kernels of jacobi9_float, composed for h200:
//   select(jacobi9_padded, G), S_G, regroup(nine_tiles, G), distribute(B),
//   compute(nine_lanes, VE_B)

// free parameter of nine_tiles
#ifndef NINE_TILES_T
#define NINE_TILES_T 16
#endif
// free parameter of nine_tiles
#ifndef NINE_TILES_U
#define NINE_TILES_U 256
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

// Indexes take 32 bits where the sizes of a call allow it, says the host.
#ifdef NARROW_INDEXES
typedef uint index_t;
#else
typedef ulong index_t;
#endif

static inline float4 load_float4(const __global float *from) {
#if defined(__NV_CL_C_VERSION)
  return *(const __global float4 *)from;
#else
  return vload4(0, from);
#endif
}

float mean9(float nw, float n, float ne, float w, float c, float e, float sw, float s, float se) {
  return (nw + n + ne + w + c + e + sw + s + se) / 9.0f;
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void jacobi9_float_kernel(__global const float *restrict in,
                                   __global float *restrict out,
                                   index_t in_size0,
                                   index_t in_size1) {
  __local __attribute__((aligned(16))) float in_tile[(NINE_TILES_T + 2) * (NINE_TILES_U + 8)];
  const index_t thread = get_local_id(0);

  // S_G, regroup(nine_tiles, G)
  // distribute(B)
  for (index_t block = get_group_id(0); block < (in_size0 + NINE_TILES_T - 1) / NINE_TILES_T
      * ((in_size1 + NINE_TILES_U - 1) / NINE_TILES_U); block += get_num_groups(0)) {
    const index_t tile_row = block / ((in_size1 + NINE_TILES_U - 1) / NINE_TILES_U);
    const index_t in0_start = tile_row * NINE_TILES_T;
    const index_t tile_column = block % ((in_size1 + NINE_TILES_U - 1) / NINE_TILES_U);
    const index_t in1_start = tile_column * NINE_TILES_U;
    const index_t out0_len = min((index_t)NINE_TILES_T, in_size0 - min(in0_start, in_size0));
    const index_t out1_len = min((index_t)NINE_TILES_U, in_size1 - min(in1_start, in_size1));

    // compute(nine_lanes, VE_B)
    const bool wide = in_size1 % 4 == 0 && 1 <= in0_start && in0_start
        + (NINE_TILES_T + 2) <= in_size0 + 1 && 4 <= in1_start && in1_start
        + (NINE_TILES_U + 8) <= in_size1 + 4;
    const bool inside = 1 <= in1_start && in1_start + (NINE_TILES_U + 1) < in_size1 + 1
        && 1 <= in0_start && in0_start + ((NINE_TILES_T + 2) * (NINE_TILES_U + 2) - 1)
        / (NINE_TILES_U + 2) < in_size0 + 1;
    if (wide) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      for (index_t piece = thread; piece < (NINE_TILES_T + 2) * ((NINE_TILES_U + 8) / 4); piece +=
          NUM_THREADS) {
        const index_t column = piece % ((NINE_TILES_U + 8) / 4);
        const index_t row = piece / ((NINE_TILES_U + 8) / 4);
        vstore4(load_float4(&in[(in0_start + row - 1) * in_size1 + (in1_start + column * 4 - 4)]),
            0, &in_tile[row * (NINE_TILES_U + 8) + column * 4]);
      }
    } else {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      for (index_t element = thread; element < (NINE_TILES_T + 2) * (NINE_TILES_U + 2); element +=
          NUM_THREADS) {
        if (inside) {
          const index_t column = element % (NINE_TILES_U + 2);
          const index_t row = element / (NINE_TILES_U + 2);
          in_tile[row * (NINE_TILES_U + 8) + (column + 3)] =
              in[(in0_start + row - 1) * in_size1 + (in1_start + column - 1)];
        } else {
          const index_t column_2 = element % (NINE_TILES_U + 2);
          const index_t row_2 = element / (NINE_TILES_U + 2);
          in_tile[row_2 * (NINE_TILES_U + 8) + (column_2 + 3)] = 1 <= in1_start + column_2
              && in1_start + column_2 < in_size1 + 1
              && (1 <= in0_start + row_2 && in0_start + row_2 < in_size0 + 1)
              ? in[(in0_start + row_2 - 1) * in_size1 + (in1_start + column_2 - 1)] : 0.0f;
        }
      }
    }
    const bool full = out1_len == NINE_TILES_U && out0_len == NINE_TILES_T;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (full) {
      for (index_t j = thread; j < NINE_TILES_U; j += NUM_THREADS) {
        #pragma unroll 16
        for (index_t i = 0; i < NINE_TILES_T; ++i) {
          out[(in0_start + i) * in_size1 + (in1_start + j)] =
              mean9((in_tile + j)[i * (NINE_TILES_U + 8) + 3],
              (in_tile + j)[i * (NINE_TILES_U + 8) + 4], (in_tile + j)[i * (NINE_TILES_U + 8) + 5],
              (in_tile + j)[(i + 1) * (NINE_TILES_U + 8) + 3],
              (in_tile + j)[(i + 1) * (NINE_TILES_U + 8) + 4],
              (in_tile + j)[(i + 1) * (NINE_TILES_U + 8) + 5],
              (in_tile + j)[(i + 2) * (NINE_TILES_U + 8) + 3],
              (in_tile + j)[(i + 2) * (NINE_TILES_U + 8) + 4],
              (in_tile + j)[(i + 2) * (NINE_TILES_U + 8) + 5]);
        }
      }
    } else {
      for (index_t j = thread; j < out1_len; j += NUM_THREADS) {
        for (index_t i = 0; i < out0_len; ++i) {
          out[(in0_start + i) * in_size1 + (in1_start + j)] =
              mean9(in_tile[i * (NINE_TILES_U + 8) + (j + 3)],
              in_tile[i * (NINE_TILES_U + 8) + (j + 4)], in_tile[i * (NINE_TILES_U + 8) + (j + 5)],
              in_tile[(i + 1) * (NINE_TILES_U + 8) + (j + 3)],
              in_tile[(i + 1) * (NINE_TILES_U + 8) + (j + 4)],
              in_tile[(i + 1) * (NINE_TILES_U + 8) + (j + 5)],
              in_tile[(i + 2) * (NINE_TILES_U + 8) + (j + 3)],
              in_tile[(i + 2) * (NINE_TILES_U + 8) + (j + 4)],
              in_tile[(i + 2) * (NINE_TILES_U + 8) + (j + 5)]);
        }
      }
    }
  }
}
