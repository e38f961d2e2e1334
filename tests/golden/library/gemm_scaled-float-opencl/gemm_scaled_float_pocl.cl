// OpenCL kernels of gemm_scaled_float, composed for simple-gpu:
//   select(product_first, G), distribute(B), compute(clear_lanes, VE_B), S_G, regroup(tile, G),
//   distribute(B), S_B, regroup(step, B), serialize(B), S_B, regroup(tile, B), distribute(T),
//   compute(gemm#1, SE_T), distribute(B), compute(combine_lanes, VE_B)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif
// free parameter of tile
#ifndef TILE_M
#define TILE_M 64
#endif
// free parameter of tile
#ifndef TILE_N
#define TILE_N 64
#endif
// free parameter of step
#ifndef STEP_K
#define STEP_K 32
#endif
// free parameter of tile
#ifndef TILE_M_2
#define TILE_M_2 4
#endif
// free parameter of tile
#ifndef TILE_N_2
#define TILE_N_2 4
#endif

// Indexes take 32 bits where the sizes of a call allow it, says the host.
#ifdef NARROW_INDEXES
typedef uint index_t;
#else
typedef ulong index_t;
#endif

// PoCL needs a barrier at the end of loops around loops with barriers, and between a branch and one.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define POCL_BARRIER()
#endif

