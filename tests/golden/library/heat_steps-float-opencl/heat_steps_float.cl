// OpenCL kernels of heat_steps_float, composed for simple-gpu:
//   select(heat_rounds, G), S_G, regroup(copy_tiled, G), distribute(B), S_B,
//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T), select(heat_padded, G),
//   S_G, regroup(heat_parts, G), distribute(B), S_B, regroup(heat_parts, B), distribute(T),
//   compute(heat_inside#1, SE_T), S_G, regroup(copy_tiled, G), distribute(B), S_B,
//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void heat_steps_float_1(__global const float *restrict in,
                                 __global float *restrict now,
                                 ulong in_size) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(copy_tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // S_B, regroup(copy_strided, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(copy#1, SE_T)
  #pragma unroll 16
  for (ulong i = 0; i < in_len_2; ++i) {
    now[in_start + thread + i * NUM_THREADS] = in[in_start + thread + i * NUM_THREADS];
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void heat_steps_float_2(__global const float *restrict now,
                                 __global float *restrict next,
                                 ulong in_size,
                                 float c) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(heat_parts, G)
  // distribute(B)
  const ulong p_2 = get_num_groups(0);
  const ulong now_tile = (in_size + p_2 - 1) / p_2;
  const ulong block = get_group_id(0);
  const ulong in_start = block * now_tile;
  const ulong in_len = min(now_tile + 2, in_size + 2 - min(in_start, in_size + 2));
  const ulong out_len = min(now_tile, in_size - min(in_start, in_size));

  // S_B, regroup(heat_parts, B)
  const ulong now_tile_2 = (max(in_len, (ulong)2) + NUM_THREADS - 3) / NUM_THREADS;
  const ulong next_tile = (out_len + NUM_THREADS - 1) / NUM_THREADS;

  // distribute(T)
  const bool inside = 1 <= in_start && in_start + (NUM_THREADS - 1) * now_tile_2
      + max(now_tile_2, (ulong)1) - 2 < in_size && in_start + (NUM_THREADS - 1) * now_tile_2
      + max(now_tile_2, (ulong)1) < in_size;
  if (inside) {
    const ulong in_start_2 = thread * now_tile_2;
    const ulong in_len_2 = min(now_tile_2 + 2, in_len - min(in_start_2, in_len));
    const ulong out_start = thread * next_tile;

    // compute(heat_inside#1, SE_T)
    #pragma unroll 8
    for (ulong i = 0; i + 2 < in_len_2; ++i) {
      next[in_start + out_start + i] = now[in_start + in_start_2 + i] + c
          * (now[in_start + in_start_2 + i - 1] - 2.0f * now[in_start + in_start_2 + i]
          + now[in_start + in_start_2 + i + 1]);
    }
  } else {
    const ulong in_start_3 = thread * now_tile_2;
    const ulong in_len_3 = min(now_tile_2 + 2, in_len - min(in_start_3, in_len));
    const ulong out_start_2 = thread * next_tile;

    // compute(heat_inside#1, SE_T)
    #pragma unroll 8
    for (ulong i = 0; i + 2 < in_len_3; ++i) {
      next[in_start + out_start_2 + i] =
          (0 < in_size ? now[min(in_start + in_start_3 + i, in_size - 1)] : 0.0f) + c
          * ((0 < in_size ? now[min(max(in_start + in_start_3 + i, (ulong)1) - 1, in_size - 1)]
          : 0.0f) - 2.0f * (0 < in_size ? now[min(in_start + in_start_3 + i, in_size - 1)] : 0.0f)
          + (0 < in_size ? now[min(in_start + in_start_3 + i + 1, in_size - 1)] : 0.0f));
    }
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void heat_steps_float_3(__global float *restrict out,
                                 __global const float *restrict now,
                                 ulong in_size) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(copy_tiled, G)
  // distribute(B)
  const ulong p_3 = get_num_groups(0);
  const ulong now_tile = (in_size + p_3 - 1) / p_3;
  const ulong block = get_group_id(0);
  const ulong in_start = block * now_tile;
  const ulong in_len = min(now_tile, in_size - min(in_start, in_size));

  // S_B, regroup(copy_strided, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(copy#1, SE_T)
  #pragma unroll 16
  for (ulong i = 0; i < in_len_2; ++i) {
    out[in_start + thread + i * NUM_THREADS] = now[in_start + thread + i * NUM_THREADS];
  }
}
