// OpenCL kernels of argmin_float, composed for simple-gpu:
//   S_G, regroup(argmin_tiled, G), distribute(B), S_B, regroup(argmin_tiled, B), distribute(T),
//   compute(argmin#1, SE_T), S_B, devolve(T), compute(smallest_of#1, SE_T), S_G, devolve(B),
//   S_B, devolve(T), compute(smallest_of#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void argmin_float_1(__global const float *restrict in,
                             __global uint *restrict argmin_of_block,
                             ulong in_size) {
  __local uint argmin_of_thread[NUM_THREADS];
  __local uint best_cell[1];
  const ulong thread = get_local_id(0);

  // S_G, regroup(argmin_tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * tile;
  const ulong in_len = min(tile, in_size - min(in_start, in_size));
  const ulong tile_2 = (in_len + NUM_THREADS - 1) / NUM_THREADS;

  // S_B, regroup(argmin_tiled, B)
  // distribute(T)
  const ulong in_start_2 = thread * tile_2;
  const ulong in_len_2 = min(tile_2, in_len - min(in_start_2, in_len));

  // compute(argmin#1, SE_T)
  ulong best = 0;
  UNROLL(8)
  for (ulong i = 1; i < in_len_2; ++i) {
    if (in[in_start + in_start_2 + i] < in[in_start + in_start_2 + best]) {
      best = i;
    }
  }
  argmin_of_thread[thread] = in_len_2 == 0 ? 4294967295U : (uint)(thread * tile_2) + (uint)best;

  // S_B, devolve(T)
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    // compute(smallest_of#1, SE_T)
    uint best_2 = 4294967295U;
    UNROLL(8)
    for (ulong i = 0; i < NUM_THREADS; ++i) {
      if ((ulong)argmin_of_thread[i] < in_len) {
        if (best_2 == 4294967295U
            || in[in_start + (ulong)argmin_of_thread[i]] < in[in_start + (ulong)best_2]) {
          best_2 = argmin_of_thread[i];
        }
      }
    }
    best_cell[0] = best_2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint best_2 = best_cell[0];
  if (thread == 0) {
    argmin_of_block[block] = best_2 == 4294967295U ? best_2 : (uint)(block * tile) + best_2;
  }
}

__kernel void argmin_float_2(__global const float *restrict in,
                             __global const uint *restrict argmin_of_block,
                             __global uint *restrict best,
                             ulong in_size,
                             ulong p) {
  // S_G, devolve(B)
  // S_B, devolve(T)
  // compute(smallest_of#1, SE_T)
  uint best_2 = 4294967295U;
  #pragma unroll 8
  for (ulong i = 0; i < p; ++i) {
    if ((ulong)argmin_of_block[i] < in_size) {
      if (best_2 == 4294967295U || in[(ulong)argmin_of_block[i]] < in[(ulong)best_2]) {
        best_2 = argmin_of_block[i];
      }
    }
  }
  best[0] = best_2;
}

__kernel void argmin_float_3(__global uint *restrict result,
                             __global const uint *restrict best,
                             uint from) {
  result[0] = best[0] == 4294967295U ? best[0] : from + best[0];
}
