// OpenCL kernels of spmv_float, composed for simple-gpu:
//   S_G, regroup(row_blocks, G), distribute(B), S_B, regroup(row_blocks, B), distribute(T),
//   compute(spmv#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void spmv_float_kernel(__global const float *restrict values,
                                __global const int *restrict columns,
                                __global const int *restrict offsets,
                                __global const float *restrict x,
                                __global float *restrict y,
                                ulong y_size) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(row_blocks, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong tile = (y_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong offsets_start = block * tile;
  const ulong y_len = min(tile, y_size - min(offsets_start, y_size));
  const ulong tile_2 = (y_len + NUM_THREADS - 1) / NUM_THREADS;

  // S_B, regroup(row_blocks, B)
  // distribute(T)
  const ulong offsets_start_2 = thread * tile_2;
  const ulong y_len_2 = min(tile_2, y_len - min(offsets_start_2, y_len));

  // compute(spmv#1, SE_T)
  for (ulong r = 0; r < y_len_2; ++r) {
    float accum = 0.0f;
    #pragma unroll 8
    for (int k = offsets[offsets_start + offsets_start_2 + r];
        k < offsets[offsets_start + offsets_start_2 + (r + 1)]; ++k) {
      accum += values[(ulong)k] * x[(ulong)columns[(ulong)k]];
    }
    y[offsets_start + offsets_start_2 + r] = accum;
  }
}
