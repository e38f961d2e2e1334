// OpenCL kernels of ordered_dot_float, composed for h200:
//   S_G, regroup(sliding, G), distribute(B), select(products_first, B), distribute(T),
//   compute(product#1, SE_T), S_B, devolve(T), compute(add_on#1, SE_T)

// free parameter of sliding
#ifndef SLIDING_T
#define SLIDING_T 4096
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 128
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

// Waits for another group to set the flag.
static inline void await_flag(volatile __global uint *flag) {
  while (atomic_or(flag, 0u) == 0u)
    ;
  fence_groups();
}

static inline float atomic_load_f32(volatile __global float *place) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits;
  bits = atomic_or(words, 0u);
  return as_float(bits);
}

static inline void set_flag(volatile __global uint *flag) {
  fence_groups();
  atomic_xchg(flag, 1u);
}

static inline void atomic_store_f32(volatile __global float *place, float value) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits = as_uint(value);
  atomic_xchg(words, bits);
}

__kernel void ordered_dot_float_1(__global float *restrict carries,
                                  __global uint *restrict flags,
                                  __global uint *restrict ticket,
                                  ulong x_size) {
  // S_G, regroup(sliding, G)
  for (ulong part = get_group_id(0); part < (x_size + SLIDING_T - 1) / SLIDING_T + 1; part +=
      get_num_groups(0)) {
    carries[part] = 0.0f;
    flags[part] = (uint)(part == 0);
    if (part == 0) {
      ticket[0] = 0U;
    }
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void ordered_dot_float_2(__global const float *restrict x,
                                  __global const float *restrict y,
                                  __global float *carries,
                                  __global uint *flags,
                                  __global uint *ticket,
                                  ulong x_size) {
  __local uint taken[1];
  __local float product_of_thread[SLIDING_T];
  __local float received[1];
  __local float next_cell[1];
  const ulong thread = get_local_id(0);

  // distribute(B), each waiting for the one before it
  for (ulong block = get_group_id(0); block < (x_size + SLIDING_T - 1) / SLIDING_T; block +=
      get_num_groups(0)) {
    if (thread == 0) {
      taken[0] = atomic_add(&ticket[0], 1U);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const ulong part = (ulong)taken[0];
    const ulong x_start = part * SLIDING_T;
    const ulong x_len = min((ulong)SLIDING_T, x_size - min(x_start, x_size));

    // distribute(T)
    #pragma unroll 8
    for (ulong thread_2 = thread; thread_2 < x_len; thread_2 += NUM_THREADS) {
      const float x_2 = x[x_start + thread_2];
      const float y_2 = y[x_start + thread_2];

      // compute(product#1, SE_T)
      product_of_thread[thread_2] = x_2 * y_2;
    }
    if (thread == 0) {
      await_flag(&flags[part]);
      received[0] = atomic_load_f32(&carries[part]);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const float carry = received[0];
    const float before = carry;

    // S_B, devolve(T)
    if (thread == 0) {
      // compute(add_on#1, SE_T)
      float accum = before;
      for (ulong i = 0; i < x_len; ++i) {
        accum += product_of_thread[i];
      }
      next_cell[0] = accum;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const float next = next_cell[0];
    if (thread == 0) {
      atomic_store_f32(&carries[part + 1], next);
      set_flag(&flags[part + 1]);
    }
  }
}

__kernel void ordered_dot_float_3(__global float *restrict result,
                                  __global const float *restrict carries,
                                  ulong x_size) {
  result[0] = carries[(x_size + SLIDING_T - 1) / SLIDING_T];
}
