// OpenCL kernels of sum, composed for cpu:
//   S_P, regroup(asso_tiled, P), split(P), distribute(T), distribute(V), compute(sum#1, SE_V),
//   S_P, devolve(T), compute(kog, VE_T)

// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
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

static inline int atomic_load_i32(volatile __global int *place) {
#if defined(__NV_CL_C_VERSION)
  return *(const __global int *)place;
#else
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits;
  bits = atomic_or(words, 0u);
  return as_int(bits);
#endif
}

static inline void atomic_store_i32(volatile __global int *place, int value) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits = as_uint(value);
  atomic_xchg(words, bits);
}

static inline void atomic_store_u32(volatile __global uint *place, uint value) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits = as_uint(value);
  atomic_xchg(words, bits);
}

__attribute__((reqd_work_group_size(NUM_LANES, 1, 1)))
__kernel void sum_kernel(__global const int *restrict in,
                         __global int *result,
                         __global int *sum_of_thread,
                         __global uint *finished,
                         ulong in_size) {
  __local int tmp[NUM_LANES];
  __local uint earlier[1];
  const ulong lane = get_local_id(0);

  // S_P, regroup(asso_tiled, P)
  // split(P), distribute(T)
  const ulong p = get_num_groups(0);
  const ulong p_2 = p * NUM_LANES;
  const ulong tile = (in_size + p_2 - 1) / p_2;
  const ulong thread = get_group_id(0);

  // distribute(V)
  const ulong sum_part = thread * NUM_LANES + lane;
  const ulong in_start = sum_part * tile;
  const ulong in_len = min(tile, in_size - min(in_start, in_size));

  // compute(sum#1, SE_V)
  int accum = 0;
  #pragma unroll 16
  for (ulong i = 0; i < in_len; ++i) {
    accum += (uint)in[in_start + i];
  }
  atomic_store_i32(&sum_of_thread[sum_part], accum);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (lane == 0) {
    earlier[0] = count_group(&finished[0], 1U);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const uint earlier_2 = earlier[0];
  if (earlier_2 == (uint)(p - 1)) {
    // the last group goes on
    // S_P, devolve(T)
    // compute(kog, VE_T)
    tmp[lane] = atomic_load_i32(&sum_of_thread[lane]);
    for (ulong s = 1; s < NUM_LANES; s *= 2) {
      int tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      tmp_read = lane >= s ? tmp[lane - s] : 0;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (lane >= s) {
        tmp[lane] += (uint)tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (lane == 0) {
      result[0] = tmp[NUM_LANES - 1];
    }
    if (lane == 0) {
      atomic_store_u32(&finished[0], 0U);
    }
  }
}
