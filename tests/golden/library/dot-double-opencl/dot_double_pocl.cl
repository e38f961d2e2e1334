// OpenCL kernels of dot_double, composed for simple-gpu:
//   S_G, regroup(dot_tiled, G), distribute(B), S_B, regroup(dot_strided, B), distribute(T),
//   compute(dot#1, SE_T), S_B, devolve(T), compute(sum#1, SE_T), S_G, devolve(B),
//   select(sum_reduce, B), S_B, regroup(strided, B), distribute(T), compute(reduce#1, SE_T),
//   compute(tree, VE_B)

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

static inline double atomic_load_f64(volatile __global double *place) {
#if defined(__NV_CL_C_VERSION)
  return *(const __global double *)place;
#else
  volatile __global uint *words = (volatile __global uint *)place;
  uint2 bits;
  bits.x = atomic_or(words, 0u);
  bits.y = atomic_or(words + 1, 0u);
  return as_double(bits);
#endif
}

static inline void atomic_store_u32(volatile __global uint *place, uint value) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits = as_uint(value);
  atomic_xchg(words, bits);
}

static inline void atomic_store_f64(volatile __global double *place, double value) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint2 bits = as_uint2(value);
  atomic_xchg(words, bits.x);
  atomic_xchg(words + 1, bits.y);
}

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

double zero_3(void) {
  return 0.0;
}

double plus_3(double a, double b) {
  return a + b;
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void dot_double_kernel(__global const double *restrict a,
                                __global const double *restrict b,
                                __global double *result,
                                __global double *dot_of_block,
                                __global uint *finished,
                                ulong a_size) {
  __local double dot_of_thread[NUM_THREADS];
  __local uint earlier[1];
  const ulong thread = get_local_id(0);

  // S_G, regroup(dot_tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong tile = (a_size + 4 * p - 1) / (4 * p) * 4;
  const ulong block = get_group_id(0);
  const ulong a_start = block * tile;
  const ulong a_len = min(tile, a_size - min(a_start, a_size));

  // S_B, regroup(dot_strided, B)
  // distribute(T)
  const ulong a_len_2 = (a_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(dot#1, SE_T)
  double accum = 0.0;
  UNROLL(8)
  for (ulong i = 0; i < a_len_2; ++i) {
    accum += a[a_start + thread + i * NUM_THREADS] * b[a_start + thread + i * NUM_THREADS];
  }
  dot_of_thread[thread] = accum;

  // S_B, devolve(T)
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    // compute(sum#1, SE_T)
    double accum_2 = 0.0;
    for (ulong i = 0; i < NUM_THREADS; ++i) {
      accum_2 += dot_of_thread[i];
    }
    atomic_store_f64(&dot_of_block[block], accum_2);
    earlier[0] = count_group(&finished[0], 1U);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint earlier_2 = earlier[0];
  if (earlier_2 == (uint)(p - 1)) {
    // the last group goes on
    // S_G, devolve(B)
    // S_B, regroup(strided, B)
    // distribute(T)
    const ulong in_len = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;

    // compute(reduce#1, SE_T)
    double accum_2 = zero_3();
    UNROLL(16)
    for (ulong i = 0; i < in_len; ++i) {
      accum_2 = plus_3(accum_2, atomic_load_f64(&dot_of_block[thread + i * NUM_THREADS]));
    }
    const double reduce_of_thread = accum_2;

    // compute(tree, VE_B)
    dot_of_thread[thread] = reduce_of_thread;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      double tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE);
      tmp_read = thread >= s ? plus_3(dot_of_thread[thread - s], dot_of_thread[thread]) : 0.0;
      barrier(CLK_LOCAL_MEM_FENCE);
      if (thread >= s) {
        dot_of_thread[thread] = tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread == 0) {
      result[0] = dot_of_thread[NUM_THREADS - 1];
    }
    if (thread == 0) {
      atomic_store_u32(&finished[0], 0U);
    }
  }
}
