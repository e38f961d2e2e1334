// OpenCL kernels of transpose_int, composed for simple-gpu:
//   S_G, regroup(tiled_chunks, G), distribute(B), S_B, regroup(copy_by_rows, B), distribute(T),
//   compute(copy_matrix#1, SE_T)

// free parameter of tiled_chunks
#ifndef TILED_CHUNKS_T
#define TILED_CHUNKS_T 32
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void transpose_int_kernel(__global const int *restrict in,
                                   __global int *restrict out,
                                   ulong in_size0,
                                   ulong in_size1) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(tiled_chunks, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < (in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T
      * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T); block += get_num_groups(0)) {
    const ulong tile_row = block / ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);
    const ulong in0_start = tile_row * TILED_CHUNKS_T;
    const ulong in0_len = min((ulong)TILED_CHUNKS_T, in_size0 - min(in0_start, in_size0));
    const ulong tile_column = block % ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);
    const ulong in1_start = tile_column * TILED_CHUNKS_T;
    const ulong in1_len = min((ulong)TILED_CHUNKS_T, in_size1 - min(in1_start, in_size1));

    // S_B, regroup(copy_by_rows, B)
    const ulong in_tile = (in0_len + NUM_THREADS - 1) / NUM_THREADS;

    // distribute(T)
    const bool full = in0_len == TILED_CHUNKS_T && in1_len == TILED_CHUNKS_T;
    if (full) {
      const ulong in_start = thread * in_tile;
      const ulong in_len = min(in_tile, TILED_CHUNKS_T - min(in_start, (ulong)TILED_CHUNKS_T));

      // compute(copy_matrix#1, SE_T)
      for (ulong i = 0; i < in_len; ++i) {
        #pragma unroll 16
        for (ulong j = 0; j < TILED_CHUNKS_T; ++j) {
          out[(in1_start + j) * in_size0 + (in0_start + in_start + i)] =
              in[(in0_start + in_start + i) * in_size1 + (in1_start + j)];
        }
      }
    } else {
      const ulong in_start_2 = thread * in_tile;
      const ulong in_len_2 = min(in_tile, in0_len - min(in_start_2, in0_len));

      // compute(copy_matrix#1, SE_T)
      for (ulong i = 0; i < in_len_2; ++i) {
        #pragma unroll 16
        for (ulong j = 0; j < in1_len; ++j) {
          out[(in1_start + j) * in_size0 + (in0_start + in_start_2 + i)] =
              in[(in0_start + in_start_2 + i) * in_size1 + (in1_start + j)];
        }
      }
    }
  }
}
