// OpenCL kernels of exclusive_scan_int, composed for simple-gpu:
//   S_G, regroup(exclusive_chained, G), distribute(B), S_B, regroup(exclusive_by_parts, B),
//   distribute(T), compute(sum#1, SE_T), compute(offsets_lanes, VE_B), S_B,
//   regroup(exclusive_by_parts, B), distribute(T), compute(exclusive_after#1, SE_T)

// free parameter of exclusive_chained
#ifndef EXCLUSIVE_CHAINED_T
#define EXCLUSIVE_CHAINED_T 2048
#endif
// free parameter of exclusive_by_parts
#ifndef EXCLUSIVE_BY_PARTS_E
#define EXCLUSIVE_BY_PARTS_E 4
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

static inline int4 load_int4(const __global int *from) {
#if defined(__NV_CL_C_VERSION)
  return *(const __global int4 *)from;
#else
  return vload4(0, from);
#endif
}

static inline void store_int4(int4 value, __global int *to) {
#if defined(__NV_CL_C_VERSION)
  *(__global int4 *)to = value;
#else
  vstore4(value, 0, to);
#endif
}

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

__kernel void exclusive_scan_int_1(__global int *restrict carries,
                                   __global uint *restrict flags,
                                   __global uint *restrict ticket,
                                   ulong in_size) {
  // S_G, regroup(exclusive_chained, G)
  for (ulong part = get_group_id(0); part < (in_size + EXCLUSIVE_CHAINED_T - 1)
      / EXCLUSIVE_CHAINED_T + 1; part += get_num_groups(0)) {
    carries[part] = 0;
    flags[part] = (uint)(part == 0);
    if (part == 0) {
      ticket[0] = 0U;
    }
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void exclusive_scan_int_2(__global const int *restrict in,
                                   __global int *out,
                                   __global int *carries,
                                   __global uint *flags,
                                   __global uint *ticket,
                                   ulong in_size) {
  __local uint taken[1];
  __local int sum_of_thread[(EXCLUSIVE_CHAINED_T + EXCLUSIVE_BY_PARTS_E - 1)
      / EXCLUSIVE_BY_PARTS_E];
  __local int tmp[NUM_THREADS];
  __local int received[1];
  const ulong thread = get_local_id(0);

  // distribute(B), each waiting for the one before it
  for (ulong block = get_group_id(0); block < (in_size + EXCLUSIVE_CHAINED_T - 1)
      / EXCLUSIVE_CHAINED_T; block += get_num_groups(0)) {
    if (thread == 0) {
      taken[0] = atomic_add(&ticket[0], 1U);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const ulong part = (ulong)taken[0];
    const ulong in_start = part * EXCLUSIVE_CHAINED_T;
    const ulong in_len = min((ulong)EXCLUSIVE_CHAINED_T, in_size - min(in_start, in_size));

    // S_B, regroup(exclusive_by_parts, B)
    // distribute(T)
    int in_held[((EXCLUSIVE_CHAINED_T + EXCLUSIVE_BY_PARTS_E - 1) / EXCLUSIVE_BY_PARTS_E
        + NUM_THREADS - 1) / NUM_THREADS * EXCLUSIVE_BY_PARTS_E];
    if (in_len == EXCLUSIVE_CHAINED_T
        && EXCLUSIVE_CHAINED_T % (EXCLUSIVE_BY_PARTS_E * NUM_THREADS) == 0) {
      UNROLL(64)
      for (ulong turn = 0;
          turn < ((EXCLUSIVE_CHAINED_T + EXCLUSIVE_BY_PARTS_E - 1) / EXCLUSIVE_BY_PARTS_E
          + NUM_THREADS - 1) / NUM_THREADS; ++turn) {
        const ulong part_2 = turn * NUM_THREADS + thread;
        const ulong in_start_2 = part_2 * EXCLUSIVE_BY_PARTS_E;

        // compute(sum#1, SE_T)
        UNROLL(64)
        for (ulong i = 0; i < EXCLUSIVE_BY_PARTS_E; i += 4) {
          vstore4(load_int4(&in[in_start + in_start_2 + i]), 0,
              &in_held[turn * EXCLUSIVE_BY_PARTS_E + i]);
        }
        int accum = 0;
        UNROLL(64)
        for (ulong i = 0; i < EXCLUSIVE_BY_PARTS_E; ++i) {
          accum += (uint)in_held[turn * EXCLUSIVE_BY_PARTS_E + i];
        }
        sum_of_thread[part_2] = accum;
      }
    } else {
      for (ulong part_2 = thread; part_2 < (in_len + EXCLUSIVE_BY_PARTS_E - 1)
          / EXCLUSIVE_BY_PARTS_E; part_2 += NUM_THREADS) {
        const ulong in_start_2 = part_2 * EXCLUSIVE_BY_PARTS_E;
        const ulong in_len_2 = min((ulong)EXCLUSIVE_BY_PARTS_E, in_len - in_start_2);

        // compute(sum#1, SE_T)
        int accum = 0;
        UNROLL(16)
        for (ulong i = 0; i < in_len_2; ++i) {
          accum += (uint)in[in_start + in_start_2 + i];
        }
        sum_of_thread[part_2] = accum;
      }
    }

    // compute(offsets_lanes, VE_B)
    const ulong each =
        ((in_len + EXCLUSIVE_BY_PARTS_E - 1) / EXCLUSIVE_BY_PARTS_E + NUM_THREADS - 1)
        / NUM_THREADS;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int own = 0;
    for (ulong k = 0; k < each && each * thread + k < (in_len + EXCLUSIVE_BY_PARTS_E - 1)
        / EXCLUSIVE_BY_PARTS_E; ++k) {
      own += (uint)sum_of_thread[each * thread + k];
    }
    tmp[thread] = own;
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
    int accum = thread > 0 ? tmp[thread - 1] : 0;
    for (ulong k = 0; k < each && each * thread + k < (in_len + EXCLUSIVE_BY_PARTS_E - 1)
        / EXCLUSIVE_BY_PARTS_E; ++k) {
      const int here = sum_of_thread[each * thread + k];
      sum_of_thread[each * thread + k] = accum;
      accum += (uint)here;
    }
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

    // S_B, regroup(exclusive_by_parts, B)
    // distribute(T)
    if (in_len == EXCLUSIVE_CHAINED_T
        && EXCLUSIVE_CHAINED_T % (EXCLUSIVE_BY_PARTS_E * NUM_THREADS) == 0) {
      UNROLL(64)
      for (ulong turn = 0;
          turn < ((EXCLUSIVE_CHAINED_T + EXCLUSIVE_BY_PARTS_E - 1) / EXCLUSIVE_BY_PARTS_E
          + NUM_THREADS - 1) / NUM_THREADS; ++turn) {
        const ulong part_2 = turn * NUM_THREADS + thread;
        const int before = sum_of_thread[part_2];
        const ulong in_start_2 = part_2 * EXCLUSIVE_BY_PARTS_E;

        // compute(exclusive_after#1, SE_T)
        int out_kept[EXCLUSIVE_BY_PARTS_E];
        int accum_2 = (int)((uint)carry + before);
        UNROLL(64)
        for (ulong i = 0; i < EXCLUSIVE_BY_PARTS_E; ++i) {
          out_kept[i] = accum_2;
          accum_2 += (uint)in_held[turn * EXCLUSIVE_BY_PARTS_E + i];
        }
        UNROLL(64)
        for (ulong i = 0; i < EXCLUSIVE_BY_PARTS_E; i += 4) {
          store_int4(vload4(0, &out_kept[i]), &out[in_start + in_start_2 + i]);
        }
      }
    } else {
      for (ulong part_2 = thread; part_2 < (in_len + EXCLUSIVE_BY_PARTS_E - 1)
          / EXCLUSIVE_BY_PARTS_E; part_2 += NUM_THREADS) {
        const int before = sum_of_thread[part_2];
        const ulong in_start_2 = part_2 * EXCLUSIVE_BY_PARTS_E;
        const ulong in_len_2 = min((ulong)EXCLUSIVE_BY_PARTS_E, in_len - in_start_2);

        // compute(exclusive_after#1, SE_T)
        int accum_2 = (int)((uint)carry + before);
        UNROLL(16)
        for (ulong i = 0; i < in_len_2; ++i) {
          out[in_start + in_start_2 + i] = accum_2;
          accum_2 += (uint)in[in_start + in_start_2 + i];
        }
      }
    }
    POCL_BARRIER();
  }
}