// PoCL needs branches between barriers to stay as they are written.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_KEEP() __builtin_prefetch((const void *)0)
#else
#define POCL_KEEP()
#endif

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void gemm_scaled_float_1(__global float *restrict product,
                                  index_t a_size0,
                                  index_t b_size1) {
  const index_t thread = get_local_id(0);

  // distribute(B)
  for (index_t block = get_group_id(0); block < a_size0; block += get_num_groups(0)) {
    // compute(clear_lanes, VE_B)
    for (index_t j = thread; j < b_size1; j += NUM_THREADS) {
      product[block * b_size1 + j] = 0.0f;
    }
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void gemm_scaled_float_2(__global const float *restrict a,
                                  __global const float *restrict b,
                                  __global float *restrict product,
                                  index_t a_size0,
                                  index_t a_size1,
                                  index_t b_size1) {
  enum { a_tile_pitch = (TILE_M - 1 + (STEP_K + 7) / STEP_K * 4) / ((STEP_K + 7) / STEP_K * 8)
      * ((STEP_K + 7) / STEP_K * 8) + (STEP_K + 7) / STEP_K * 4 };
  enum { b_tile_pitch =
      (((TILE_N - 1) / TILE_N_2 + (TILE_N_2 + 31) / TILE_N_2) / ((TILE_N_2 + 31) / TILE_N_2 * 2)
      * ((TILE_N_2 + 31) / TILE_N_2 * 2) + (TILE_N_2 + 31) / TILE_N_2) * 4 };
  enum { b_tile_row = ((TILE_N_2 + 3) / 4 - 1) * b_tile_pitch + (TILE_N + TILE_N_2 - 1) / TILE_N_2
      * 4 };
  __local __attribute__((aligned(16))) float a_tile[STEP_K * a_tile_pitch];
  __local __attribute__((aligned(16))) float b_tile[STEP_K * b_tile_row];
  const index_t thread = get_local_id(0);

  // S_G, regroup(tile, G)
  // distribute(B)
  for (index_t block = get_group_id(0); block < (a_size0 + TILE_M - 1) / TILE_M
      * ((b_size1 + TILE_N - 1) / TILE_N); block += get_num_groups(0)) {
    const index_t tile_row = block / ((b_size1 + TILE_N - 1) / TILE_N);
    const index_t a0_start = tile_row * TILE_M;
    const index_t a0_len = min((index_t)TILE_M, a_size0 - min(a0_start, a_size0));
    const index_t tile_column = block % ((b_size1 + TILE_N - 1) / TILE_N);
    const index_t b1_start = tile_column * TILE_N;
    const index_t b1_len = min((index_t)TILE_N, b_size1 - min(b1_start, b_size1));

    // S_B, regroup(step, B)
    // serialize(B)
    float c_tile[TILE_M_2 * TILE_N_2];
    for (index_t thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2
        * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {
      const index_t tile_row_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);
      const index_t a0_start_2 = tile_row_2 * TILE_M_2;
      const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));
      const index_t tile_column_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);
      const index_t b1_start_2 = tile_column_2 * TILE_N_2;
      const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));
      POCL_KEEP();
      if ((TILE_N + TILE_N_2 - 1) / TILE_N_2
          * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS) {
        POCL_KEEP();
        if (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2) {
          UNROLL(64)
          for (index_t i = 0; i < TILE_M_2; ++i) {
            UNROLL(64)
            for (index_t j = 0; j < TILE_N_2; ++j) {
              c_tile[i * TILE_N_2 + j] =
                  product[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)];
            }
            POCL_KEEP();
          }
          POCL_KEEP();
        } else {
          UNROLL(64)
          for (index_t i = 0; i < TILE_M_2; ++i) {
            POCL_KEEP();
            if (i < a0_len_2) {
              UNROLL(64)
              for (index_t j = 0; j < TILE_N_2; ++j) {
                POCL_KEEP();
                if (j < b1_len_2) {
                  c_tile[i * TILE_N_2 + j] =
                      product[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)];
                }
                POCL_KEEP();
              }
              POCL_KEEP();
            }
            POCL_KEEP();
          }
          POCL_KEEP();
        }
        POCL_KEEP();
      }
      POCL_KEEP();
    }
    POCL_KEEP();
    float a_tile_next[(TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS];
    float b_tile_next[(STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS];
    POCL_KEEP();
    if (0 < (a_size1 + STEP_K - 1) / STEP_K) {
      const index_t a1_start = 0;
      const index_t a1_len = min((index_t)STEP_K, a_size1 - a1_start);
      UNROLL(64)
      for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {
        const index_t element = thread + r * NUM_THREADS;
        POCL_KEEP();
        if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {
          const index_t column = element % STEP_K;
          const index_t row = element / STEP_K;
          a_tile_next[r] = row < a0_len && column < a1_len
              ? a[(a0_start + row) * a_size1 + (a1_start + column)] : 0.0f;
        }
        POCL_KEEP();
      }
      POCL_KEEP();
      UNROLL(64)
      for (index_t r = 0; r < (STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS; ++r) {
        const index_t element = thread + r * NUM_THREADS;
        POCL_KEEP();
        if (STEP_K * TILE_N % NUM_THREADS == 0 || element < STEP_K * TILE_N) {
          const index_t column = element % TILE_N;
          const index_t row = element / TILE_N;
          b_tile_next[r] = row < a1_len && column < b1_len
              ? b[(a1_start + row) * b_size1 + (b1_start + column)] : 0.0f;
        }
        POCL_KEEP();
      }
      POCL_KEEP();
    }
    POCL_KEEP();
    POCL_BARRIER();
    POCL_KEEP();
    for (index_t part = 0; part < (a_size1 + STEP_K - 1) / STEP_K; ++part) {
      const index_t a1_start = part * STEP_K;
      const index_t a1_len = min((index_t)STEP_K, a_size1 - a1_start);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      POCL_KEEP();
      UNROLL(64)
      for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {
        const index_t element = thread + r * NUM_THREADS;
        POCL_KEEP();
        if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {
          const index_t column = element % STEP_K;
          const index_t row = element / STEP_K;
          a_tile[column * a_tile_pitch + row] = a_tile_next[r];
        }
        POCL_KEEP();
      }
      POCL_KEEP();
      UNROLL(64)
      for (index_t r = 0; r < (STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS; ++r) {
        const index_t element = thread + r * NUM_THREADS;
        POCL_KEEP();
        if (STEP_K * TILE_N % NUM_THREADS == 0 || element < STEP_K * TILE_N) {
          const index_t column = element % TILE_N;
          const index_t row = element / TILE_N;
          b_tile[row * b_tile_row
              + (column % TILE_N_2 / 4 * b_tile_pitch + column / TILE_N_2 * 4
              + column % TILE_N_2 % 4)] = b_tile_next[r];
        }
        POCL_KEEP();
      }
      POCL_KEEP();
      POCL_KEEP();
      if (part + 1 < (a_size1 + STEP_K - 1) / STEP_K) {
        const index_t a1_start_2 = (part + 1) * STEP_K;
        const index_t a1_len_2 = min((index_t)STEP_K, a_size1 - a1_start_2);
        UNROLL(64)
        for (index_t r = 0; r < (TILE_M * STEP_K + NUM_THREADS - 1) / NUM_THREADS; ++r) {
          const index_t element = thread + r * NUM_THREADS;
          POCL_KEEP();
          if (TILE_M * STEP_K % NUM_THREADS == 0 || element < TILE_M * STEP_K) {
            const index_t column = element % STEP_K;
            const index_t row = element / STEP_K;
            a_tile_next[r] = row < a0_len && column < a1_len_2
                ? a[(a0_start + row) * a_size1 + (a1_start_2 + column)] : 0.0f;
          }
          POCL_KEEP();
        }
        POCL_KEEP();
        UNROLL(64)
        for (index_t r = 0; r < (STEP_K * TILE_N + NUM_THREADS - 1) / NUM_THREADS; ++r) {
          const index_t element = thread + r * NUM_THREADS;
          POCL_KEEP();
          if (STEP_K * TILE_N % NUM_THREADS == 0 || element < STEP_K * TILE_N) {
            const index_t column = element % TILE_N;
            const index_t row = element / TILE_N;
            b_tile_next[r] = row < a1_len_2 && column < b1_len
                ? b[(a1_start_2 + row) * b_size1 + (b1_start + column)] : 0.0f;
          }
          POCL_KEEP();
        }
        POCL_KEEP();
      }
      POCL_KEEP();

      // S_B, regroup(tile, B)
      // distribute(T)
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      POCL_KEEP();
      for (index_t thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2
          * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {
        const index_t tile_row_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);
        const index_t a0_start_2 = tile_row_2 * TILE_M_2;
        const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));
        const index_t tile_column_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);
        const index_t b1_start_2 = tile_column_2 * TILE_N_2;
        const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));

        // compute(gemm#1, SE_T)
        POCL_KEEP();
        if ((TILE_N + TILE_N_2 - 1) / TILE_N_2
            * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS) {
          POCL_KEEP();
          if (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2) {
            POCL_KEEP();
            if (a1_len == STEP_K) {
              UNROLL(64)
              for (index_t k = 0; k < STEP_K; ++k) {
                UNROLL(64)
                for (index_t i = 0; i < TILE_M_2; ++i) {
                  UNROLL(64)
                  for (index_t j = 0; j < TILE_N_2; ++j) {
                    c_tile[i * TILE_N_2 + j] += a_tile[k * a_tile_pitch + (a0_start_2 + i)]
                        * b_tile[k * b_tile_row
                        + (j / 4 * b_tile_pitch + tile_column_2 * 4 + j % 4)];
                  }
                  POCL_KEEP();
                }
                POCL_KEEP();
              }
              POCL_KEEP();
            } else {
              for (index_t k = 0; k < a1_len; ++k) {
                UNROLL(64)
                for (index_t i = 0; i < TILE_M_2; ++i) {
                  UNROLL(64)
                  for (index_t j = 0; j < TILE_N_2; ++j) {
                    c_tile[i * TILE_N_2 + j] += a_tile[k * a_tile_pitch + (a0_start_2 + i)]
                        * b_tile[k * b_tile_row
                        + (j / 4 * b_tile_pitch + tile_column_2 * 4 + j % 4)];
                  }
                  POCL_KEEP();
                }
                POCL_KEEP();
              }
              POCL_KEEP();
            }
            POCL_KEEP();
          } else {
            for (index_t k = 0; k < a1_len; ++k) {
              UNROLL(64)
              for (index_t i = 0; i < TILE_M_2; ++i) {
                POCL_KEEP();
                if (i < a0_len_2) {
                  UNROLL(64)
                  for (index_t j = 0; j < TILE_N_2; ++j) {
                    POCL_KEEP();
                    if (j < b1_len_2) {
                      c_tile[i * TILE_N_2 + j] += a_tile[k * a_tile_pitch + (a0_start_2 + i)]
                          * b_tile[k * b_tile_row
                          + (j / 4 * b_tile_pitch + tile_column_2 * 4 + j % 4)];
                    }
                    POCL_KEEP();
                  }
                  POCL_KEEP();
                }
                POCL_KEEP();
              }
              POCL_KEEP();
            }
            POCL_KEEP();
          }
          POCL_KEEP();
        } else {
          for (index_t k = 0; k < a1_len; ++k) {
            for (index_t i = 0; i < a0_len_2; ++i) {
              UNROLL(16)
              for (index_t j = 0; j < b1_len_2; ++j) {
                product[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] +=
                    a_tile[k * a_tile_pitch + (a0_start_2 + i)]
                    * b_tile[k * b_tile_row + (j / 4 * b_tile_pitch + tile_column_2 * 4 + j % 4)];
              }
              POCL_KEEP();
            }
            POCL_KEEP();
          }
          POCL_KEEP();
        }
        POCL_KEEP();
      }
      POCL_KEEP();
      POCL_BARRIER();
      POCL_KEEP();
    }
    POCL_KEEP();
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    POCL_KEEP();
    for (index_t thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2
        * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {
      const index_t tile_row_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);
      const index_t a0_start_2 = tile_row_2 * TILE_M_2;
      const index_t a0_len_2 = min((index_t)TILE_M_2, a0_len - min(a0_start_2, a0_len));
      const index_t tile_column_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);
      const index_t b1_start_2 = tile_column_2 * TILE_N_2;
      const index_t b1_len_2 = min((index_t)TILE_N_2, b1_len - min(b1_start_2, b1_len));
      POCL_KEEP();
      if ((TILE_N + TILE_N_2 - 1) / TILE_N_2
          * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS) {
        POCL_KEEP();
        if (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2) {
          UNROLL(64)
          for (index_t i = 0; i < TILE_M_2; ++i) {
            UNROLL(64)
            for (index_t j = 0; j < TILE_N_2; ++j) {
              product[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] =
                  c_tile[i * TILE_N_2 + j];
            }
            POCL_KEEP();
          }
          POCL_KEEP();
        } else {
          UNROLL(64)
          for (index_t i = 0; i < TILE_M_2; ++i) {
            POCL_KEEP();
            if (i < a0_len_2) {
              UNROLL(64)
              for (index_t j = 0; j < TILE_N_2; ++j) {
                POCL_KEEP();
                if (j < b1_len_2) {
                  product[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] =
                      c_tile[i * TILE_N_2 + j];
                }
                POCL_KEEP();
              }
              POCL_KEEP();
            }
            POCL_KEEP();
          }
          POCL_KEEP();
        }
        POCL_KEEP();
      }
      POCL_KEEP();
    }
    POCL_KEEP();
    POCL_BARRIER();
    POCL_KEEP();
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void gemm_scaled_float_3(__global float *restrict c,
                                  __global const float *restrict product,
                                  index_t a_size0,
                                  index_t b_size1,
                                  float alpha,
                                  float beta) {
  const index_t thread = get_local_id(0);

  // distribute(B)
  for (index_t block = get_group_id(0); block < a_size0; block += get_num_groups(0)) {
    // compute(combine_lanes, VE_B)
    #pragma unroll 8
    for (index_t round = 0; round < (b_size1 + NUM_THREADS - 1 - thread) / NUM_THREADS; ++round) {
      const index_t j = thread + round * NUM_THREADS;
      c[block * b_size1 + j] = alpha * product[block * b_size1 + j] + beta * c[block * b_size1 + j];
    }
  }
}
