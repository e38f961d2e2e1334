// OpenCL kernels of sum, composed for simple-cpu:
//   S_P, regroup(asso_tiled, P), distribute(T), compute(sum#1, SE_T), S_P, devolve(T),
//   compute(sum#1, SE_T)

__kernel void sum_1(__global const int *restrict in,
                    __global int *restrict sum_of_thread,
                    ulong in_size) {
  // S_P, regroup(asso_tiled, P)
  // distribute(T)
  const ulong p = get_num_groups(0);
  const ulong tile = (in_size + p - 1) / p;
  const ulong thread = get_group_id(0);
  const ulong in_start = thread * tile;
  const ulong in_len = min(tile, in_size - min(in_start, in_size));

  // compute(sum#1, SE_T)
  int accum = 0;
  #pragma unroll 16
  for (ulong i = 0; i < in_len; ++i) {
    accum += (uint)in[in_start + i];
  }
  sum_of_thread[thread] = accum;
}

__kernel void sum_2(__global int *restrict result,
                    __global const int *restrict sum_of_thread,
                    ulong p) {
  // S_P, devolve(T)
  // compute(sum#1, SE_T)
  int accum = 0;
  #pragma unroll 16
  for (ulong i = 0; i < p; ++i) {
    accum += (uint)sum_of_thread[i];
  }
  result[0] = accum;
}
