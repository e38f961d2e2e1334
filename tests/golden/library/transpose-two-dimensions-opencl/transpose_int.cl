// OpenCL kernels of transpose_int, composed for pocl:
//   S_G, regroup(by_rows, G), distribute(B.y), regroup(by_columns, B.y), distribute(B), S_B,
//   regroup(by_rows, B), distribute(T.y), regroup(by_columns, T.y), distribute(T), S_T,
//   regroup(tiled, T), distribute(I), compute(copy_matrix#1, SE_I)

// rows of items in a group
#ifndef NUM_ITEM_ROWS
#define NUM_ITEM_ROWS 4
#endif
// items in a row of items
#ifndef NUM_ITEMS
#define NUM_ITEMS 64
#endif
// free parameter of tiled
#ifndef TILED_P
#define TILED_P 4
#endif
// free parameter of tiled
#ifndef TILED_Q
#define TILED_Q 4
#endif

__attribute__((reqd_work_group_size(NUM_ITEMS, NUM_ITEM_ROWS, 1)))
__kernel void transpose_int_kernel(__global const int *restrict in,
                                   __global int *restrict out,
                                   ulong in_size0,
                                   ulong in_size1,
                                   ulong p_2) {
  const ulong item = get_local_id(0);
  const ulong row_of_items = get_local_id(1);

  // S_G, regroup(by_rows, G)
  // distribute(B.y)
  const ulong p = get_num_groups(1);
  const ulong in_tile = (in_size0 + p - 1) / p;
  const ulong row_of_groups = get_group_id(1);
  const ulong in_start = row_of_groups * in_tile;
  const ulong in_len = min(in_tile, in_size0 - min(in_start, in_size0));

  // S_B.y, regroup(by_columns, B.y)
  const ulong in_tile_2 = (in_size1 + p_2 - 1) / p_2;

  // distribute(B)
  const ulong group = get_group_id(0);
  const ulong in1_start = group * in_tile_2;
  const ulong in1_len = min(in_tile_2, in_size1 - min(in1_start, in_size1));

  // S_B, regroup(by_rows, B)
  const ulong in_tile_3 = (in_len + NUM_ITEM_ROWS - 1) / NUM_ITEM_ROWS;

  // distribute(T.y)
  const ulong in_start_2 = row_of_items * in_tile_3;
  const ulong in_len_2 = min(in_tile_3, in_len - min(in_start_2, in_len));

  // S_T.y, regroup(by_columns, T.y)
  const ulong in_tile_4 = (in1_len + NUM_ITEMS - 1) / NUM_ITEMS;

  // distribute(T)
  const ulong in1_start_2 = item * in_tile_4;
  const ulong in1_len_2 = min(in_tile_4, in1_len - min(in1_start_2, in1_len));

  // S_T, regroup(tiled, T)
  const ulong in_tile_5 = (in_len_2 + TILED_P - 1) / TILED_P;
  const ulong in_tile1 = (in1_len_2 + TILED_Q - 1) / TILED_Q;

  // distribute(I)
  #pragma unroll
  for (ulong chain = 0; chain < TILED_P * TILED_Q; ++chain) {
    const ulong in0_part = chain / TILED_Q;
    const ulong in0_start = in0_part * in_tile_5;
    const ulong in0_len = min(in_tile_5, in_len_2 - min(in0_start, in_len_2));
    const ulong in1_part = chain % TILED_Q;
    const ulong in1_start_3 = in1_part * in_tile1;
    const ulong in1_len_3 = min(in_tile1, in1_len_2 - min(in1_start_3, in1_len_2));

    // compute(copy_matrix#1, SE_I)
    for (ulong i = 0; i < in0_len; ++i) {
      #pragma unroll 16
      for (ulong j = 0; j < in1_len_3; ++j) {
        out[(in1_start + in1_start_2 + in1_start_3 + j) * in_size0
            + (in_start + in_start_2 + in0_start + i)] =
            in[(in_start + in_start_2 + in0_start + i) * in_size1
            + (in1_start + in1_start_2 + in1_start_3 + j)];
      }
    }
  }
}
