// OpenCL kernels of argmin_float, composed for simple-gpu:
//   S_G, regroup(argmin_tiled, G), distribute(B), S_B, regroup(argmin_tiled, B), distribute(T),
//   compute(argmin#1, SE_T), compute(smallest_lanes, VE_B), S_G, devolve(B),
//   compute(smallest_lanes, VE_B)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

// Orders memory accesses of this work-item as all groups see them.
static inline void fence_groups(void) {
#if defined(__NV_CL_C_VERSION)
  asm volatile("membar.gl;" ::: "memory");
#elif __OPENCL_C_VERSION__ >= 200
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
#else
  mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}

// Counts a group: who counts later sees what it has written. How many there were before.
static inline uint count_group(volatile __global uint *groups, uint one) {
  fence_groups();
  const uint earlier = atomic_add(groups, one);
  fence_groups();
  return earlier;
}

static inline uint atomic_load_u32(volatile __global uint *place) {
#if defined(__NV_CL_C_VERSION)
  return *(const __global uint *)place;
#else
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits;
  bits = atomic_or(words, 0u);
  return as_uint(bits);
#endif
}

static inline void atomic_store_u32(volatile __global uint *place, uint value) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits = as_uint(value);
  atomic_xchg(words, bits);
}

// PoCL needs branches between barriers to stay as they are written.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define POCL_KEEP() __builtin_prefetch((const void *)0)
#else
#define POCL_KEEP()
#endif

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

bool comes_before(float a, float b) {
  return a < b || (a != a && b == b);
}

bool stands_before(float a, uint i, float b, uint k) {
  const bool equal = !comes_before(a, b) && !comes_before(b, a);
  return i != 4294967295U && (k == 4294967295U || comes_before(a, b) || (equal && i < k));
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void argmin_float_kernel(__global const float *restrict in,
                                  __global uint *result,
                                  __global uint *argmin_of_block,
                                  __global uint *best,
                                  __global uint *finished,
                                  ulong in_size,
                                  uint from) {
  __local uint argmin_of_thread[NUM_THREADS];
  __local uint place[NUM_THREADS];
  __local float value[NUM_THREADS];
  __local uint earlier[1];
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
  ulong best_2 = 0;
  UNROLL(8)
  for (ulong i = 1; i < in_len_2; ++i) {
    POCL_KEEP();
    if (comes_before(in[in_start + in_start_2 + i], in[in_start + in_start_2 + best_2])) {
      best_2 = i;
    }
    POCL_KEEP();
  }
  POCL_KEEP();
  argmin_of_thread[thread] = in_len_2 == 0 ? 4294967295U : (uint)(thread * tile_2) + (uint)best_2;

  // compute(smallest_lanes, VE_B)
  uint best_3;
  float least;
  best_3 = 4294967295U;
  least = 0.0f;
  for (ulong i = thread; i < NUM_THREADS; i += NUM_THREADS) {
    const uint position = argmin_of_thread[i];
    POCL_KEEP();
    if ((ulong)position < in_len) {
      const float element = in[in_start + (ulong)position];
      POCL_KEEP();
      if (stands_before(element, position, least, best_3)) {
        best_3 = position;
        least = element;
      }
      POCL_KEEP();
    }
    POCL_KEEP();
  }
  POCL_KEEP();
  place[thread] = best_3;
  value[thread] = least;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    POCL_KEEP();
    POCL_KEEP();
    if (thread >= s) {
      const uint position = place[thread - s];
      const float element = value[thread - s];
      POCL_KEEP();
      if (stands_before(element, position, least, best_3)) {
        best_3 = position;
        least = element;
      }
      POCL_KEEP();
    }
    POCL_KEEP();
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    POCL_KEEP();
    place[thread] = best_3;
    value[thread] = least;
  }
  POCL_KEEP();
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  POCL_KEEP();
  const uint best_4 = place[NUM_THREADS - 1];
  POCL_KEEP();
  if (thread == 0) {
    atomic_store_u32(&argmin_of_block[block], best_4 == 4294967295U ? best_4 : (uint)(block * tile)
        + best_4);
    earlier[0] = count_group(&finished[0], 1U);
  }
  POCL_KEEP();
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  POCL_KEEP();
  const uint earlier_2 = earlier[0];
  POCL_KEEP();
  if (earlier_2 == (uint)(p - 1)) {
    // the last group goes on
    // S_G, devolve(B)
    // compute(smallest_lanes, VE_B)
    uint best_5;
    float least_2;
    best_5 = 4294967295U;
    least_2 = 0.0f;
    for (ulong i = thread; i < p; i += NUM_THREADS) {
      const uint position = atomic_load_u32(&argmin_of_block[i]);
      POCL_KEEP();
      if ((ulong)position < in_size) {
        const float element = in[(ulong)position];
        POCL_KEEP();
        if (stands_before(element, position, least_2, best_5)) {
          best_5 = position;
          least_2 = element;
        }
        POCL_KEEP();
      }
      POCL_KEEP();
    }
    POCL_KEEP();
    argmin_of_thread[thread] = best_5;
    value[thread] = least_2;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      POCL_KEEP();
      POCL_KEEP();
      if (thread >= s) {
        const uint position = argmin_of_thread[thread - s];
        const float element = value[thread - s];
        POCL_KEEP();
        if (stands_before(element, position, least_2, best_5)) {
          best_5 = position;
          least_2 = element;
        }
        POCL_KEEP();
      }
      POCL_KEEP();
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      POCL_KEEP();
      argmin_of_thread[thread] = best_5;
      value[thread] = least_2;
    }
    POCL_KEEP();
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    POCL_KEEP();
    POCL_KEEP();
    if (thread == 0) {
      best[0] = argmin_of_thread[NUM_THREADS - 1];
    }
    POCL_KEEP();
    POCL_KEEP();
    if (thread == 0) {
      result[0] = best[0] == 4294967295U ? best[0] : from + best[0];
    }
    POCL_KEEP();
    POCL_KEEP();
    if (thread == 0) {
      atomic_store_u32(&finished[0], 0U);
    }
    POCL_KEEP();
  }
  POCL_KEEP();
}
