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

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

__attribute__((reqd_work_group_size(NUM_LANES, 1, 1)))
__kernel void sum_1(__global const int *restrict in,
                    __global int *restrict sum_of_thread,
                    ulong in_size) {
  __local int tmp[NUM_LANES];
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
  UNROLL(4)
  for (ulong i = 0; i < common; ++i) {
    #pragma unroll
    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
      accum[chain] += in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
    }
  }
  #pragma unroll
  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
    for (ulong i = common; i < (in_len_2 + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
      accum[chain] += in[in_start + lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
    }
    sum_of_chain[chain] = accum[chain];
  }

  // compute(sum#1, SE_V)
  int accum_2 = 0;
  for (ulong i = 0; i < NUM_CHAINS; ++i) {
    accum_2 += sum_of_chain[i];
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
      tmp[lane] += tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    sum_of_thread[thread] = tmp[NUM_LANES - 1];
  }
}

__attribute__((reqd_work_group_size(NUM_LANES, 1, 1)))
__kernel void sum_2(__global int *restrict result,
                    __global const int *restrict sum_of_thread,
                    ulong p) {
  __local int tmp[NUM_LANES];
  const ulong lane = get_local_id(0);

  // S_P, devolve(T)
  // S_T, regroup(stride_tiled, T)
  // distribute(V)
  const ulong in_len = (p + NUM_LANES - 1 - lane) / NUM_LANES;

  // S_V, regroup(stride_tiled, V)
  int sum_of_chain[NUM_CHAINS];

  // distribute(I)
  int accum[NUM_CHAINS];
  #pragma unroll
  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
    // compute(sum#1, SE_I)
    accum[chain] = 0;
  }
  const ulong common = in_len / NUM_CHAINS;
  UNROLL(4)
  for (ulong i = 0; i < common; ++i) {
    #pragma unroll
    for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
      accum[chain] += sum_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
    }
  }
  #pragma unroll
  for (ulong chain = 0; chain < NUM_CHAINS; ++chain) {
    for (ulong i = common; i < (in_len + NUM_CHAINS - 1 - chain) / NUM_CHAINS; ++i) {
      accum[chain] += sum_of_thread[lane + chain * NUM_LANES + i * (NUM_CHAINS * NUM_LANES)];
    }
    sum_of_chain[chain] = accum[chain];
  }

  // compute(sum#1, SE_V)
  int accum_2 = 0;
  for (ulong i = 0; i < NUM_CHAINS; ++i) {
    accum_2 += sum_of_chain[i];
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
      tmp[lane] += tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lane == 0) {
    result[0] = tmp[NUM_LANES - 1];
  }
}
