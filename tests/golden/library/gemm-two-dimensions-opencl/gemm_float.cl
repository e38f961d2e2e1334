// OpenCL kernels of gemm_float, composed for pocl:
//   S_G, regroup(split_m, G), distribute(B.y), regroup(split_n, B.y), distribute(B), S_B,
//   regroup(split_m, B), distribute(T.y), regroup(split_n, T.y), distribute(T), S_T,
//   regroup(split_m, T), distribute(I), compute(gemm#1, SE_I)

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
__kernel void gemm_float_kernel(__global const float *restrict a,
                                __global const float *restrict b,
                                __global float *restrict c,
                                ulong a_size0,
                                ulong a_size1,
                                ulong b_size1,
                                ulong p_2) {
  const ulong item = get_local_id(0);
  const ulong row_of_items = get_local_id(1);

  // S_G, regroup(split_m, G)
  // distribute(B.y)
  const ulong p = get_num_groups(1);
  const ulong a_tile = (a_size0 + p - 1) / p;
  const ulong row_of_groups = get_group_id(1);
  const ulong a_start = row_of_groups * a_tile;
  const ulong a_len = min(a_tile, a_size0 - min(a_start, a_size0));

  // S_B.y, regroup(split_n, B.y)
  const ulong b_tile = (b_size1 + p_2 - 1) / p_2;

  // distribute(B)
  const ulong group = get_group_id(0);
  const ulong b1_start = group * b_tile;
  const ulong b1_len = min(b_tile, b_size1 - min(b1_start, b_size1));

  // S_B, regroup(split_m, B)
  const ulong a_tile_2 = (a_len + NUM_ITEM_ROWS - 1) / NUM_ITEM_ROWS;

  // distribute(T.y)
  const ulong a_start_2 = row_of_items * a_tile_2;
  const ulong a_len_2 = min(a_tile_2, a_len - min(a_start_2, a_len));

  // S_T.y, regroup(split_n, T.y)
  const ulong b_tile_2 = (b1_len + NUM_ITEMS - 1) / NUM_ITEMS;

  // distribute(T)
  const ulong b1_start_2 = item * b_tile_2;
  const ulong b1_len_2 = min(b_tile_2, b1_len - min(b1_start_2, b1_len));

  // S_T, regroup(split_m, T)
  const ulong a_tile_3 = (a_len_2 + NUM_CHAINS - 1) / NUM_CHAINS;

  // distribute(I)
  // compute(gemm#1, SE_I)
  const ulong common = min(a_tile_3, a_len_2 - min((NUM_CHAINS - 1) * a_tile_3, a_len_2));
  for (ulong i = 0; i < common; ++i) {
    #pragma unroll
    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
      for (ulong j = 0; j < b1_len_2; ++j) {
        float accum =
            c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + (b1_start + b1_start_2 + j)];
        #pragma unroll 16
        for (ulong k = 0; k < a_size1; ++k) {
          accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + k]
              * b[k * b_size1 + (b1_start + b1_start_2 + j)];
        }
        c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + (b1_start + b1_start_2 + j)] =
            accum;
      }
    }
  }
  #pragma unroll
  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
    for (ulong i = common; i < min(a_tile_3, a_len_2 - min(chain * a_tile_3, a_len_2)); ++i) {
      for (ulong j = 0; j < b1_len_2; ++j) {
        float accum =
            c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + (b1_start + b1_start_2 + j)];
        #pragma unroll 16
        for (ulong k = 0; k < a_size1; ++k) {
          accum += a[(a_start + a_start_2 + chain * a_tile_3 + i) * a_size1 + k]
              * b[k * b_size1 + (b1_start + b1_start_2 + j)];
        }
        c[(a_start + a_start_2 + chain * a_tile_3 + i) * b_size1 + (b1_start + b1_start_2 + j)] =
            accum;
      }
    }
  }
}
