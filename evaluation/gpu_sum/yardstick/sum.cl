// Written by hand, as a yardstick for synthesized kernels: 16-byte loads, four of
// them in flight in every work-item, a tree in local memory, and a second kernel
// of one work-group for the partial sums.

// The sum of all values of a work-group, for its first work-item.
int group_sum(int value, __local int *tmp) {
  const uint id = get_local_id(0);
  tmp[id] = value;
  for (uint s = NUM_THREADS / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < s)
      tmp[id] += tmp[id + s];
  }
  return id == 0 ? tmp[0] : 0;
}

__kernel __attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
void sum_1(__global const int *restrict in, ulong in_size, __global int *restrict partial) {
  __local int tmp[NUM_THREADS];
  __global const int4 *vectors = (__global const int4 *)in;
  const ulong count = in_size / 4;
  const ulong stride = get_global_size(0);
  int4 sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  ulong i = get_global_id(0);
  for (; i + 3 * stride < count; i += 4 * stride) {
    const int4 v0 = vectors[i];
    const int4 v1 = vectors[i + stride];
    const int4 v2 = vectors[i + 2 * stride];
    const int4 v3 = vectors[i + 3 * stride];
    sum0 += v0;
    sum1 += v1;
    sum2 += v2;
    sum3 += v3;
  }
  for (; i < count; i += stride)
    sum0 += vectors[i];
  const int4 sums = (sum0 + sum1) + (sum2 + sum3);
  int sum = (sums.x + sums.y) + (sums.z + sums.w);
  if (get_global_id(0) < in_size % 4)
    sum += in[4 * count + get_global_id(0)];
  sum = group_sum(sum, tmp);
  if (get_local_id(0) == 0)
    partial[get_group_id(0)] = sum;
}

__kernel __attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
void sum_2(__global const int *restrict partial, ulong p, __global int *restrict result) {
  __local int tmp[NUM_THREADS];
  int sum = 0;
  for (ulong i = get_local_id(0); i < p; i += NUM_THREADS)
    sum += partial[i];
  sum = group_sum(sum, tmp);
  if (get_local_id(0) == 0)
    *result = sum;
}
