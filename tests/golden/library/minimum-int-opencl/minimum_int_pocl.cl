// OpenCL kernels of minimum_int, composed for simple-gpu:
//   select(minimum_reduce, G), S_G, regroup(tiled, G), distribute(B), S_B, regroup(strided, B),
//   distribute(T), compute(reduce#1, SE_T), compute(tree, VE_B), S_G, devolve(B), S_B,
//   regroup(strided, B), distribute(T), compute(reduce#1, SE_T), compute(tree, VE_B)

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

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

int greatest(void) {
  return 2147483647;
}

int smaller(int a, int b) {
  return b < a ? b : a;
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void minimum_int_kernel(__global const int *restrict in,
                                 __global int *result,
                                 __global int *reduce_of_block,
                                 __global uint *finished,
                                 ulong in_size) {
  __local int tmp[NUM_THREADS];
  __local uint earlier[1];
  const ulong thread = get_local_id(0);

  // S_G, regroup(tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong in_tile = (in_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong in_start = block * in_tile;
  const ulong in_len = min(in_tile, in_size - min(in_start, in_size));

  // S_B, regroup(strided, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(reduce#1, SE_T)
  int accum = greatest();
  UNROLL(16)
  for (ulong i = 0; i < in_len_2; ++i) {
    accum = smaller(accum, in[in_start + thread + i * NUM_THREADS]);
  }
  const int reduce_of_thread = accum;

  // compute(tree, VE_B)
  tmp[thread] = reduce_of_thread;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
    int tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp_read = thread >= s ? smaller(tmp[thread - s], tmp[thread]) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread >= s) {
      tmp[thread] = tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    atomic_store_i32(&reduce_of_block[block], tmp[NUM_THREADS - 1]);
    earlier[0] = count_group(&finished[0], 1U);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint earlier_2 = earlier[0];
  if (earlier_2 == (uint)(p - 1)) {
    // the last group goes on
    // S_G, devolve(B)
    // S_B, regroup(strided, B)
    // distribute(T)
    const ulong in_len_3 = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;

    // compute(reduce#1, SE_T)
    int accum_2 = greatest();
    UNROLL(16)
    for (ulong i = 0; i < in_len_3; ++i) {
      accum_2 = smaller(accum_2, atomic_load_i32(&reduce_of_block[thread + i * NUM_THREADS]));
    }
    const int reduce_of_thread_2 = accum_2;

    // compute(tree, VE_B)
    tmp[thread] = reduce_of_thread_2;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      int tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE);
      tmp_read = thread >= s ? smaller(tmp[thread - s], tmp[thread]) : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (thread >= s) {
        tmp[thread] = tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread == 0) {
      result[0] = tmp[NUM_THREADS - 1];
    }
    if (thread == 0) {
      atomic_store_u32(&finished[0], 0U);
    }
  }
}
