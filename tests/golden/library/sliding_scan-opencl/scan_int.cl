// OpenCL kernels of scan_int, composed for simple-gpu:
//   S_G, regroup(chained, G), distribute(B), select(total_then_scan, B), select(sum_reduce, B),
//   S_B, regroup(strided, B), distribute(T), compute(reduce#1, SE_T), compute(tree, VE_B), S_B,
//   regroup(reduce_scan_scan, B), distribute(T), compute(sum#1, SE_T),
//   compute(starts_lanes, VE_B), S_B, regroup(reduce_scan_scan, B), distribute(T),
//   compute(scan_from#1, SE_T)

// free parameter of chained
#ifndef CHAINED_T
#define CHAINED_T 2048
#endif
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

// Waits for another group to set the flag.
static inline void await_flag(volatile __global uint *flag) {
  while (atomic_or(flag, 0u) == 0u)
    ;
  fence_groups();
}

static inline int atomic_load_i32(volatile __global int *place) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits;
  bits = atomic_or(words, 0u);
  return as_int(bits);
}

static inline void set_flag(volatile __global uint *flag) {
  fence_groups();
  atomic_xchg(flag, 1u);
}

static inline void atomic_store_i32(volatile __global int *place, int value) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits = as_uint(value);
  atomic_xchg(words, bits);
}

int zero(void) {
  return 0;
}

int plus(int a, int b) {
  return (int)((uint)a + b);
}

__kernel void scan_int_1(__global int *restrict carries,
                         __global uint *restrict flags,
                         __global uint *restrict ticket,
                         ulong in_size) {
  // S_G, regroup(chained, G)
  for (ulong part = get_group_id(0); part < (in_size + CHAINED_T - 1) / CHAINED_T + 1; part +=
      get_num_groups(0)) {
    carries[part] = 0;
    flags[part] = (uint)(part == 0);
    if (part == 0) {
      ticket[0] = 0U;
    }
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void scan_int_2(__global const int *restrict in,
                         __global int *out,
                         __global int *carries,
                         __global uint *flags,
                         __global uint *ticket,
                         ulong in_size) {
  __local uint taken[1];
  __local int tmp[NUM_THREADS];
  __local int received[1];
  const ulong thread = get_local_id(0);

  // distribute(B), each waiting for the one before it
  for (ulong block = get_group_id(0); block < (in_size + CHAINED_T - 1) / CHAINED_T; block +=
      get_num_groups(0)) {
    int sum_of_thread;
    if (thread == 0) {
      taken[0] = atomic_add(&ticket[0], 1U);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const ulong part = (ulong)taken[0];
    const ulong in_start = part * CHAINED_T;
    const ulong in_len = min((ulong)CHAINED_T, in_size - min(in_start, in_size));

    // S_B, regroup(strided, B)
    // distribute(T)
    const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

    // compute(reduce#1, SE_T)
    int accum = zero();
    #pragma unroll 16
    for (ulong i = 0; i < in_len_2; ++i) {
      accum = plus(accum, in[in_start + thread + i * NUM_THREADS]);
    }
    const int reduce_of_thread = accum;

    // compute(tree, VE_B)
    tmp[thread] = reduce_of_thread;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      int tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      tmp_read = thread >= s ? plus(tmp[thread - s], tmp[thread]) : 0;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (thread >= s) {
        tmp[thread] = tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const int total = tmp[NUM_THREADS - 1];
    if (thread == 0) {
      await_flag(&flags[part]);
      received[0] = atomic_load_i32(&carries[part]);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const int carry = received[0];
    const int next = (int)((uint)carry + total);
    if (thread == 0) {
      atomic_store_i32(&carries[part + 1], next);
      set_flag(&flags[part + 1]);
    }
    const int start = carry;

    // S_B, regroup(reduce_scan_scan, B)
    const ulong in_tile = (in_len + NUM_THREADS - 1) / NUM_THREADS;

    // distribute(T)
    const ulong in_start_2 = thread * in_tile;
    const ulong in_len_3 = min(in_tile, in_len - min(in_start_2, in_len));

    // compute(sum#1, SE_T)
    int accum_2 = 0;
    #pragma unroll 16
    for (ulong i = 0; i < in_len_3; ++i) {
      accum_2 += (uint)in[in_start + in_start_2 + i];
    }
    sum_of_thread = accum_2;

    // compute(starts_lanes, VE_B)
    tmp[thread] = sum_of_thread;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      int tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      tmp_read = thread >= s ? tmp[thread - s] : 0;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (thread >= s) {
        tmp[thread] += (uint)tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    sum_of_thread = (int)((uint)start + (thread > 0 ? tmp[thread - 1] : 0));

    // S_B, regroup(reduce_scan_scan, B)
    // distribute(T)
    const int start_2 = sum_of_thread;
    const ulong in_start_3 = thread * in_tile;
    const ulong in_len_4 = min(in_tile, in_len - min(in_start_3, in_len));

    // compute(scan_from#1, SE_T)
    int accum_3 = start_2;
    #pragma unroll 16
    for (ulong i = 0; i < in_len_4; ++i) {
      accum_3 += (uint)in[in_start + in_start_3 + i];
      out[in_start + in_start_3 + i] = accum_3;
    }
  }
}
