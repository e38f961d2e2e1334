// OpenCL kernels of sum, composed for simple-gpu:
//   S_G, devolve(B), compute(kog, VE_B)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void sum_kernel(__global const int *restrict in,
                         __global int *restrict result,
                         ulong in_size) {
  __local int tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, devolve(B)
  // compute(kog, VE_B)
  tmp[thread] = thread < in_size ? in[thread] : 0;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
    int tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp_read = thread >= s ? tmp[thread - s] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread >= s) {
      tmp[thread] += (uint)tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    result[0] = tmp[NUM_THREADS - 1];
  }
}
