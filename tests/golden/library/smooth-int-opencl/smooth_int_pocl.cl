// OpenCL kernels of smooth_int, composed for simple-gpu:
//   select(smooth_rounds, G), S_G, regroup(copy_tiled, G), distribute(B), S_B,
//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T), S_G,
//   regroup(smooth_rounds, G), distribute(B), S_B, devolve(T), compute(mean_at#1, SE_T), S_G,
//   devolve(B), S_B, regroup(apart_parts, B), distribute(T), compute(most_apart#1, SE_T),
//   compute(tree, VE_B), S_G, regroup(copy_tiled, G), distribute(B), S_B,
//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T)

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

static inline void atomic_store_u32(volatile __global uint *place, uint value) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits = as_uint(value);
  atomic_xchg(words, bits);
}

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

int larger_2(int a, int b) {
  return a < b ? b : a;
}

int none(void) {
  return 0;
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void smooth_int_1(__global const int *restrict values,
                           __global int *now,
                           __global uint *rounds,
                           __global int *changed,
                           __global uint *goes_on,
                           __global uint *finished_2,
                           ulong values_size,
                           int by,
                           uint most) {
  __local uint earlier[1];
  const ulong thread = get_local_id(0);

  // S_G, regroup(copy_tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong values_tile = (values_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * values_tile;
  const ulong in_len = min(values_tile, values_size - min(in_start, values_size));

  // S_B, regroup(copy_strided, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(copy#1, SE_T)
  UNROLL(16)
  for (ulong i = 0; i < in_len_2; ++i) {
    now[in_start + thread + i * NUM_THREADS] = values[in_start + thread + i * NUM_THREADS];
  }
  if (thread == 0) {
    earlier[0] = count_group(&finished_2[0], 1U);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const uint earlier_2 = earlier[0];
  if (earlier_2 == (uint)(p - 1)) {
    // the last group goes on
    if (thread == 0) {
      rounds[0] = 0U;
      changed[0] = (int)((uint)by + 1);
      goes_on[0] = (uint)(changed[0] > by && rounds[0] < most);
    }
    if (thread == 0) {
      atomic_store_u32(&finished_2[0], 0U);
    }
  }
}

__kernel void smooth_int_2(__global const int *restrict now,
                           __global int *restrict next,
                           ulong values_size) {
  // S_G, regroup(smooth_rounds, G)
  // distribute(B)
  for (ulong block = get_group_id(0); block < values_size; block += get_num_groups(0)) {
    // S_B, devolve(T)
    // compute(mean_at#1, SE_T)
    next[block] =
        (int)((uint)now[min(max(block, (ulong)1) - 1, values_size - 1)] + now[block]
        + now[min(block + 1, values_size - 1)]) / 3;
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void smooth_int_3(__global const int *restrict now,
                           __global const int *restrict next,
                           __global uint *restrict rounds,
                           __global int *restrict changed,
                           __global uint *restrict goes_on,
                           ulong values_size,
                           int by,
                           uint most) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, devolve(B)
  // S_B, regroup(apart_parts, B)
  const ulong now_tile = (values_size + NUM_THREADS - 1) / NUM_THREADS;

  // distribute(T)
  const ulong a_start = thread * now_tile;
  const ulong a_len = min(now_tile, values_size - min(a_start, values_size));

  // compute(most_apart#1, SE_T)
  int most_2 = 0;
  UNROLL(8)
  for (ulong i = 0; i < a_len; ++i) {
    const int distance = now[a_start + i] < next[a_start + i]
        ? (int)((uint)next[a_start + i] - now[a_start + i])
        : (int)((uint)now[a_start + i] - next[a_start + i]);
    most_2 = larger_2(most_2, distance);
  }
  const int most_apart_of_thread = most_2;

  // compute(tree, VE_B)
  tmp[thread] = most_apart_of_thread;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
    int tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    tmp_read = thread >= s ? larger_2(tmp[thread - s], tmp[thread]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (thread >= s) {
      tmp[thread] = tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (thread == 0) {
    changed[0] = tmp[NUM_THREADS - 1];
  }
  if (thread == 0) {
    ++rounds[0];
    goes_on[0] = (uint)(changed[0] > by && rounds[0] < most);
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void smooth_int_4(__global int *values,
                           __global uint *result,
                           __global const int *restrict now,
                           __global const uint *restrict rounds,
                           __global uint *finished,
                           ulong values_size) {
  __local uint earlier[1];
  const ulong thread = get_local_id(0);

  // S_G, regroup(copy_tiled, G)
  // distribute(B)
  const ulong p_2 = get_num_groups(0);
  const ulong now_tile = (values_size + p_2 - 1) / p_2;
  const ulong block = get_group_id(0);
  const ulong in_start = block * now_tile;
  const ulong in_len = min(now_tile, values_size - min(in_start, values_size));

  // S_B, regroup(copy_strided, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(copy#1, SE_T)
  UNROLL(16)
  for (ulong i = 0; i < in_len_2; ++i) {
    values[in_start + thread + i * NUM_THREADS] = now[in_start + thread + i * NUM_THREADS];
  }
  if (thread == 0) {
    earlier[0] = count_group(&finished[0], 1U);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint earlier_2 = earlier[0];
  if (earlier_2 == (uint)(p_2 - 1)) {
    // the last group goes on
    if (thread == 0) {
      result[0] = rounds[0];
    }
    if (thread == 0) {
      atomic_store_u32(&finished[0], 0U);
    }
  }
}
