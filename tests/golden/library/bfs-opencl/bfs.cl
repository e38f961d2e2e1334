// OpenCL kernels of bfs, composed for simple-gpu:
//   select(by_edge, G), S_G, regroup(copy_tiled, G), distribute(B), S_B,
//   regroup(copy_strided, B), distribute(T), compute(copy#1, SE_T), S_G, regroup(by_edge, G),
//   distribute(B), S_B, devolve(T), compute(visit_edges#1, SE_T)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void bfs_1(__global const int *restrict before,
                    __global int *restrict after,
                    ulong before_size) {
  const ulong thread = get_local_id(0);

  // S_G, regroup(copy_tiled, G)
  // distribute(B)
  const ulong p_2 = get_num_groups(0);
  const ulong before_tile = (before_size + p_2 - 1) / p_2;
  const ulong block = get_group_id(0);
  const ulong in_start = block * before_tile;
  const ulong in_len = min(before_tile, before_size - min(in_start, before_size));

  // S_B, regroup(copy_strided, B)
  // distribute(T)
  const ulong in_len_2 = (in_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(copy#1, SE_T)
  #pragma unroll 16
  for (ulong i = 0; i < in_len_2; ++i) {
    after[in_start + thread + i * NUM_THREADS] = before[in_start + thread + i * NUM_THREADS];
  }
}

__kernel void bfs_2(__global const int *restrict offsets,
                    __global const int *restrict targets,
                    __global const int *restrict before,
                    __global int *restrict after,
                    ulong targets_size,
                    ulong before_size,
                    int depth) {
  // S_G, regroup(by_edge, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong tile = (targets_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong targets_start = block * tile;
  const ulong targets_len = min(tile, targets_size - min(targets_start, targets_size));

  // S_B, devolve(T)
  // compute(visit_edges#1, SE_T)
  ulong low = 0;
  ulong high = before_size;
  while (low + 1 < high) {
    const ulong middle = (low + high) / 2;
    if (offsets[middle] <= (uint)(block * tile)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  ulong vertex = low;
  for (ulong k = 0; k < targets_len; ++k) {
    while (vertex + 1 < before_size && offsets[vertex + 1] <= (uint)(block * tile) + (uint)k) {
      ++vertex;
    }
    if (before[vertex] == depth) {
      atomic_min(&after[(ulong)targets[targets_start + k]], (int)((uint)depth + 1));
    }
  }
}
