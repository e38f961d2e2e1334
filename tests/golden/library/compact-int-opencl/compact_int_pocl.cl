// OpenCL kernels of compact_int, composed for simple-gpu:
//   S_G, regroup(chained_packs, G), distribute(B), S_B, regroup(pack_by_parts, B),
//   distribute(T), compute(kept#1, SE_T), compute(starts_lanes, VE_B), S_B,
//   regroup(pack_by_parts, B), distribute(T), compute(pack#1, SE_T), S_B,
//   regroup(pack_by_parts, B), serialize(B), compute(front_lanes, VE_B)

// free parameter of chained_packs
#ifndef CHAINED_PACKS_T
#define CHAINED_PACKS_T 2048
#endif
// free parameter of pack_by_parts
#ifndef PACK_BY_PARTS_E
#define PACK_BY_PARTS_E 16
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

static inline uint atomic_load_u32(volatile __global uint *place) {
  volatile __global uint *words = (volatile __global uint *)place;
  uint bits;
  bits = atomic_or(words, 0u);
  return as_uint(bits);
}

static inline void set_flag(volatile __global uint *flag) {
  fence_groups();
  atomic_xchg(flag, 1u);
}

static inline void atomic_store_u32(volatile __global uint *place, uint value) {
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

bool keep(int x) {
  return x > 0;
}

__kernel void compact_int_1(__global uint *restrict carries,
                            __global uint *restrict flags,
                            __global uint *restrict ticket,
                            ulong in_size) {
  // S_G, regroup(chained_packs, G)
  for (ulong part = get_group_id(0); part < (in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T + 1;
      part += get_num_groups(0)) {
    carries[part] = 0U;
    flags[part] = (uint)(part == 0);
    if (part == 0) {
      ticket[0] = 0U;
    }
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void compact_int_2(__global const int *restrict in,
                            __global int *out,
                            __global uint *carries,
                            __global uint *flags,
                            __global uint *ticket,
                            ulong in_size) {
  __local uint taken[1];
  __local uint kept_of_thread[(CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E];
  __local uint starts[(CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + 1];
  __local uint tmp[NUM_THREADS];
  __local uint received[1];
  __local int tile[CHAINED_PACKS_T];
  const ulong thread = get_local_id(0);

  // distribute(B), each waiting for the one before it
  for (ulong block = get_group_id(0); block < (in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T;
      block += get_num_groups(0)) {
    if (thread == 0) {
      taken[0] = atomic_add(&ticket[0], 1U);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const ulong part = (ulong)taken[0];
    const ulong in_start = part * CHAINED_PACKS_T;
    const ulong in_len = min((ulong)CHAINED_PACKS_T, in_size - min(in_start, in_size));

    // S_B, regroup(pack_by_parts, B)
    // distribute(T)
    int in_held[((CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + NUM_THREADS - 1)
        / NUM_THREADS * PACK_BY_PARTS_E];
    if (in_len == CHAINED_PACKS_T && CHAINED_PACKS_T % (PACK_BY_PARTS_E * NUM_THREADS) == 0) {
      UNROLL(64)
      for (ulong turn = 0;
          turn < ((CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + NUM_THREADS - 1)
          / NUM_THREADS; ++turn) {
        const ulong part_2 = turn * NUM_THREADS + thread;
        const ulong in_start_2 = part_2 * PACK_BY_PARTS_E;

        // compute(kept#1, SE_T)
        UNROLL(64)
        for (ulong i = 0; i < PACK_BY_PARTS_E; i += 4) {
          vstore4(load_int4(&in[in_start + in_start_2 + i]), 0,
              &in_held[turn * PACK_BY_PARTS_E + i]);
        }
        uint count = 0U;
        UNROLL(64)
        for (ulong i = 0; i < PACK_BY_PARTS_E; ++i) {
          count += keep(in_held[turn * PACK_BY_PARTS_E + i]) ? 1 : 0;
        }
        kept_of_thread[part_2] = count;
      }
    } else {
      for (ulong part_2 = thread; part_2 < (in_len + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E;
          part_2 += NUM_THREADS) {
        const ulong in_start_2 = part_2 * PACK_BY_PARTS_E;
        const ulong in_len_2 = min((ulong)PACK_BY_PARTS_E, in_len - in_start_2);

        // compute(kept#1, SE_T)
        uint count = 0U;
        UNROLL(16)
        for (ulong i = 0; i < in_len_2; ++i) {
          count += keep(in[in_start + in_start_2 + i]) ? 1 : 0;
        }
        kept_of_thread[part_2] = count;
      }
    }
    const ulong parts = (in_len + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E;

    // compute(starts_lanes, VE_B)
    const ulong each = (parts + NUM_THREADS - 1) / NUM_THREADS;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint own = 0U;
    for (ulong k = 0; k < each && each * thread + k < parts; ++k) {
      own += kept_of_thread[each * thread + k];
    }
    tmp[thread] = own;
    for (ulong s = 1; s < NUM_THREADS; s *= 2) {
      uint tmp_read;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      tmp_read = thread >= s ? tmp[thread - s] : 0U;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (thread >= s) {
        tmp[thread] += tmp_read;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint accum = thread > 0 ? tmp[thread - 1] : 0U;
    for (ulong k = 0; k < each && each * thread + k < parts; ++k) {
      starts[each * thread + k] = accum;
      accum += kept_of_thread[each * thread + k];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (thread == 0) {
      starts[parts] = tmp[NUM_THREADS - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint total = starts[parts];
    if (thread == 0) {
      await_flag(&flags[part]);
      received[0] = atomic_load_u32(&carries[part]);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint carry = received[0];
    const uint next = carry + total;
    if (thread == 0) {
      atomic_store_u32(&carries[part + 1], next);
      set_flag(&flags[part + 1]);
    }

    // S_B, regroup(pack_by_parts, B)
    // distribute(T)
    if (in_len == CHAINED_PACKS_T && CHAINED_PACKS_T % (PACK_BY_PARTS_E * NUM_THREADS) == 0) {
      UNROLL(64)
      for (ulong turn = 0;
          turn < ((CHAINED_PACKS_T + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E + NUM_THREADS - 1)
          / NUM_THREADS; ++turn) {
        const ulong part_2 = turn * NUM_THREADS + thread;
        const ulong out_start = (ulong)starts[part_2];
        const ulong out_len = max(min((ulong)starts[1 + part_2], in_len), out_start) - out_start;

        // compute(pack#1, SE_T)
        ulong at = 0;
        UNROLL(64)
        for (ulong i = 0; i < PACK_BY_PARTS_E; ++i) {
          if (keep(in_held[turn * PACK_BY_PARTS_E + i]) && at < out_len) {
            tile[out_start + at] = in_held[turn * PACK_BY_PARTS_E + i];
            ++at;
          }
        }
      }
    } else {
      for (ulong part_2 = thread; part_2 < (in_len + PACK_BY_PARTS_E - 1) / PACK_BY_PARTS_E;
          part_2 += NUM_THREADS) {
        const ulong in_start_2 = part_2 * PACK_BY_PARTS_E;
        const ulong in_len_2 = min((ulong)PACK_BY_PARTS_E, in_len - in_start_2);
        const ulong out_start = (ulong)starts[part_2];
        const ulong out_len = max(min((ulong)starts[1 + part_2], in_len), out_start) - out_start;

        // compute(pack#1, SE_T)
        ulong at = 0;
        UNROLL(16)
        for (ulong i = 0; i < in_len_2; ++i) {
          if (keep(in[in_start + in_start_2 + i]) && at < out_len) {
            tile[out_start + at] = in[in_start + in_start_2 + i];
            ++at;
          }
        }
      }
    }

    // S_B, regroup(pack_by_parts, B)
    // serialize(B)
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (ulong part_2 = 0; part_2 < 1; ++part_2) {
      const ulong out_start = (ulong)carry;
      const ulong out_len = max(min((ulong)next, in_size), out_start) - out_start;

      // compute(front_lanes, VE_B)
      const ulong count = min(in_len, out_len);
      for (ulong i = thread; i < count; i += NUM_THREADS) {
        out[out_start + i] = tile[i];
      }
    }
    POCL_BARRIER();
  }
}

__kernel void compact_int_3(__global uint *restrict result,
                            __global const uint *restrict carries,
                            ulong in_size) {
  result[0] = carries[(in_size + CHAINED_PACKS_T - 1) / CHAINED_PACKS_T];
}
