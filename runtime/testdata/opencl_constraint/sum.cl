/* One element an item: a tile has to fit its work-group. */
__kernel void sum_1(__global const int *in, ulong in_size, __global int *partial) {
  __local int tmp[GROUP_SIZE];
  const ulong tile = (in_size + get_num_groups(0) - 1) / get_num_groups(0);
  const ulong begin = get_group_id(0) * tile;
  const ulong end = min(begin + tile, in_size);
  const uint lane = get_local_id(0);
  tmp[lane] = begin + lane < end ? in[begin + lane] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 1; s < GROUP_SIZE; s *= 2) {
    const int addend = lane >= s ? tmp[lane - s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[lane] += addend;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == GROUP_SIZE - 1)
    partial[get_group_id(0)] = tmp[lane];
}

__kernel void sum_2(__global const int *partial, ulong p, __global int *result) {
  int accum = 0;
  for (ulong i = 0; i < p; ++i)
    accum += partial[i];
  *result = accum;
}
