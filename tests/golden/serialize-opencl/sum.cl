// OpenCL kernels of sum, composed for cpu:
//   S_P, regroup(asso_tiled, P), distribute(T), S_T, regroup(asso_tiled, T), serialize(T),
//   compute(kog, VE_T), compute(kog, VE_T), S_P, devolve(T), compute(kog, VE_T)

// parts of asso_tiled done one after the other
#ifndef ASSO_TILED_P
#define ASSO_TILED_P 4
#endif
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
  __local int sum_of_thread_2[ASSO_TILED_P];
  __local int tmp[NUM_LANES];
  __local uint earlier[1];
  const ulong lane = get_local_id(0);

  // S_P, regroup(asso_tiled, P)
  // distribute(T)
  const ulong p = get_num_groups(0);
  const ulong tile = (in_size + p - 1) / p;
  const ulong thread = get_group_id(0);
  const ulong in_start = thread * tile;
  const ulong in_len = min(tile, in_size - min(in_start, in_size));
  const ulong tile_2 = (in_len + ASSO_TILED_P - 1) / ASSO_TILED_P;

  // S_T, regroup(asso_tiled, T)
  // serialize(T)
  int tmp_read;
  for (ulong part = 0; part < ASSO_TILED_P; ++part) {
    const ulong in_start_2 = part * tile_2;
    const ulong in_len_2 = min(tile_2, in_len - min(in_start_2, in_len));

    // compute(kog, VE_T)
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[lane] = lane < in_len_2 ? in[in_start + in_start_2 + lane] : 0;
    for (ulong s = 1; s < NUM_LANES; s *= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      tmp_read = lane >= s ? tmp[lane - s] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane >= s) {
        tmp[lane] += (uint)tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
      sum_of_thread_2[part] = tmp[NUM_LANES - 1];
    }
  }

  // compute(kog, VE_T)
  barrier(CLK_LOCAL_MEM_FENCE);
  tmp[lane] = lane < ASSO_TILED_P ? sum_of_thread_2[lane] : 0;
  for (ulong s = 1; s < NUM_LANES; s *= 2) {
    int tmp_read_2;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp_read_2 = lane >= s ? tmp[lane - s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= s) {
      tmp[lane] += (uint)tmp_read_2;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    atomic_store_i32(&sum_of_thread[thread], tmp[NUM_LANES - 1]);
    earlier[0] = count_group(&finished[0], 1U);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint earlier_2 = earlier[0];
  if (earlier_2 == (uint)(p - 1)) {
    // the last group goes on
    // S_P, devolve(T)
    // compute(kog, VE_T)
    tmp[lane] = lane < p ? atomic_load_i32(&sum_of_thread[lane]) : 0;
    for (ulong s = 1; s < NUM_LANES; s *= 2) {
      int tmp_read_2;
      barrier(CLK_LOCAL_MEM_FENCE);
      tmp_read_2 = lane >= s ? tmp[lane - s] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane >= s) {
        tmp[lane] += (uint)tmp_read_2;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
      result[0] = tmp[NUM_LANES - 1];
    }
    if (lane == 0) {
      atomic_store_u32(&finished[0], 0U);
    }
  }
}
