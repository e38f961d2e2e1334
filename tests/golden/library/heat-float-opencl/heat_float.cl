// OpenCL kernels of heat_float, composed for simple-gpu:
//   select(heat_padded, G), S_G, regroup(heat_parts, G), distribute(B), S_B,
//   regroup(heat_parts, B), distribute(T), compute(heat_inside#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void heat_float_kernel(__global const float *restrict in,
                                __global float *restrict out,
                                ulong in_size,
                                float c) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(heat_parts, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile + 2, in_size + 2 - min(in_start, in_size + 2));
  const ulong out_len = min(in_tile, in_size - min(in_start, in_size));

  // S_B, regroup(heat_parts, B)
  const ulong in_tile_2 = (max(in_len, (ulong)2) + NUM_THREADS - 3) / NUM_THREADS;
  const ulong out_tile = (out_len + NUM_THREADS - 1) / NUM_THREADS;

  // distribute(T)
  const bool inside = 1 <= in_start && in_start + (NUM_THREADS - 1) * in_tile_2
      + max(in_tile_2, (ulong)1) - 2 < in_size && in_start + (NUM_THREADS - 1) * in_tile_2
      + max(in_tile_2, (ulong)1) < in_size;
  if (inside) {
    const ulong in_start_2 = thread * in_tile_2;
    const ulong in_len_2 = min(in_tile_2 + 2, in_len - min(in_start_2, in_len));
    const ulong out_start = thread * out_tile;

    // compute(heat_inside#1, SE_T)
    #pragma unroll 8
    for (ulong i = 0; i + 2 < in_len_2; ++i) {
      out[in_start + out_start + i] = in[in_start + in_start_2 + i] + c
          * (in[in_start + in_start_2 + i - 1] - 2.0f * in[in_start + in_start_2 + i]
          + in[in_start + in_start_2 + i + 1]);
    }
  } else {
    const ulong in_start_3 = thread * in_tile_2;
    const ulong in_len_3 = min(in_tile_2 + 2, in_len - min(in_start_3, in_len));
    const ulong out_start_2 = thread * out_tile;

    // compute(heat_inside#1, SE_T)
    #pragma unroll 8
    for (ulong i = 0; i + 2 < in_len_3; ++i) {
      out[in_start + out_start_2 + i] =
          (0 < in_size ? in[min(in_start + in_start_3 + i, in_size - 1)] : 0.0f) + c
          * ((0 < in_size ? in[min(max(in_start + in_start_3 + i, (ulong)1) - 1, in_size - 1)]
          : 0.0f) - 2.0f * (0 < in_size ? in[min(in_start + in_start_3 + i, in_size - 1)] : 0.0f)
          + (0 < in_size ? in[min(in_start + in_start_3 + i + 1, in_size - 1)] : 0.0f));
    }
  }
}
