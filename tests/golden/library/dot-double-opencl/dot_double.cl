// OpenCL kernels of dot_double, composed for simple-gpu:
//   S_G, regroup(dot_tiled, G), distribute(B), S_B, regroup(dot_strided, B), distribute(T),
//   compute(dot#1, SE_T), S_B, devolve(T), compute(sum#1, SE_T), S_G, devolve(B),
//   select(sum_reduce, B), S_B, regroup(strided, B), distribute(T), compute(reduce#1, SE_T),
//   compute(tree, VE_B)

// threads in a block
#ifndef NUM_THREADS
#define NUM_THREADS 256
#endif

// PoCL cannot unroll every loop of kernels with barriers.
#ifdef POCL_DEVICE_ADDRESS_BITS
#define UNROLL(times)
#else
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(times) PRAGMA(unroll times)
#endif

double zero_3(void) {
  return 0.0;
}

double plus_3(double a, double b) {
  return a + b;
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void dot_double_1(__global const double *restrict a,
                           __global const double *restrict b,
                           __global double *restrict dot_of_block,
                           ulong a_size) {
  __local double dot_of_thread[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, regroup(dot_tiled, G)
  // distribute(B)
  const ulong p = get_num_groups(0);
  const ulong a_tile = (a_size + p - 1) / p;
  const ulong block = get_group_id(0);
  const ulong a_start = block * a_tile;
  const ulong a_len = min(a_tile, a_size - min(a_start, a_size));

  // S_B, regroup(dot_strided, B)
  // distribute(T)
  const ulong a_len_2 = (a_len + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(dot#1, SE_T)
  double accum = 0.0;
  UNROLL(8)
  for (ulong i = 0; i < a_len_2; ++i) {
    accum += a[a_start + thread + i * NUM_THREADS] * b[a_start + thread + i * NUM_THREADS];
  }
  dot_of_thread[thread] = accum;

  // S_B, devolve(T)
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    // compute(sum#1, SE_T)
    double accum_2 = 0.0;
    for (ulong i = 0; i < NUM_THREADS; ++i) {
      accum_2 += dot_of_thread[i];
    }
    dot_of_block[block] = accum_2;
  }
}

__attribute__((reqd_work_group_size(NUM_THREADS, 1, 1)))
__kernel void dot_double_2(__global double *restrict result,
                           __global const double *restrict dot_of_block,
                           ulong p) {
  __local double tmp[NUM_THREADS];
  const ulong thread = get_local_id(0);

  // S_G, devolve(B)
  // S_B, regroup(strided, B)
  // distribute(T)
  const ulong in_len = (p + NUM_THREADS - 1 - thread) / NUM_THREADS;

  // compute(reduce#1, SE_T)
  double accum = zero_3();
  UNROLL(16)
  for (ulong i = 0; i < in_len; ++i) {
    accum = plus_3(accum, dot_of_block[thread + i * NUM_THREADS]);
  }
  const double reduce_of_thread = accum;

  // compute(tree, VE_B)
  tmp[thread] = reduce_of_thread;
  for (ulong s = 1; s < NUM_THREADS; s *= 2) {
    double tmp_read;
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp_read = thread >= s ? plus_3(tmp[thread - s], tmp[thread]) : 0.0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thread >= s) {
      tmp[thread] = tmp_read;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (thread == 0) {
    result[0] = tmp[NUM_THREADS - 1];
  }
}
