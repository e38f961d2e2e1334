// OpenCL kernels of sum, composed for cpu:
//   S_P, regroup(asso_tiled, P), split(P), distribute(T), distribute(V), compute(sum#1, SE_V),
//   S_P, devolve(T), compute(kog, VE_T)

// lanes in a thread
#ifndef NUM_LANES
#define NUM_LANES 16
#endif

__attribute__((reqd_work_group_size(NUM_LANES, 1, 1)))
__kernel void sum_1(__global const int *restrict in,
                    __global int *restrict sum_of_thread,
                    ulong in_size) {
  const ulong lane = get_local_id(0);

  // S_P, regroup(asso_tiled, P)
  // split(P), distribute(T)
  const ulong p = get_num_groups(0);
  const ulong p_2 = p * NUM_LANES;
  const ulong tile = (in_size + p_2 - 1) / p_2;
  const ulong thread = get_group_id(0);

  // distribute(V)
  const ulong sum_part = thread * NUM_LANES + lane;
  const ulong in_start = sum_part * tile;
  const ulong in_len = min(tile, in_size - min(in_start, in_size));

  // compute(sum#1, SE_V)
  int accum = 0;
  #pragma unroll 16
  for (ulong i = 0; i < in_len; ++i) {
    accum += in[in_start + i];
  }
  sum_of_thread[sum_part] = accum;
}

__attribute__((reqd_work_group_size(NUM_LANES, 1, 1)))
__kernel void sum_2(__global int *restrict result,
                    __global const int *restrict sum_of_thread) {
  __local int tmp[NUM_LANES];
  const ulong lane = get_local_id(0);

  // S_P, devolve(T)
  // compute(kog, VE_T)
  tmp[lane] = sum_of_thread[lane];
  for (ulong s = 1; s < NUM_LANES; s *= 2) {
    int tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp_read = lane >= s ? tmp[lane - s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane >= s) {
      tmp[lane] += tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    result[0] = tmp[NUM_LANES - 1];
  }
}
