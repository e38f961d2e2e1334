// OpenCL kernels of transpose_int, composed for pocl:
//   S_G, regroup(tiled_chunks, G), distribute(B), S_B, regroup(copy_by_rows, B),
//   distribute(T.y), regroup(copy_by_columns, T.y), distribute(T), S_T,
//   regroup(copy_by_rows, T), distribute(I), compute(copy_matrix#1, SE_I)

// free parameter of tiled_chunks
#ifndef TILED_CHUNKS_T
#define TILED_CHUNKS_T 32
#endif
// rows of items in a group
#ifndef NUM_ITEM_ROWS
#define NUM_ITEM_ROWS 4
#endif
// items in a row of items
#ifndef NUM_ITEMS
#define NUM_ITEMS 64
#endif
// chains in an item
#ifndef NUM_CHAINS
#define NUM_CHAINS 4
#endif

__attribute__((reqd_work_group_size(NUM_ITEMS, NUM_ITEM_ROWS, 1)))
__kernel void transpose_int_kernel(__global const int *restrict in,
                                   __global int *restrict out,
                                   ulong in_size0,
                                   ulong in_size1) {
  const ulong item = get_local_id(0);
  const ulong row_of_items = get_local_id(1);

  // S_G, regroup(tiled_chunks, G)
  // distribute(B)
  for (ulong group = get_group_id(0); group < (in_size0 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T
      * ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T); group += get_num_groups(0)) {
    const ulong tile_row = group / ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);
    const ulong in0_start = tile_row * TILED_CHUNKS_T;
    const ulong in0_len = min((ulong)TILED_CHUNKS_T, in_size0 - min(in0_start, in_size0));
    const ulong tile_column = group % ((in_size1 + TILED_CHUNKS_T - 1) / TILED_CHUNKS_T);
    const ulong in1_start = tile_column * TILED_CHUNKS_T;
    const ulong in1_len = min((ulong)TILED_CHUNKS_T, in_size1 - min(in1_start, in_size1));

    // S_B, regroup(copy_by_rows, B)
    const ulong in_tile = (in0_len + NUM_ITEM_ROWS - 1) / NUM_ITEM_ROWS;

    // distribute(T.y)
    const ulong in_start = row_of_items * in_tile;
    const ulong in_len = min(in_tile, in0_len - min(in_start, in0_len));

    // S_T.y, regroup(copy_by_columns, T.y)
    const ulong in_tile_2 = (in1_len + NUM_ITEMS - 1) / NUM_ITEMS;

    // distribute(T)
    const ulong in1_start_2 = item * in_tile_2;
    const ulong in1_len_2 = min(in_tile_2, in1_len - min(in1_start_2, in1_len));

    // S_T, regroup(copy_by_rows, T)
    const ulong in_tile_3 = (in_len + NUM_CHAINS - 1) / NUM_CHAINS;

    // distribute(I)
    // compute(copy_matrix#1, SE_I)
    const ulong common = min(in_tile_3, in_len - min((NUM_CHAINS - 1) * in_tile_3, in_len));
    for (ulong i = 0; i < common; ++i) {
      #pragma unroll
      for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
        #pragma unroll 16
        for (ulong j = 0; j < in1_len_2; ++j) {
          out[(in1_start + in1_start_2 + j) * in_size0
              + (in0_start + in_start + chain * in_tile_3 + i)] =
              in[(in0_start + in_start + chain * in_tile_3 + i) * in_size1
              + (in1_start + in1_start_2 + j)];
        }
      }
    }
    #pragma unroll
    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
      for (ulong i = common; i < min(in_tile_3, in_len - min(chain * in_tile_3, in_len)); ++i) {
        #pragma unroll 16
        for (ulong j = 0; j < in1_len_2; ++j) {
          out[(in1_start + in1_start_2 + j) * in_size0
              + (in0_start + in_start + chain * in_tile_3 + i)] =
              in[(in0_start + in_start + chain * in_tile_3 + i) * in_size1
              + (in1_start + in1_start_2 + j)];
        }
      }
    }
  }
}
