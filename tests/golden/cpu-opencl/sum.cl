// OpenCL kernels of sum, composed for cpu:
//   S_P, regroup(asso_tiled, P), distribute(T), S_T, regroup(stride_tiled, T), distribute(V),
//   S_V, regroup(stride_tiled, V), distribute(I), compute(sum#1, SE_I), compute(sum#1, SE_V),
//   compute(kog, VE_T), S_P, devolve(T), S_T, regroup(stride_tiled, T), distribute(V), S_V,
//   regroup(stride_tiled, V), distribute(I), compute(sum#1, SE_I), compute(sum#1, SE_V),
//   compute(kog, VE_T)

// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif
// chains in a lane
#ifndef NUM_CHAINS
#define NUM_CHAINS 4
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
  // distribute(T)
  const ulong p = get_num_groups(0);
  const ulong tile = (in_size + p - 1) / p;
  const ulong thread = get_group_id(0);
  const ulong in_start = thread * tile;
  const ulong in_len = min(tile, in_size - min(in_start, in_size));

  // S_T, regroup(stride_tiled, T)
  // distribute(V)
  const ulong in_len_2 = (in_len + NUM_LANES - 1 - lane) / NUM_LANES;

  // S_V, regroup(stride_tiled, V)
  int sum_of_chain[NUM_CHAINS];

  // distribute(I)
  int accum[NUM_CHAINS];
  #pragma unroll
  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
    // compute(sum#1, SE_I)
    accum[chain] = 0;
  }
  const ulong common = in_len_2 / NUM_CHAINS;
  #pragma unroll 4
  for (ulong i = 0; i < common; ++i) {
    #pragma unroll
    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
      accum[chain] += (uint)in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
    }
  }
  #pragma unroll
  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
    if (common < (in_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS) {
      accum[chain] +=
          (uint)in[in_start + lane + chain * NUM_LANES + common * (NUM_CHAINS * NUM_LANES)];
    }
    sum_of_chain[chain] = accum[chain];
  }

  // compute(sum#1, SE_V)
  int accum_2 = 0;
  for (ulong i = 0; i < NUM_CHAINS; ++i) {
    accum_2 += (uint)sum_of_chain[i];
  }
  const int sum_of_lane = accum_2;

  // compute(kog, VE_T)
  tmp[lane] = sum_of_lane;
  for (ulong s = 1; s < NUM_LANES; s *= 2) {
    int tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp_read = lane >= s ? tmp[lane - s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= s) {
      tmp[lane] += (uint)tmp_read;
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
    // S_T, regroup(stride_tiled, T)
    // distribute(V)
    const ulong in_len_3 = (p + NUM_LANES - 1 - lane) / NUM_LANES;

    // S_V, regroup(stride_tiled, V)
    int sum_of_chain_2[NUM_CHAINS];

    // distribute(I)
    int accum_3[NUM_CHAINS];
    #pragma unroll
    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
      // compute(sum#1, SE_I)
      accum_3[chain] = 0;
    }
    const ulong common_2 = in_len_3 / NUM_CHAINS;
    #pragma unroll 4
    for (ulong i = 0; i < common_2; ++i) {
      #pragma unroll
      for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
        accum_3[chain] +=
            (uint)atomic_load_i32(&sum_of_thread[lane + chain * NUM_LANES + i
            * (NUM_CHAINS * NUM_LANES)]);
      }
    }
    #pragma unroll
    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
      if (common_2 < (in_len_3 + NUM_CHAINS - 1 - chain) / NUM_CHAINS) {
        accum_3[chain] +=
            (uint)atomic_load_i32(&sum_of_thread[lane + chain * NUM_LANES + common_2
            * (NUM_CHAINS * NUM_LANES)]);
      }
      sum_of_chain_2[chain] = accum_3[chain];
    }

    // compute(sum#1, SE_V)
    int accum_4 = 0;
    for (ulong i = 0; i < NUM_CHAINS; ++i) {
      accum_4 += (uint)sum_of_chain_2[i];
    }
    const int sum_of_lane_2 = accum_4;

    // compute(kog, VE_T)
    tmp[lane] = sum_of_lane_2;
    for (ulong s = 1; s < NUM_LANES; s *= 2) {
      int tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE);
      tmp_read = lane >= s ? tmp[lane - s] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (lane >= s) {
        tmp[lane] += (uint)tmp_read;
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
