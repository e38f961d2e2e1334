// OpenCL kernels of compact_int, composed for simple-gpu:
//   S_G, regroup(two_passes, G), distribute(B), compute(kept_lanes, VE_B), S_G, devolve(B),
//   compute(starts_lanes, VE_B), S_G, regroup(two_passes, G), distribute(B), S_B,
//   regroup(pack_tiles, B), distribute(T), compute(kept#1, SE_T), compute(starts_lanes, VE_B),
//   S_B, regroup(pack_tiles, B), distribute(T), compute(pack#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

// PoCL needs a barrier at the end of loops around loops with barriers, and between a branch and one.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define POCL_BARRIER()
#endif

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

bool keep(int x) {
  return x > 0;
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void compact_int_1(__global const int *restrict in,
                            __global uint *restrict kept_of_block,
                            ulong in_size) {
  __local uint tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, regroup(two_passes, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // compute(kept_lanes, VE_B)
  uint own = 0U;
  UNROLL(16)
  for (ulong round = 0; round < (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS; ++round) {
    const ulong i = thread + round * NUM_THREADS;
    own += keep(in[in_start + i]) ? 1 : 0;
  }
  tmp[thread] = own;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
    uint tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp_read = thread >= s ? tmp[thread - s] : 0U;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread >= s) {
      tmp[thread] += tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    kept_of_block[block] = tmp[NUM_THREADS - 1];
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void compact_int_2(__global const uint *restrict kept_of_block,
                            __global uint *restrict starts,
                            ulong p) {
  __local uint tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, devolve(B)
  // compute(starts_lanes, VE_B)
  uint before = 0U;
  uint tmp_read;
  for (ulong first = 0; first < p; first += NUM_THREADS) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    tmp[thread] = first + thread < p ? kept_of_block[first + thread] : 0U;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      tmp_read = thread >= s ? tmp[thread - s] : 0U;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (thread >= s) {
        tmp[thread] += tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (first + thread < p) {
      starts[first + thread] = before + (thread > 0 ? tmp[thread - 1] : 0U);
    }
    before += tmp[NUM_THREADS - 1];
    POCL_BARRIER();
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (thread == 0) {
    starts[p] = before;
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void compact_int_3(__global const int *restrict in,
                            __global int *restrict out,
                            __global const uint *restrict starts,
                            ulong in_size) {
  __local uint kept_of_thread[NUM_THREADS];
  __local uint starts_2[NUM_THREADS + 1];
  __local uint tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, regroup(two_passes, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));
  const ulong out_start = (ulong)starts[block];
  const ulong out_len = max(min((ulong)starts[1 + block], in_size), out_start) - out_start;

  // S_B, regroup(pack_tiles, B)
  const ulong in_tile_2 = (in_len + NUM_THREADS - 1) / NUM_THREADS;

  // distribute(T)
  const ulong in_start_2 = thread * in_tile_2;
  const ulong in_len_2 = min(in_tile_2, in_len - min(in_start_2, in_len));

  // compute(kept#1, SE_T)
  uint count = 0U;
  UNROLL(16)
  for (ulong i = 0; i < in_len_2; ++i) {
    count += keep(in[in_start + in_start_2 + i]) ? 1 : 0;
  }
  kept_of_thread[thread] = count;

  // compute(starts_lanes, VE_B)
  uint before = 0U;
  uint tmp_read;
  for (ulong first = 0; first < NUM_THREADS; first += NUM_THREADS) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[thread] = first + thread < NUM_THREADS ? kept_of_thread[first + thread] : 0U;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      tmp_read = thread >= s ? tmp[thread - s] : 0U;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (thread >= s) {
        tmp[thread] += tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + thread < NUM_THREADS) {
      starts_2[first + thread] = before + (thread > 0 ? tmp[thread - 1] : 0U);
    }
    before += tmp[NUM_THREADS - 1];
    POCL_BARRIER();
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    starts_2[NUM_THREADS] = before;
  }

  // S_B, regroup(pack_tiles, B)
  // distribute(T)
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong in_start_3 = thread * in_tile_2;
  const ulong in_len_3 = min(in_tile_2, in_len - min(in_start_3, in_len));
  const ulong out_start_2 = (ulong)starts_2[thread];
  const ulong out_len_2 = max(min((ulong)starts_2[1 + thread], out_len), out_start_2) - out_start_2;

  // compute(pack#1, SE_T)
  ulong at = 0;
  UNROLL(16)
  for (ulong i = 0; i < in_len_3; ++i) {
    if (keep(in[in_start + in_start_3 + i]) && at < out_len_2) {
      out[out_start + out_start_2 + at] = in[in_start + in_start_3 + i];
      ++at;
    }
  }
}

__kernel void compact_int_4(__global uint *restrict result,
                            __global const uint *restrict starts,
                            ulong p) {
  result[0] = starts[p];
}
