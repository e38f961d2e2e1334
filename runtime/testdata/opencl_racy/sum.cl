/* A tile a work-group: items stride through it, then a tree over local memory. */
__kernel void sum_1(__global const int *in, ulong in_size, __global int *partial) {
  __local int tmp[GROUP_SIZE];
  const ulong tile = (in_size + get_num_groups(0) - 1) / get_num_groups(0);
  const ulong begin = get_group_id(0) * tile;
  const ulong end = min(begin + tile, in_size);
  const uint lane = get_local_id(0);
  int accum = 0;
  for (ulong i = begin + lane; i < end; i += GROUP_SIZE)
    accum += in[i];
  tmp[lane] = accum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = GROUP_SIZE / 2; s > 0; s /= 2) {
    if (lane < s)
      tmp[lane] += tmp[lane + s];
    /* The barrier that belongs here is left out on purpose. */
  }
  if (lane == 0)
    partial[get_group_id(0)] = tmp[0];
}

__kernel void sum_2(__global const int *partial, ulong p, __global int *result) {
  int accum = 0;
  for (ulong i = 0; i < p; ++i)
    accum += partial[i];
  *result = accum;
}
