// OpenCL kernels of scan_int, composed for h200:
//   S_G, regroup(chained, G), distribute(B), S_B, regroup(by_parts, B), distribute(T),
//   compute(sum#1, SE_T), compute(offsets_lanes, VE_B), S_B, regroup(by_parts, B),
//   distribute(T), compute(scan_after#1, SE_T)

// free parameter of chained
#ifndef CHAINED_T
#define CHAINED_T 4096
#endif
// free parameter of by_parts
#ifndef BY_PARTS_E
#define BY_PARTS_E 4
#endif
// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 128
#endif

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

// What is there by now.
static inline ulong atomic_look_u64(volatile __global ulong *place, ulong nothing) {
#if defined(__NV_CL_C_VERSION)
  return *place;
#else
  return atom_add(place, nothing);
#endif
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

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void scan_int_1(__global ulong *restrict states,
                         __global uint *restrict ticket,
                         ulong in_size) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(chained, G)
  for (ulong first = get_group_id(0); first < ((in_size + CHAINED_T - 1) / CHAINED_T + NUM_THREADS)
      / NUM_THREADS; first += get_num_groups(0)) {
    // A state: in its upper half 1 where the sum of the part alone is there, 2 where that of all parts up to it is
    const ulong part = first * NUM_THREADS + thread;
    if (part < (in_size + CHAINED_T - 1) / CHAINED_T + 1) {
      states[part] = part == 0 ? (2UL << 32) : 0UL;
      if (part == 0) {
        ticket[0] = 0U;
      }
    }
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void scan_int_2(__global const int *restrict in,
                         __global int *out,
                         __global ulong *states,
                         __global uint *ticket,
                         ulong in_size) {
  __local uint taken[1];
  __local int sum_of_thread[(CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E];
  __local int tmp[NUM_THREADS];
  __local uint marks[64];
  __local uint values[64];
  const ulong thread = get_local_id(0);

  // distribute(B), each waiting for the one before it
  for (ulong block = get_group_id(0); block < (in_size + CHAINED_T - 1) / CHAINED_T; block +=
      get_num_groups(0)) {
    if (thread == 0) {
      taken[0] = atomic_add(&ticket[0], 1U);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const ulong part = (ulong)taken[0];
    const ulong in_start = part * CHAINED_T;
    const ulong in_len = min((ulong)CHAINED_T, in_size - min(in_start, in_size));

    // S_B, regroup(by_parts, B)
    // distribute(T)
    int in_held[((CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E + NUM_THREADS - 1) / NUM_THREADS
        * BY_PARTS_E];
    if (in_len == CHAINED_T && CHAINED_T % (BY_PARTS_E * NUM_THREADS) == 0) {
      #pragma unroll 64
      for (ulong turn = 0; turn < ((CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E + NUM_THREADS - 1)
          / NUM_THREADS; ++turn) {
        const ulong part_2 = turn * NUM_THREADS + thread;
        const ulong in_start_2 = part_2 * BY_PARTS_E;

        // compute(sum#1, SE_T)
        #pragma unroll 64
        for (ulong i = 0; i < BY_PARTS_E; i += 4) {
          vstore4(load_int4(&in[in_start + in_start_2 + i]), 0, &in_held[turn * BY_PARTS_E + i]);
        }
        int accum = 0;
        #pragma unroll 64
        for (ulong i = 0; i < BY_PARTS_E; ++i) {
          accum += (uint)in_held[turn * BY_PARTS_E + i];
        }
        sum_of_thread[part_2] = accum;
      }
    } else {
      for (ulong part_2 = thread; part_2 < (in_len + BY_PARTS_E - 1) / BY_PARTS_E; part_2 +=
          NUM_THREADS) {
        const ulong in_start_2 = part_2 * BY_PARTS_E;
        const ulong in_len_2 = min((ulong)BY_PARTS_E, in_len - in_start_2);

        // compute(sum#1, SE_T)
        int accum = 0;
        #pragma unroll 16
        for (ulong i = 0; i < in_len_2; ++i) {
          accum += (uint)in[in_start + in_start_2 + i];
        }
        sum_of_thread[part_2] = accum;
      }
    }

    // compute(offsets_lanes, VE_B)
    const ulong each = ((in_len + BY_PARTS_E - 1) / BY_PARTS_E + NUM_THREADS - 1) / NUM_THREADS;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int own = 0;
    for (ulong k = 0; k < each && each * thread + k < (in_len + BY_PARTS_E - 1) / BY_PARTS_E; ++k) {
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
    for (ulong k = 0; k < each && each * thread + k < (in_len + BY_PARTS_E - 1) / BY_PARTS_E; ++k) {
      const int here = sum_of_thread[each * thread + k];
      sum_of_thread[each * thread + k] = accum;
      accum += (uint)here;
    }
    const int total = tmp[NUM_THREADS - 1];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (thread == 0) {
      atom_add(&states[part + 1], (1UL << 32) + (ulong)(uint)total);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    ulong behind = part;
    uint mark = 1U;
    int carry = 0;
    while (mark == 1U) {
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (thread < 64) {
        ulong seen = (2UL << 32);
        if (thread <= behind) {
          seen = 0UL;
          while ((seen >> 32UL) == 0UL) {
            seen = atomic_look_u64(&states[behind - thread], 0UL);
          }
        }
        marks[thread] = (uint)(seen >> 32UL);
        values[thread] = (uint)seen;
      }
      for (ulong stride = 1; stride < min((ulong)NUM_THREADS, (ulong)64); stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (thread % (2 * stride) == 0 && thread + stride < min((ulong)NUM_THREADS, (ulong)64)
            && marks[thread] == 1U) {
          values[thread] = values[thread + stride] + values[thread];
          marks[thread] = marks[thread + stride];
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      carry = (int)(behind == part ? values[0] : values[0] + (uint)carry);
      mark = marks[0];
      behind -= min(behind, min((ulong)NUM_THREADS, (ulong)64));
    }
    const int next = (int)((uint)carry + total);
    if (thread == 0) {
      atom_add(&states[part + 1], (2UL << 32) + (ulong)(uint)next
          - ((1UL << 32) + (ulong)(uint)total));
    }

    // S_B, regroup(by_parts, B)
    // distribute(T)
    if (in_len == CHAINED_T && CHAINED_T % (BY_PARTS_E * NUM_THREADS) == 0) {
      #pragma unroll 64
      for (ulong turn = 0; turn < ((CHAINED_T + BY_PARTS_E - 1) / BY_PARTS_E + NUM_THREADS - 1)
          / NUM_THREADS; ++turn) {
        const ulong part_2 = turn * NUM_THREADS + thread;
        const int before = sum_of_thread[part_2];
        const ulong in_start_2 = part_2 * BY_PARTS_E;

        // compute(scan_after#1, SE_T)
        int out_kept[BY_PARTS_E];
        int accum_2 = (int)((uint)carry + before);
        #pragma unroll 64
        for (ulong i = 0; i < BY_PARTS_E; ++i) {
          accum_2 += (uint)in_held[turn * BY_PARTS_E + i];
          out_kept[i] = accum_2;
        }
        #pragma unroll 64
        for (ulong i = 0; i < BY_PARTS_E; i += 4) {
          store_int4(vload4(0, &out_kept[i]), &out[in_start + in_start_2 + i]);
        }
      }
    } else {
      for (ulong part_2 = thread; part_2 < (in_len + BY_PARTS_E - 1) / BY_PARTS_E; part_2 +=
          NUM_THREADS) {
        const int before = sum_of_thread[part_2];
        const ulong in_start_2 = part_2 * BY_PARTS_E;
        const ulong in_len_2 = min((ulong)BY_PARTS_E, in_len - in_start_2);

        // compute(scan_after#1, SE_T)
        int accum_2 = (int)((uint)carry + before);
        #pragma unroll 16
        for (ulong i = 0; i < in_len_2; ++i) {
          accum_2 += (uint)in[in_start + in_start_2 + i];
          out[in_start + in_start_2 + i] = accum_2;
        }
      }
    }
  }
}
