// OpenCL kernels of gemm_float, composed for simple-gpu:
//   S_G, regroup(tile, G), distribute(B), S_B, regroup(step, B), serialize(B), S_B,
//   regroup(tile, B), distribute(T), compute(gemm#1, SE_T)

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
#define STEP_K 64
#endif
// free parameter of tile
#ifndef TILE_M_2
#define TILE_M_2 4
#endif
// free parameter of tile
#ifndef TILE_N_2
#define TILE_N_2 4
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

// PoCL needs a barrier at the end of loops around loops with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define END_OF_LOOP() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define END_OF_LOOP()
#endif

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void gemm_float_kernel(__global const float *restrict a,
                                __global const float *restrict b,
                                __global float *restrict c,
                                ulong a_size0,
                                ulong a_size1,
                                ulong b_size1) {
  __local __attribute__((aligned(16))) float a_tile[STEP_K * (TILE_M + 4)];
  __local __attribute__((aligned(16))) float b_tile[STEP_K * TILE_N];
  const ulong thread = get_local_id(0);

  // S_G, regroup(tile, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < (a_size0 + TILE_M - 1) / TILE_M
      * ((b_size1 + TILE_N - 1) / TILE_N); block += get_num_groups(0)) {
    const ulong a0_part = block / ((b_size1 + TILE_N - 1) / TILE_N);
    const ulong a0_start = a0_part * TILE_M;
    const ulong a0_len = min((ulong)TILE_M, a_size0 - min(a0_start, a_size0));
    const ulong a1_part = block % ((b_size1 + TILE_N - 1) / TILE_N);
    const ulong b1_start = a1_part * TILE_N;
    const ulong b1_len = min((ulong)TILE_N, b_size1 - min(b1_start, b_size1));

    // S_B, regroup(step, B)
    // serialize(B)
    float c_tile[TILE_M_2 * TILE_N_2];
    for (ulong thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2
        * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {
      const ulong a0_part_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);
      const ulong a0_start_2 = a0_part_2 * TILE_M_2;
      const ulong a0_len_2 = min((ulong)TILE_M_2, a0_len - min(a0_start_2, a0_len));
      const ulong a1_part_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);
      const ulong b1_start_2 = a1_part_2 * TILE_N_2;
      const ulong b1_len_2 = min((ulong)TILE_N_2, b1_len - min(b1_start_2, b1_len));
      if ((TILE_N + TILE_N_2 - 1) / TILE_N_2 * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS
          && (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2)) {
        UNROLL(64)
        for (ulong i = 0; i < TILE_M_2; ++i) {
          UNROLL(64)
          for (ulong j = 0; j < TILE_N_2; ++j) {
            c_tile[i * TILE_N_2 + j] =
                c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)];
          }
        }
      }
    }
    for (ulong part = 0; part < (a_size1 + STEP_K - 1) / STEP_K; ++part) {
      const ulong a1_start = part * STEP_K;
      const ulong a1_len = min((ulong)STEP_K, a_size1 - a1_start);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      for (ulong element = thread; element < TILE_M * STEP_K; element += NUM_THREADS) {
        const ulong column = element % STEP_K;
        const ulong row = element / STEP_K;
        a_tile[column * (TILE_M + 4) + row] = row < a0_len && column < a1_len
            ? a[(a0_start + row) * a_size1 + (a1_start + column)] : 0.0f;
      }
      for (ulong element = thread; element < STEP_K * TILE_N; element += NUM_THREADS) {
        const ulong column = element % TILE_N;
        const ulong row = element / TILE_N;
        b_tile[row * TILE_N + column] = row < a1_len && column < b1_len
            ? b[(a1_start + row) * b_size1 + (b1_start + column)] : 0.0f;
      }

      // S_B, regroup(tile, B)
      // distribute(T)
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      for (ulong thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2
          * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {
        const ulong a0_part_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);
        const ulong a0_start_2 = a0_part_2 * TILE_M_2;
        const ulong a0_len_2 = min((ulong)TILE_M_2, a0_len - min(a0_start_2, a0_len));
        const ulong a1_part_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);
        const ulong b1_start_2 = a1_part_2 * TILE_N_2;
        const ulong b1_len_2 = min((ulong)TILE_N_2, b1_len - min(b1_start_2, b1_len));

        // compute(gemm#1, SE_T)
        if ((TILE_N + TILE_N_2 - 1) / TILE_N_2
            * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS
            && (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2)) {
          if (a1_len == STEP_K) {
            UNROLL(64)
            for (ulong k = 0; k < STEP_K; ++k) {
              UNROLL(64)
              for (ulong i = 0; i < TILE_M_2; ++i) {
                UNROLL(64)
                for (ulong j = 0; j < TILE_N_2; ++j) {
                  c_tile[i * TILE_N_2 + j] += a_tile[k * (TILE_M + 4) + (a0_start_2 + i)]
                      * b_tile[k * TILE_N + (b1_start_2 + j)];
                }
              }
            }
          } else {
            for (ulong k = 0; k < a1_len; ++k) {
              UNROLL(64)
              for (ulong i = 0; i < TILE_M_2; ++i) {
                UNROLL(64)
                for (ulong j = 0; j < TILE_N_2; ++j) {
                  c_tile[i * TILE_N_2 + j] += a_tile[k * (TILE_M + 4) + (a0_start_2 + i)]
                      * b_tile[k * TILE_N + (b1_start_2 + j)];
                }
              }
            }
          }
        } else {
          for (ulong k = 0; k < a1_len; ++k) {
            for (ulong i = 0; i < a0_len_2; ++i) {
              UNROLL(16)
              for (ulong j = 0; j < b1_len_2; ++j) {
                c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] +=
                    a_tile[k * (TILE_M + 4) + (a0_start_2 + i)]
                    * b_tile[k * TILE_N + (b1_start_2 + j)];
              }
            }
          }
        }
      }
      END_OF_LOOP();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (ulong thread_2 = thread; thread_2 < (a0_len + TILE_M_2 - 1) / TILE_M_2
        * ((b1_len + TILE_N_2 - 1) / TILE_N_2); thread_2 += NUM_THREADS) {
      const ulong a0_part_2 = thread_2 / ((b1_len + TILE_N_2 - 1) / TILE_N_2);
      const ulong a0_start_2 = a0_part_2 * TILE_M_2;
      const ulong a0_len_2 = min((ulong)TILE_M_2, a0_len - min(a0_start_2, a0_len));
      const ulong a1_part_2 = thread_2 % ((b1_len + TILE_N_2 - 1) / TILE_N_2);
      const ulong b1_start_2 = a1_part_2 * TILE_N_2;
      const ulong b1_len_2 = min((ulong)TILE_N_2, b1_len - min(b1_start_2, b1_len));
      if ((TILE_N + TILE_N_2 - 1) / TILE_N_2 * ((TILE_M + TILE_M_2 - 1) / TILE_M_2) <= NUM_THREADS
          && (a0_len_2 == TILE_M_2 && b1_len_2 == TILE_N_2)) {
        UNROLL(64)
        for (ulong i = 0; i < TILE_M_2; ++i) {
          UNROLL(64)
          for (ulong j = 0; j < TILE_N_2; ++j) {
            c[(a0_start + a0_start_2 + i) * b_size1 + (b1_start + b1_start_2 + j)] =
                c_tile[i * TILE_N_2 + j];
          }
        }
      }
    }
    END_OF_LOOP();
  }
}
